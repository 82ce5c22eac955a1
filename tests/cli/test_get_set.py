"""`uriparse get` and `uriparse set`: parts of references, out and in."""

import json
from argparse import ArgumentTypeError

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import parse
from uriparse.cli.get_command import FIELDS, KEYED, filler, read_template
from uriparse.cli.set_command import COMPONENTS, REMOVABLE

TABLES = tables(__file__)

WHOLE = "https://u:pw@Example.com:8443/a/b%20c?q=1%202&r;q=3#f"


@each_case(("template", "text", "expected"), TABLES["templates"])
def test_templates(run, template, text, expected):
    code, out, err = run("get", "-f", template, text)
    if expected is None:
        assert (code, out) == (2, "")
        assert "there is no field host.__class__; did you mean host?" not in out
        assert "error: argument -f/--format: there is no field host.__class__" in err
    else:
        assert (code, out, err) == (0, f"{expected}\n", "")


def test_how_a_query_is_read_is_the_caller_s_to_say(run):
    text = "x:?q=1+2;r=%2B;p+q=3"
    for options, template, expected in [
        ((), "{query[q]}", "1 2;r=+;p q=3"),
        (("--separator=&;",), "{query[q]} {query[r]} {query[p q]}", "1 2 + 3"),
    ]:
        assert run("get", *options, "-f", template, text) == (0, f"{expected}\n", "")
    options = ("--separator=;", "--set-query", "q=1 2", "--remove-query")
    assert run("set", *options, "p q", text) == (0, "x:?q=1+2;r=%2B\n", "")


@each_case(("template", "message"), TABLES["templates_that_are_none"])
def test_templates_that_are_none(run, template, message):
    with pytest.raises(ArgumentTypeError) as caught:
        read_template(template)
    assert message in str(caught.value)
    code, out, err = run("get", "-f", template, "x:")
    assert (code, out) == (2, "")
    assert message in err


@given(st.text(alphabet="{}[]|\\hostquery01-.", max_size=20))
def test_a_template_is_read_or_refused(text):
    try:
        template = read_template(text)
    except ArgumentTypeError:
        return
    filler(template)(parse(WHOLE))


@given(st.text())
def test_what_is_doubled_stands_for_itself(text):
    doubled = text.replace("\\", "\\\\").replace("{", "{{").replace("}", "}}")
    assert filler(read_template(doubled))(parse("x:")) == text


def test_every_field_is_one_of_a_record():
    record = parse(WHOLE)
    for name in FIELDS:
        assert name == "text" or hasattr(record, name)
    assert set(KEYED) < set(FIELDS)


def test_get_keeps_line_for_line_and_tells_json(run):
    code, out, err = run("get", "-f", "{host|-}", stdin=b"//a\na b\nx:\n")
    assert (code, out) == (1, "a\n-\n")
    assert err.startswith("line 2: error: ")
    assert err.endswith("; invalid: a b\n")
    code, out, err = run("get", "--json", "-f", "{host|-} {query[q]}", "x:?q=1")
    row = json.loads(out)
    assert row["fields"] == {"host": None, "query[q]": "1"}
    assert (code, err) == (0, "")


@each_case(("options", "expected"), TABLES["what_is_not_named_stays"])
def test_what_is_not_named_stays(run, options, expected):
    assert run("set", *options, WHOLE) == (0, f"{expected}\n", "")
    assert run("set", *options, stdin=f"{WHOLE}\n".encode()) == (0, f"{expected}\n", "")


@each_case("name", [name for name in COMPONENTS if name != "path"])
def test_a_component_that_is_none_ends_the_run(run, name):
    code, out, err = run("set", f"--{name}", "a b[", "x://h", "y://h")
    assert (code, out) == (2, "")
    assert err.startswith(f"--{name}: error: {name}: ")


def test_a_reference_that_cannot_have_the_part_is_told(run):
    code, out, err = run("set", "--port", "1", stdin=b"x:a\nx://h\n")
    assert (code, out) == (1, "x://h:1\n")
    assert err.startswith("line 1: error: port: ")


def test_what_can_be_taken_away_is_what_may_be_absent():
    record = parse("x:")
    assert {name for name in REMOVABLE if name != "scheme"} == {
        name for name in (*COMPONENTS, "authority") if getattr(record, name) is None
    } - {"host"}


@each_case(("options", "expected"), TABLES["data_is_encoded_and_what_is_not_named_stays"])
def test_data_is_encoded_and_what_is_not_named_stays(run, options, expected):
    base = "https://u:pw@Example.com:8443"
    assert run("set", *options, WHOLE) == (0, f"{base}{expected}\n", "")


def test_data_that_is_a_way_up_is_refused(run):
    code, out, err = run("set", "--child", "..", "http://h/a")
    assert (code, out) == (1, "")
    assert err.startswith("error: ")


@each_case(("template", "expected"), TABLES["views"])
def test_views(run, template, expected):
    options = ("--separator=&;", "-f", template)
    assert run("get", *options, WHOLE) == (0, f"{expected}\n".replace("\\t", "\t"), "")


def test_what_is_required_and_absent_is_an_error(run):
    code, out, err = run("get", "-f", "{query[q]:required|x}", stdin=b"x:?q=1\nx:?r\n")
    assert (code, out) == (1, "1\n")
    assert err.startswith("line 2: error: query: it is absent")


@each_case(("text", "expected"), TABLES["suffix_references"])
def test_suffix_references(run, text, expected):
    assert (
        run("get", "--suffix=ftp", "-f", "{text}", "--show-passwords", text)[1] == f"{expected}\n"
    )
    assert run("set", "--suffix=ftp", text) == (0, f"{expected}\n", "")


@each_case(("options", "expected"), TABLES["data_of_users_and_queries"])
def test_data_of_users_and_queries(run, options, expected):
    assert run("set", *options, "x://h") == (0, f"{expected}\n", "")


@each_case(("field", "shown"), [("{query[q]}", "%FF"), ("{query[q]:all}", "%FF"),
                                ("{query_pairs}", "a\tq=%FF")])  # fmt: skip
def test_an_error_of_a_pair_names_a_field_that_reads_it(run, field, shown):
    advised = run("get", "-f", field, "http://h/?a&q=%FF")[2].partition("; ")[2].split(" ")[0]
    assert run("get", "-f", advised, "http://h/?a&q=%FF") == (0, f"{shown}\n", "")
