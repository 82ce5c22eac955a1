"""The command `url`, with plans: arguments and input on one side, output and code on the other."""

import re

from cases import each_case, tables

CASES = tables(__file__, "url_plan_cases.json")
assert CASES


@each_case("case", CASES)
def test_command_lines(run, case):
    code, out, err = run(*case["argv"], stdin=case["stdin"])
    assert out.splitlines() == case["stdout"]
    lines = err.splitlines()
    assert len(lines) == len(case["stderr"]), err
    for line, pattern in zip(lines, case["stderr"], strict=True):
        assert re.fullmatch(pattern, line), line
    assert code == case["exit"]
