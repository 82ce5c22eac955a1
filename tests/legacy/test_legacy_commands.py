"""The commands of the older dialects as a table: arguments, input, output, messages, exit code."""

import io
import re
import sys

import pytest
from cases import check_messages, tables

from uriparse.cli import main

CASES = tables(__file__, "commands.json")
assert CASES


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_command_lines(monkeypatch, capsys, case):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case["stdin"].encode())))
    code = main(case["argv"])
    out, err = capsys.readouterr()
    if "stdout_matches" in case:
        assert re.fullmatch(case["stdout_matches"], out.removesuffix("\n"))
    else:
        assert out == "".join(f"{line}\n" for line in case["stdout"])
    check_messages(case, code, err)
