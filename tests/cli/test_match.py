"""`uriparse match`: one line for each text, with the verdict of a rule."""

import json

import pytest
from cases import each_case
from command_runs import running

from uriparse import is_valid

TEXTS = ["", "http://h/", "a[b", "//h:8o", "a:b", "%zz", "http://[::1]/", "http://[v1.x]", "é"]


run = running("match")


@pytest.fixture
def match(run):
    """Run the command; return its exit code, its lines and its messages."""

    def call(*arguments, stdin=b""):
        code, out, err = run(*arguments, stdin=stdin)
        assert "Traceback" not in err
        return code, out.splitlines(), err

    return call


def test_each_text_has_its_line(match):
    assert match("--rule", "SCHEME", "http", "1a", "a b", "") == (
        1,
        ["scheme: http", "no scheme, stops at offset 0: 1a", "no scheme, stops at offset 1: a b",
         "no scheme, ends too early: "],
        "",
    )  # fmt: skip
    assert match("--rule", "scheme", "http") == (0, ["scheme: http"], "")


def test_the_widest_rule_is_the_default(match):
    assert match("http://h/", "a[") == (
        1, ["URI: http://h/", "no URI, stops at offset 1: a["], "",
    )  # fmt: skip
    assert match("--grammar", "rfc1738", "ftp://h/")[1] == ["url: ftp://h/"]


def test_json_has_the_same_facts(match):
    _, lines, _ = match("--json", "--rule", "port", "80", "8o")
    assert [json.loads(line) for line in lines] == [
        {"argument": 1, "text": "80", "valid": True, "rule": "port", "offset": 2},
        {"argument": 2, "text": "8o", "valid": False, "rule": "port", "offset": 1},
    ]


def test_what_is_not_utf_8_matches_nothing(match):
    code, lines, _ = match("--rule", "path", "-", stdin=b"a\xff\nb\n")
    assert (code, lines) == (1, ["no path, stops at offset 1: a\\udcff", "path: b"])
    assert match("--rule", "nope", "x") == (2, [], "uriparse: unknown rule of rfc3986: 'nope'\n")


def test_rubbish_moves_no_cursor_and_has_a_line_each(match):
    rubbish = [b"", b"\x1b[31m", b"\x00", b"\xed\xa0\x80", b"%zz", b"[" * 9000, "\u202e".encode()]
    for option in (("--rule", "port"), ("--rule", "port", "--json")):
        code, lines, _ = match(*option, "-", stdin=b"\n".join(rubbish) + b"\n")
        assert code == 1
        assert len(lines) == len(rubbish)
        assert all(line.isprintable() for line in lines)


@each_case("rule", ["URI", "URI-reference", "host", "query", "IPv6address"])
def test_it_agrees_with_is_valid(match, rule):
    _, lines, _ = match("--json", "--rule", rule, *TEXTS)
    assert [json.loads(line)["valid"] for line in lines] == [is_valid(t, rule) for t in TEXTS]
