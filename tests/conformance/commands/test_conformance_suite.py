"""`uriparse conformance suite`: what it writes, where, and what it says when it cannot."""

import json
from pathlib import Path

import pytest
from cases import each_case, tables
from command_runs import running

from uriparse.cli import main
from uriparse.conformance import suite

TABLES = tables(__file__)


run = running("conformance", "suite")


@pytest.fixture
def abnf(tmp_path):
    def write(text, name="own.abnf"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_ndjson_is_a_head_and_the_rows(run):
    code, out, err = run("--rule=port", "--method=transition", "--characters=borders")
    assert (code, err) == (0, "")
    head, *rows = map(json.loads, out.splitlines())
    found = suite("port", method="transition", characters="borders")
    assert head == {
        "suite": {"rule": "port", "grammar": "rfc3986", "method": "transition",
                  "characters": "borders", "extra_states": 0, "depth": None, "rows": len(found),
                  "size": found.size, "guarantee": found.guarantee},
    }  # fmt: skip
    assert [{**row, "expected": tuple(row["expected"])} for row in rows] == [
        row._asdict() for row in found
    ]


def test_a_rule_of_a_file(run, abnf):
    path = abnf('greeting = "hi" SP name\r\nname = 1*ALPHA\r\n')
    for arguments, rule in (([], "greeting"), (["--rule=NAME"], "name")):
        code, out, err = run("--grammar", path, *arguments)
        assert (code, err) == (0, "")
        head, *rows = map(json.loads, out.splitlines())
        assert (head["suite"]["rule"], head["suite"]["grammar"]) == (rule, "own")
        verdicts = {row["text"]: row["valid"] for row in rows}
        assert verdicts["hi a" if rule == "greeting" else "a"] is True
        more = {"mutants"} if rule == "greeting" else set()  # the transitions tell all of the other
        assert {row["method"] for row in rows} == {"transition"} | more


@pytest.mark.parametrize(("text", "arguments", "message"), TABLES["a_file_that_cannot_be_used"])
def test_a_file_that_cannot_be_used(run, abnf, text, arguments, message):
    code, out, err = run("--grammar", abnf(text), *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@each_case(("arguments", "message"), TABLES["what_cannot_be_done_is_said"])
def test_what_cannot_be_done_is_said(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "secret" not in err


@pytest.mark.parametrize("part", ["suite", "coverage", "trial"])
def test_no_file_is_written_over_that_is_read(part, abnf, capsys):
    grammar = abnf("a = 1*DIGIT\n")
    corpus, texts = abnf("1\n", "corpus"), abnf('"1"\n', "texts")
    read = {"suite": [grammar], "coverage": [grammar, corpus], "trial": [grammar, texts]}[part]
    more = {"suite": [], "coverage": [corpus], "trial": ["--suite", texts]}[part]
    for name in read:
        before = Path(name).read_bytes()
        assert main(["conformance", part, "--grammar", grammar, "--out", name, *more]) == 2
        told = f"uriparse: {name}: it is what is read; give another name\n"
        assert capsys.readouterr() == ("", told)
        assert Path(name).read_bytes() == before
