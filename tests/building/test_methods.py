"""The methods of records are the functions."""

import pytest
from building_data import references
from hypothesis import given

import uriparse
from uriparse import ComponentError, parse

CALLS = {
    "child": ("b c", "/"),
    "with_segments": (["a", ""],),
    "with_name": ("..a",),
    "with_suffix": (".b",),
    "with_query": ({"a": "&"},),
    "add_query": ([("b", None)],),
    "set_query": ({"a": 5},),
    "without_query": ("a",),
    "redacted": (),
}


def outcome(function, *arguments):
    try:
        made = function(*arguments)
    except ComponentError as error:
        return str(error)
    return repr(made), str(made), made.grammar


@given(references())
def test_methods_are_functions(uri):
    for name, arguments in CALLS.items():
        function = getattr(uriparse, name)
        assert outcome(getattr(uri, name), *arguments) == outcome(function, uri, *arguments)
    assert outcome(lambda: uri.parent) == outcome(uriparse.parent, uri)
    assert uri / "a b" == uri.child("a b")


def test_what_the_slash_takes():
    uri = parse("http://h/a?q")
    assert str(uri / "b" / b"\xff" / parse("c/d")) == "http://h/a/b/%FF/c%2Fd?q"
    with pytest.raises(TypeError, match="a segment is a str, octets as bytes or a record, not int"):
        uri / 5
    with pytest.raises(ComponentError, match="does not name anything"):
        uri / ".."
    assert uri.redacted(query=["q"]) == uri
    assert str(parse("http://u@h?a=1").redacted(userinfo=False, query=["a"])) == (
        "http://u@h?a=REDACTED"
    )
