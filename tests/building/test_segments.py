"""Paths changed by segments of data: the data comes back, and all else stays as it is written."""

import pytest
from building_data import NAMES, references, same
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import URI, ComponentError, URIReference, parse, unquote

TABLES = tables(__file__)

DOTS = [".", "..", b".", b"..", bytearray(b"..")]


def around(record):
    """All of a record but its path."""
    return record.scheme, record.authority, record.query, record.fragment, record.grammar


@given(references(), NAMES)
def test_the_last_segment_of_a_child_is_the_data(uri, name):
    made = same(uri.child(name))
    assert unquote(made.segments[-1]) == name
    assert around(made) == around(uri)
    assert made.path.startswith(uri.path)


@given(references(), st.lists(NAMES, min_size=1, max_size=4))
def test_children_are_the_last_segments(uri, names):
    made = same(uri.child(*names))
    assert [unquote(segment) for segment in made.segments[-len(names) :]] == names
    assert around(made) == around(uri)


@given(references(), st.lists(NAMES, max_size=4))
def test_segments_are_the_data(uri, names):
    made = same(uri.with_segments(names))
    segments = [unquote(segment) for segment in made.segments]
    assert segments in (names, [".", *names])
    assert around(made) == around(uri)


@given(references(), NAMES)
def test_parent_undoes_child(uri, name):
    if not uri.path or uri.path.endswith("/"):
        uri = uri.child("a")
    assert same(uri.child(name).parent) == uri


@given(references(), NAMES)
def test_a_name_takes_the_place_of_the_last_segment(uri, name):
    try:
        made = same(uri.with_name(name))
    except ComponentError:
        assert uri.segments[-1] in {".", ".."}
        return
    assert unquote(made.segments[-1]) == name
    assert around(made) == around(uri)
    assert made.segments[:-1] in (uri.segments[:-1], (".", *uri.segments[:-1]))


@given(references(iri=True), st.text("éü例ab"))
def test_iris_keep_their_characters(uri, name):
    assert uri.child(name).segments[-1] == name


@each_case("dots", DOTS)
@each_case("function", [
    URIReference.child, lambda uri, dots: uri.child("a", dots, "b"),
    lambda uri, dots: uri.with_segments(["a", dots]), URIReference.with_name,
])  # fmt: skip
@each_case("uri", ["http://h/a/b", "a", "urn:a"])
def test_dots_are_no_data(function, dots, uri):
    with pytest.raises(ComponentError, match=r"the segment .* does not name anything") as caught:
        function(parse(uri), dots)
    assert (caught.value.component, caught.value.offset) == ("path", 0)
    assert caught.value.value in {".", ".."}


def test_what_only_looks_like_dots_is_data():
    assert (
        str(parse("http://h/a").child("%2e%2e", "...", "../b"))
        == "http://h/a/%252e%252e/.../..%2Fb"
    )


@each_case(("uri", "segments", "made"), TABLES["children"])
def test_children(uri, segments, made):
    assert str(same(parse(uri).child(*segments))) == made


@each_case(("uri", "above"), TABLES["parents"])
def test_parents(uri, above):
    assert str(same(parse(uri).parent)) == above


@pytest.mark.parametrize(
    ("uri", "offset"),
    [("http://h/a/..", 3), ("http://h/.", 1), ("http://h/a/%2E%2e", 3), ("..", 0), ("", 0)],
)
def test_what_lies_above_dots_is_not_guessed(uri, offset):
    functions = (
        [URIReference.parent.fget]
        if not uri
        else [URIReference.parent.fget, lambda u: u.with_name("x")]
    )
    for function in functions:
        with pytest.raises(ComponentError, match="resolve or normalize the reference") as caught:
            function(parse(uri))
        assert (caught.value.component, caught.value.offset) == ("path", offset)


@pytest.mark.parametrize(("uri", "suffix", "made"), TABLES["suffixes"])
def test_suffixes(uri, suffix, made):
    assert str(same(parse(uri).with_suffix(suffix))) == made


@pytest.mark.parametrize(("uri", "suffix", "words"), TABLES["no_suffixes"])
def test_no_suffixes(uri, suffix, words):
    with pytest.raises(ComponentError, match=words):
        parse(uri).with_suffix(suffix)


def test_classes_and_the_very_record_stay():
    uri = parse("http://h/a")
    assert type(uri.child("b")) is URI
    assert uri.child() is uri
