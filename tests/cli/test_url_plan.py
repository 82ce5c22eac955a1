"""The command `url`, with plans: arguments and input on one side, output and code on the other."""

from cases import check_messages, each_case, tables

CASES = tables(__file__, "url_plan_cases.json")
assert CASES


@each_case("case", CASES)
def test_command_lines(run, case):
    code, out, err = run(*case["argv"], stdin=case["stdin"])
    assert out.splitlines() == case["stdout"]
    check_messages(case, code, err)
