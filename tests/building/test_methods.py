"""Methods change a record; names below the front say where they are."""

from importlib import import_module

import pytest
from building_data import references
from cases import each_case
from hypothesis import given

import uriparse
from uriparse import ComponentError, parse
from uriparse._base.migration_hints import foreign_names


@given(references())
def test_what_operators_and_methods_share(uri):
    assert uri / "a b" == uri.child("a b")
    assert uri.redact() == uriparse.redact(uri)


@each_case("name", sorted(foreign_names("modules")))
def test_names_below_the_front_say_where_they_are(name):
    with pytest.raises(AttributeError) as caught:
        getattr(uriparse, name)
    module, _, last = str(caught.value).rpartition(": use ")[2].rpartition(".")
    assert last == name
    assert hasattr(import_module(module), name)


def test_what_the_slash_takes():
    uri = parse("http://h/a?q")
    assert str(uri / "b" / b"\xff" / parse("c/d")) == "http://h/a/b/%FF/c%2Fd?q"
    with pytest.raises(
        TypeError, match="a segment must be a str, octets as bytes or a record, not int"
    ):
        uri / 5
    with pytest.raises(ComponentError, match="does not name anything"):
        uri / ".."
    assert uri.redact(names=["q"]) == uri
    assert str(parse("http://u@h?a=1").redact(userinfo=False, names=["a"])) == (
        "http://u@h?a=REDACTED"
    )
