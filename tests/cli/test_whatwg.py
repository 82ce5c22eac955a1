"""`--whatwg`: texts as browsers read them, and what they change."""

import json

import pytest
from cases import each_case, sentence

import uriparse
from uriparse import whatwg


def test_parts_and_changes_are_shown(run):
    code, out, err = run("parse", "--whatwg", "HTTP:\\\\Example.com\\a b")
    assert (code, err) == (0, "")
    assert out.split("\n") == [
        "http://example.com/a%20b", "  scheme         http", "  host (domain)  example.com",
        "  path           /a%20b", "  changed 0-5: 'http:' (scheme state: lowercase)",
        "  changed 5-7: '//' (invalid-reverse-solidus)",
        "  changed 7-18: 'example.com' (domain to ASCII)",
        "  changed 18-19: '/' (invalid-reverse-solidus)",
        "  changed 20-21: '%20' (invalid-URL-unit)", "", "",
    ]  # fmt: skip


def test_json_has_all_of_it(run):
    code, out, _ = run("parse", "--whatwg", "--json", "http:h", "http://h:x")
    found, refused = map(json.loads, out.splitlines())
    assert code == 1
    assert (found["text"], found["href"], found["valid"]) == ("http:h", "http://h/", True)
    assert (found["host"], found["host_kind"], found["origin"]) == ("h", "domain", "http://h")
    assert found["changes"] == [
        {"begin": 5, "end": 5, "text": "//", "step": "special-scheme-missing-following-solidus"},
        {"begin": 6, "end": 6, "text": "/", "step": "path start state"},
    ]
    assert refused["valid"] is False
    assert (refused["error"]["cause"], refused["error"]["offset"]) == ("port-invalid", 9)


def test_what_browsers_refuse_is_pointed_at(run):
    code, out, err = run("parse", "--whatwg", "http://h:x/")
    assert (code, out) == (1, "")
    assert err.split("\n")[:3] == [
        "error: port-invalid: the port is not a number (offset 9)", "  http://h:x/", "           ^",
    ]  # fmt: skip


def test_bases(run):
    assert run("parse", "--whatwg", "--base", "http://h/a/b", "..\\c")[1].startswith("http://h/c\n")
    code, _, err = run("parse", "--whatwg", "--base", "b", "a")
    assert (code, err.partition("\n")[0].partition(":")[0]) == (2, "--base")
    code, _, err = run("parse", "--base", "http://h", "a")
    assert (code, "--base is for --whatwg" in err) == (2, True)


def test_no_password_is_shown(run):
    for form in ((), ("--json",)):
        text = "http:\\\\u:can\taryé@h/ a"
        shown = "".join(run("parse", "--whatwg", *form, text)[1:])
        assert "***" in shown
        assert not {"canary", "can", "%C3%A9"} & set(
            shown.replace("@", " ").replace(":", " ").split()
        )
        assert "ary" not in shown


def test_get_takes_what_browsers_do(run):
    assert run("get", "--whatwg", "-f", "{host} {path}", "HTTP:\\\\H\\a b") == (0, "h /a%20b\n", "")
    code, _, err = run("get", "--whatwg", "-f", "{host}", "http://h/a|b")
    assert (code, sentence("excluded", '"|"') in err) == (1, True)


@each_case(
    "query", ["a|b&id=4", "^`[x]{y}=%7C&id=%zz", "id=%FF%&%", "id=caf%C3%A9+\\", "%4&id=|#?"]
)
def test_queries_are_read_as_browsers_read_forms(run, query):
    found = whatwg.form_pairs(whatwg.parse(f"http://h/?{query}").query)
    made = run("get", "--whatwg", "-f", "{query[id]}", f"http://h/?{query}")
    assert made == (0, f"{dict(found)['id']}\n", "")


@pytest.mark.slow
def test_it_is_a_peer_that_needs_nothing_else(run):
    _, out, _ = run("diff", "--json", "http:\\\\H\\a")
    answers = json.loads(out)["readers"]
    (own,) = [one for one in answers if one["name"] == "whatwg (this library)"]
    assert (own["host"], own["target"]) == ("h", "/a")


@pytest.mark.parametrize(
    "how", [[], ["--warnings"], ["--jobs=2"], ["--summary", "--format=ndjson"]]
)
def test_the_command_judges_what_browsers_read_as_python_does(run, tmp_path, how):
    texts = ["HTTP:127.1/", "https:\\\\example.com\\a b", "http://h:x", "a/b", "http://u:p@h.com/"]
    (tmp_path / "urls.txt").write_text("\n".join(texts))
    code, out, _ = run("validate", "--whatwg", "--file", str(tmp_path / "urls.txt"), *how)
    reports = [uriparse.validate(text, reading="whatwg") for text in texts]
    assert code == 1
    if "--format=ndjson" in how:
        found = [json.loads(line) for line in out.splitlines()[: len(texts)]]
        assert [one["text"] for one in found] == [report.text for report in reports]
        assert [one["accepted"] for one in found] == [report.accepted for report in reports]
    else:
        rows = [line.split("\t") for line in out.splitlines()]
        assert [(row[0] == "ok", row[2]) for row in rows] == [
            (report.accepted, report.text) for report in reports
        ]


def test_what_is_good_is_written_as_browsers_read_it(run, tmp_path):
    good = tmp_path / "good.txt"
    text = "https:\\\\example.com\\a b"
    assert run("validate", "--whatwg", "-q", "--good", str(good), text)[0] == 0
    assert good.read_text() == f"{whatwg.parse(text).href}\n"
    assert run("validate", "--whatwg", "-c", text, "http://h:x")[1] == "accepted 1\nrefused 1\n"
    out = run("validate", "--whatwg", "--column=1", "--out=t.csv", "--file=urls.csv")[2]
    assert "--whatwg is for lines, and --out is for a table; leave one out" in out
