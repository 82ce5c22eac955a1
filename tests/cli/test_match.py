"""`uriparse match`: one line of verdict a text, by a shipped rule or by one of a file."""

import io
import json
import sys

import pytest

from uriparse import is_valid
from uriparse.cli import main

ABNF = """\
version = 1*DIGIT *2( "." 1*DIGIT )
nested  = "(" [ nested ] ")"
any     = *%x00-10FFFF
host2   = <host, see [RFC3986]>
"""


@pytest.fixture
def match(capsys, monkeypatch, tmp_path):
    """Run the command where `own.abnf` is; give its exit code, its lines and its messages."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.abnf").write_text(ABNF.replace("host2", ";host2"))

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        code = main(["match", *arguments])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out.splitlines(), told.err

    return run


def test_each_text_has_its_line(match):
    assert match("--rule", "SCHEME", "http", "1a", "a b", "") == (
        1,
        [
            "scheme: http",
            "no scheme, stops at offset 0: 1a",
            "no scheme, stops at offset 1: a b",
            "no scheme, ends too early: ",
        ],
        "",
    )
    assert match("--rule", "scheme", "http") == (0, ["scheme: http"], "")


def test_the_widest_rule_is_the_default(match):
    assert match("http://h/", "a[") == (
        1, ["URI: http://h/", "no URI, stops at offset 1: a["], "",
    )  # fmt: skip
    assert match("--grammar", "rfc1738", "ftp://h/")[1] == ["url: ftp://h/"]


def test_a_rule_of_a_file(match):
    assert match("--abnf", "own.abnf", "-", stdin=b"3.11\n3..1\n3.\n1.2.3.4\n") == (
        1,
        [
            "version: 3.11",
            "no version, stops at offset 2: 3..1",
            "no version, ends too early: 3.",
            "no version, stops at offset 5: 1.2.3.4",
        ],
        "",
    )


def test_rules_of_shipped_grammars_are_imported(match, tmp_path):
    (tmp_path / "own.abnf").write_text(ABNF)
    arguments = ("--abnf", "own.abnf", "--rule", "host2", "[::1]")
    assert match(*arguments, "--import", "rfc3986")[:2] == (0, ["host2: [::1]"])
    code, lines, told = match(*arguments)
    assert (code, lines) == (2, [])
    assert "own.abnf:4:11: prose: <host, see [RFC3986]> names no rule known here" in told


def test_a_recursive_rule_is_judged_by_lark_and_said_to_be(match):
    assert match("--abnf", "own.abnf", "--rule", "nested", "(())", "(()", "") == (
        1,
        ["nested: (())", "no nested: (()", "no nested: "],
        "uriparse match: nested is not regular: it is recursive, nested → nested; Lark judges\n",
    )


def test_json_has_the_same_facts(match):
    _, lines, _ = match("--json", "--rule", "port", "80", "8o")
    assert [json.loads(line) for line in lines] == [
        {"argument": 1, "text": "80", "valid": True, "rule": "port", "offset": 2},
        {"argument": 2, "text": "8o", "valid": False, "rule": "port", "offset": 1},
    ]


def test_what_is_not_utf_8_matches_nothing(match):
    code, lines, _ = match("--abnf", "own.abnf", "--rule", "any", "-", stdin=b"a\xff\nb\n")
    assert (code, lines) == (1, ["no any, stops at offset 1: a\\udcff", "any: b"])


def test_rubbish_moves_no_cursor_and_has_a_line_each(match):
    rubbish = [b"", b"\x1b[31m", b"\x00", b"\xed\xa0\x80", b"%zz", b"[" * 9000, "\u202e".encode()]
    for option in ((), ("--json",), ("--abnf", "own.abnf", "--rule", "nested")):
        code, lines, _ = match(*option, "-", stdin=b"\n".join(rubbish) + b"\n")
        assert code == 1
        assert len(lines) == len(rubbish)
        assert all(line.isprintable() for line in lines)


def test_passwords_are_masked(match):
    assert match("ftp://u:secret@h/", "ftp://u:secret@h/[")[1] == [
        "URI: ftp://u:***@h/",
        "no URI, stops at offset 17: ftp://u:***@h/[",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rule", "nope", "x"), "uriparse: unknown rule of rfc3986: 'nope'\n"),
        (("--abnf", "none.abnf", "x"), "uriparse: none.abnf: No such file or directory\n"),
        (("--abnf", "own.abnf", "--rule", "versoin", "x"),
         'uriparse: own has no rule "versoin"; is "version" meant?\n'),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(match, arguments, told):
    code, lines, err = match(*arguments)
    assert (code, lines) == (2, [])
    assert err == told


def test_a_file_that_is_no_text_is_told(match, tmp_path):
    (tmp_path / "bad.abnf").write_bytes(b"\xff")
    assert match("--abnf", "bad.abnf", "x") == (2, [], "uriparse: bad.abnf: not UTF-8\n")
    (tmp_path / "bad.abnf").write_text("a = b\n")
    assert 'bad.abnf:1:5: undefined: "b" is not defined' in match("--abnf", "bad.abnf", "x")[2]


TEXTS = ["", "http://h/", "a[b", "//h:8o", "a:b", "%zz", "http://[::1]/", "http://[v1.x]", "é"]


@pytest.mark.parametrize("rule", ["URI", "URI-reference", "host", "query", "IPv6address"])
def test_it_agrees_with_is_valid(match, rule):
    _, lines, _ = match("--json", "--rule", rule, *TEXTS)
    assert [json.loads(line)["valid"] for line in lines] == [is_valid(t, rule) for t in TEXTS]
