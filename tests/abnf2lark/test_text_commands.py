"""`abnf2lark match`, `explain`, `tree` and `records`: texts read by a rule."""

import io
import json

from cases import each_case, tables

TABLES = tables(__file__)

DB = 'db-url = "db://" database [ "?" table ]\ndatabase = 1*ALPHA\ntable = *ALPHA\n'
LISTS = 'list = "[" [ item *( "," item ) ] "]" *CRLF\nitem = list / 1*DIGIT\n'


@each_case(("arguments", "code", "out", "err"), TABLES["texts_are_read_by_a_rule"])
def test_texts_are_read_by_a_rule(abnf2lark, arguments, code, out, err):
    done = abnf2lark(*arguments, t=DB)
    assert (done.code, done.out) == (code, out)
    assert err in done.err
    assert bool(err) == bool(done.err)


def test_objects_have_what_the_library_tells(abnf2lark):
    done = abnf2lark("explain", "t.abnf", "list", "[1,]", "--json", t=LISTS)
    assert json.loads(done.out) == {
        "text": "[1,]", "matches": False, "offset": 3, "begin": 3, "line": 1, "column": 4,
        "may_end": False, "expected": {"list": ["DIGIT", '"["']}, "meant": None,
    }  # fmt: skip
    for command in ("tree", "records"):
        nodes = map(
            json.loads,
            abnf2lark(command, "t.abnf", "list", "[1,[]]", "--json").out.split("\n")[:-1],
        )
        ruled = [(node["depth"], node["rule"], node["text"]) for node in nodes if node["rule"]]
        assert ruled == [
            (0, "list", "[1,[]]"), (1, "item", "1"), (1, "item", "[]"), (2, "list", "[]"),
        ]  # fmt: skip


def test_nesting_takes_no_stack(abnf2lark):
    text = "[" * 2000 + "]" * 2000
    for command in ("tree", "records"):
        done = abnf2lark(command, "t.abnf", "list", text, "--json", t=LISTS)
        assert (done.code, done.out.count('"rule": "list"')) == (0, 2000)


def test_texts_are_lines_or_whole_files(abnf2lark, tmp_path, monkeypatch):
    (tmp_path / "doc").write_bytes(b"[1]\r\n\r\n")
    done = abnf2lark("match", "t.abnf", "list", "[]", "--file", "doc", t=LISTS)
    assert (done.code, done.out) == (0, 'list: "[]"\nlist: "[1]\\r\\n\\r\\n"\n')
    monkeypatch.setattr("sys.stdin", io.StringIO("[]\n[2]\n\n"))
    done = abnf2lark("match", "t.abnf", "list")
    assert done.out == 'list: "[]"\nlist: "[2]"\nno list, ends too early: ""\n'


def test_types_are_written_once(abnf2lark, tmp_path):
    arguments = ["records", "t.abnf", "db-url", "--types", "db_ast.py"]
    assert abnf2lark(*arguments, t=DB).code == 0
    assert "class DbUrl(Record):" in (tmp_path / "db_ast.py").read_text()
    assert abnf2lark(*arguments).code == 2
    assert abnf2lark(*arguments, "--force").code == 0


def test_a_grammar_that_does_not_load_is_no_difference(abnf2lark):
    for arguments in (["t.abnf", "rfc3986"], ["t.abnf:a", "rfc3986:URI"]):
        done = abnf2lark("diff", *arguments, t="a = 1*DIGT\n")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith('t.abnf:1:7: undefined: "DIGT" is not defined; is "DIGIT" or')
