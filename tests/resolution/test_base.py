"""Where a base comes from, in the order of RFC 3986 section 5.1, and with what provenance."""

from __future__ import annotations

import copy
import pickle

import pytest
from cases import tables

from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.parsing import parse
from uriparse.resolution import resolve
from uriparse.resolution.base import BaseURI, base_uri

TABLES = tables(__file__)

SOURCES = {
    "embedded": "http://e/", "enclosing": "http://p/", "retrieval": "http://r/",
    "default": "http://d/",
}  # fmt: skip


@pytest.mark.parametrize("left_out", range(4))
def test_the_innermost_source_wins(left_out):
    known = dict(list(SOURCES.items())[left_out:])
    base = base_uri(**known)
    source = next(iter(known))
    assert (str(base), base.source, base.outer) == (known[source], source, None)
    assert base.uri == parse(known[source])


def test_nothing_known():
    message = "^no base URI: nothing embedded, no enclosing entity, no retrieval URI, no default$"
    for known in ({}, {"enclosing": ()}, {"enclosing": (None, None)}, {"retrieval": ()}):
        with pytest.raises(ResolutionError, match=message):
            base_uri(**known)


def test_fragments_are_dropped_everywhere():
    for source in SOURCES:
        assert str(base_uri(**{source: "http://a/b?q#f"})) == "http://a/b?q"
    assert str(base_uri(embedded="c#f", retrieval="http://a/b#g")) == "http://a/c"
    assert str(base_uri(embedded="", retrieval="http://a/b#g")) == "http://a/b"


def test_a_relative_embedded_base_is_resolved_against_the_next_one():
    base = base_uri(embedded="sub/", retrieval="http://r/a/b")
    assert (str(base), base.source) == ("http://r/a/sub/", "embedded")
    assert (str(base.outer), base.outer.source) == ("http://r/a/b", "retrieval")
    assert str(resolve(base.uri, "x")) == "http://r/a/sub/x"


def test_enclosing_entities_recursively():
    base = base_uri(
        embedded="e/", enclosing=[None, "part/", None, "http://m/archive/"], retrieval="http://r/"
    )
    assert str(base) == "http://m/archive/part/e/"
    chain = []
    while base is not None:
        chain.append(base.source)
        base = base.outer
    assert chain == ["embedded", "enclosing", "enclosing"]


def test_entities_that_state_nothing_pass_the_base_on():
    assert base_uri(enclosing=[None, None], retrieval="http://r/").source == "retrieval"
    base = base_uri(enclosing="part/", retrieval="http://r/a/")
    assert (str(base), base.source, base.outer.source) == (
        "http://r/a/part/", "enclosing", "retrieval",
    )  # fmt: skip


def test_the_base_of_the_entity_around_it():
    parent = base_uri(retrieval="http://p/dir/m")
    base = base_uri(enclosing=parent)
    assert (str(base), base.source, base.outer) == ("http://p/dir/m", "enclosing", parent)
    assert base_uri(embedded="x", enclosing=parent).outer.outer == parent


@pytest.mark.parametrize(("chain", "expected"), [
    (["http://r1/", "http://r2/x"], "http://r2/x"),
    (["http://r1/a/b", "../c", "d#f"], "http://r1/d"), (["http://r1/"], "http://r1/"),
    ([parse("http://r1/"), "//r2"], "http://r2"),
])  # fmt: skip
def test_the_last_redirect_counts(chain, expected):
    base = base_uri(retrieval=chain)
    assert (str(base), base.source, base.outer) == (expected, "retrieval", None)


@pytest.mark.parametrize(("known", "message"), TABLES["nothing_absolute"])
def test_nothing_absolute(known, message):
    with pytest.raises(ResolutionError, match=message):
        base_uri(**known)


def test_invalid_bases_are_not_repaired():
    with pytest.raises(URISyntaxError):
        base_uri(embedded=" http://a/", retrieval="http://b/")


def test_a_message_without_any_base():
    base = base_uri(embedded="images/", default="thismessage:/")
    assert str(base) == "thismessage:/images/"


def test_a_base_is_a_value():
    base = base_uri(embedded="x", retrieval="http://a/")
    assert base == copy.copy(base) == pickle.loads(pickle.dumps(base))
    assert len({base, BaseURI(base.uri, "embedded", base.outer)}) == 1
    with pytest.raises(AttributeError):
        base.uri = parse("x:")


DEEP = 20_000
"""Far beyond what may recurse."""


@pytest.mark.slow
def test_bases_that_stand_in_each_other_are_values_at_any_depth():
    chain = ["b/", *["../c/"] * DEEP]
    base, same = (base_uri(enclosing=chain, default="http://a/x/") for _ in range(2))
    other = base_uri(enclosing=chain, default="http://b/x/")
    assert base is not same
    assert base == same != other
    assert base != base.outer != same
    assert hash(base) == hash(same)
    assert pickle.loads(pickle.dumps(base)) == base
    assert copy.copy(base) is copy.deepcopy(base) is base
    shown = repr(base)
    assert shown.startswith("BaseURI(uri=<URI 'http://a/c/b/'>, source='enclosing', outer=Base")
    assert shown.endswith(f", source='default', outer=None{')' * (DEEP + 2)}")


def test_bases_differ_by_uri_by_source_and_by_what_is_around_them():
    uri, more = parse("http://a/"), parse("http://a/b")
    base = BaseURI(uri, "embedded", BaseURI(more, "retrieval"))
    different = [
        BaseURI(more, "embedded", base.outer), BaseURI(uri, "enclosing", base.outer),
        BaseURI(uri, "embedded"), BaseURI(uri, "embedded", BaseURI(more, "default")),
        BaseURI(uri, "embedded", BaseURI(more, "retrieval", base.outer)),
    ]  # fmt: skip
    assert all(base != other != base for other in different)
    assert len({base, *different}) == 1 + len(different)
    assert base == BaseURI(uri, "embedded", BaseURI(more, "retrieval"))
    assert base != (uri, "embedded", base.outer)
