"""`uriparse legacy form` and `database`: what two older programs make of their texts."""

import json

from cases import documents, each_case, tables

TABLES = tables(__file__)

SHOWN = documents(__file__)["SHOWN"]
WHOLE = documents(__file__)["WHOLE"]
DATABASES = [
    (["--to", "quoted", "p@ss", "100%", "a:b@c/d"], "p%40ss\n100%\na%3Ab%40c%2Fd\n"),
    (["--to", "lossless", "100%"], "100%25\n"),
    (["--to", "quoted", "--version", "2.0", "a b:100%"], "a b%3A100%25\n"),
    (["--to", "unquoted", "apples%40+oranges%zz"], "apples@+oranges%zz\n"),
    (["db+api://user%40:p%2Fw@h:1/d?q"], SHOWN), (["--show-passwords", "db://:p%2Fw@/"], WHOLE),
]  # fmt: skip


@each_case(("argv", "expected"), TABLES["forms"])
def test_forms(run, argv, expected):
    assert run("legacy", "form", *argv) == (0, expected, "")


@each_case(("argv", "expected"), DATABASES)
def test_databases(run, argv, expected):
    assert run("legacy", "database", *argv) == (0, expected, "")


def test_forms_as_json(run):
    row = json.loads(run("legacy", "form", "--json", "a%3Db=1&c")[1])
    assert row == {
        "argument": 1, "text": "a%3Db=1&c", "valid": True, "pairs": [["a=b", "1"], ["c", None]],
        "recoded": "a%3Db=1&c",
    }  # fmt: skip
    rows = run("legacy", "form", "--json", "--to=recoded", stdin="q=%7e\nq=a b\n")[1].splitlines()
    assert [json.loads(row)["result"] for row in rows] == ["q=~", "q=a+b"]


def test_databases_as_json(run):
    row = json.loads(run("legacy", "database", "--json", "d://u:sesame@h/x")[1])
    assert row["text"] == "d://u:***@h/x"
    assert row["parts"]["password"] == "***"
    assert (row["parts"]["username"], row["parts"]["port"]) == ("u", None)
    row = json.loads(run("legacy", "database", "--json", "--to=quoted", "p@ss")[1])
    assert (row["text"], row["result"]) == ("***", "p%40ss")


def test_what_is_no_database_url(run):
    code, out, err = run("legacy", "database", "d://h:x/", "d://h:1/")
    assert code == 1
    assert out.startswith("d://h:1/\n")
    assert err.startswith("argument 1: error: the port of a database URL is a number")
    assert "  d://h:x/\n        ^\n" in err
    assert run("legacy", "database", "h/x")[2].startswith(
        'error: a database URL begins with a dialect and "://"\n  h/x\n     ^\n'
    )


def test_a_database_url_that_versions_read_differently(run):
    code, out, err = run("legacy", "database", "d://u:sesame@ss@h/db")
    assert (code, out) == (1, "")
    assert err.startswith("error: SQLAlchemy before 1.4.16 and since read different hosts in this")
    assert "help: name the version that connects, or read it as 2.1 does: --version 2.1" in err
    assert "sesame" not in err
    hosts = {}
    for version in ("1.3", "2.1"):
        row = run("legacy", "database", "--json", "--version", version, "d://u:sesame@ss@h/db")[1]
        hosts[version] = json.loads(row)["parts"]["host"]
    assert hosts == {"1.3": "h", "2.1": "***@h"}
    row = run(
        "legacy", "database", "--json", "--show-passwords", "--version=2.1", "d://u:p@ss@h/db"
    )[1]
    assert json.loads(row)["parts"]["host"] == "ss@h"
