"""`uriparse match`: one line of verdict a text, by a shipped rule or by one of a file."""

import io
import json
import sys

import pytest
from cases import each_case

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


def test_a_recursive_rule(match):
    assert match("--abnf", "own.abnf", "--rule", "nested", "(())", "(()", "") == (
        1,
        ["nested: (())", "no nested, ends too early: (()", "no nested, ends too early: "],
        "",
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


@each_case(("arguments", "told"),
    [
        (("--rule", "nope", "x"), "uriparse: unknown rule of rfc3986: 'nope'\n"),
        (("--abnf", "none.abnf", "x"), "uriparse match: none.abnf: No such file or directory\n"),
        (("--abnf", "own.abnf", "--rule", "versoin", "x"),
         'uriparse: own has no rule "versoin"; is "version" meant?\n'),
    ])  # fmt: skip
def test_what_cannot_be_used_is_told(match, arguments, told):
    code, lines, err = match(*arguments)
    assert (code, lines) == (2, [])
    assert err == told


def test_a_file_that_is_no_text_is_told(match, tmp_path):
    (tmp_path / "bad.abnf").write_bytes(b"\xff")
    assert match("--abnf", "bad.abnf", "x") == (2, [], "uriparse match: bad.abnf: not UTF-8\n")
    (tmp_path / "bad.abnf").write_text("a = b\n")
    assert 'bad.abnf:1:5: undefined: "b" is not defined' in match("--abnf", "bad.abnf", "x")[2]


TEXTS = ["", "http://h/", "a[b", "//h:8o", "a:b", "%zz", "http://[::1]/", "http://[v1.x]", "é"]


@each_case("rule", ["URI", "URI-reference", "host", "query", "IPv6address"])
def test_it_agrees_with_is_valid(match, rule):
    _, lines, _ = match("--json", "--rule", rule, *TEXTS)
    assert [json.loads(line)["valid"] for line in lines] == [is_valid(t, rule) for t in TEXTS]


@pytest.fixture
def command(capsys, match):
    """Run any command where `own.abnf` is."""
    del match

    def run(*arguments):
        code = main([*arguments])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out, told.err

    return run


OWN = ("--abnf", "own.abnf", "--rule")


def test_trees_by_a_rule_of_a_file(command):
    assert command("tree", *OWN, "version", "3.11") == (0, 'version "3.11"\n\n', "")
    assert command("tree", *OWN, "version", "--full", "3.1")[1] == (
        'version\n  DIGIT "3"\n  "."\n  DIGIT "1"\n\n'
    )
    code, out, err = command("tree", *OWN, "version", "3..1", "1")
    assert (code, out) == (1, 'version "1"\n\n')
    assert "no version: expected DIGIT at offset 2, found" in err
    assert command("tree", "--abnf", "none.abnf", "1") == (
        2, "", "uriparse tree: none.abnf: No such file or directory\n",
    )  # fmt: skip


def test_trees_of_recursive_rules_are_as_deep_as_the_text(command):
    code, out, _ = command("tree", *OWN, "nested", "(" * 500 + ")" * 500)
    assert (code, out.count("nested")) == (0, 500)
    deep = command("tree", *OWN, "nested", "--json", "(" * 500 + ")" * 500)
    assert deep[0] == 1
    assert "the tree is more than 200 rules deep" in deep[1] + deep[2]
    code, out, _ = command("tree", *OWN, "nested", "--json", "(())")
    assert json.loads(out)["tree"] == {
        "rule": "nested",
        "parts": ["(", {"rule": "nested", "text": "()"}, ")"],
    }


def test_trees_by_a_rule_of_a_file_show_no_password(command, tmp_path):
    (tmp_path / "own.abnf").write_text(
        'login = user ":" password\nuser = 1*ALPHA\npassword = 1*ALPHA\n'
    )
    code, out, _ = command("tree", "--abnf", "own.abnf", "me:secret")
    assert (code, "secret" in out, "***" in out) == (0, False, True)
    assert "secret" in command("tree", "--abnf", "own.abnf", "--show-passwords", "me:secret")[1]


def test_explanations_by_a_rule_of_a_file(command):
    code, out, _ = command("explain", *OWN, "version", "3.11", "3..1")
    assert (code, out.splitlines()) == (
        1,
        [
            "argument 1: version matches",
            'argument 2: no version: expected DIGIT at offset 2, found "."',
        ],
    )
    assert command("explain", *OWN, "nested", "(()") == (
        1, 'no nested: expected ")" at offset 3, found the end\n', "",
    )  # fmt: skip
    _, out, _ = command("explain", *OWN, "nested", "--json", "(x")
    assert json.loads(out) == {
        "argument": 1,
        "text": "(x",
        "valid": False,
        "rule": "nested",
        "offset": 1,
        "may_end": False,
        "expected": [{"rule": "nested", "words": ['")"', '"("']}],
    }
    assert command("explain", *OWN, "nope", "x")[0] == 2


def test_what_can_be_read_in_too_many_ways_is_told(command, monkeypatch):
    monkeypatch.setattr("abnf2lark.charts.chart.MAX_ITEMS", 10)
    monkeypatch.setattr("abnf2lark.charts.chart.A_CHARACTER", (0, 2_000, 50))
    for name in ("match", "explain", "tree"):
        code, _, err = command(name, *OWN, "nested", "(" * 50)
        assert code == 1
        assert "nested can be read in too many ways: the first" in err
