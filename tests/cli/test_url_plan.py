"""The command `url`, with plans: arguments and input on one side, output and code on the other."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from cases import each_case

from uriparse.cli import main

CASES = json.loads(Path(__file__).with_name("url_plan_cases.json").read_text(encoding="ascii"))
assert CASES


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*argv, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(argv)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@each_case("case", CASES)
def test_command_lines(run, case):
    code, out, err = run(*case["argv"], stdin=case["stdin"])
    assert out.splitlines() == case["stdout"]
    lines = err.splitlines()
    assert len(lines) == len(case["stderr"]), err
    for line, pattern in zip(lines, case["stderr"], strict=True):
        assert re.fullmatch(pattern, line), line
    assert code == case["exit"]


@each_case("argv", [["url", "--json", "-"], ["url", "--plan", "--json", "-"]])
def test_json_is_one_object_a_line(run, argv):
    code, out, err = run(*argv, stdin="ftp://h.d/a\nftp://h.d/a;b\ngopher://h.d/0x\n")
    found = [json.loads(line) for line in out.splitlines()]
    assert [row["line"] for row in found] == [1, 2, 3]
    assert found[1]["valid"] is False
    assert (code, err) == (1, "")


@each_case("argv", [["url", "-"], ["url", "--plan", "-"], ["legacy", "dialects", "-"]])
@each_case("text", ["ftp://u:sesame@h.d/~", "ftp://u?x:sesame@h.d/a;b"])
def test_what_is_refused_shows_no_password(run, argv, text):
    _, out, err = run(*argv, stdin=f"{text}\n")
    assert "sesame" not in out + err
