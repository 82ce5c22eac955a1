"""Queries of pairs: they are read back, and the pairs that are not named stay as written."""

import pytest
from building_data import PAIRS, TEXTS, references, same
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import ComponentError, EncodingError, parse, query_pairs
from uriparse.building import query_string

TABLES = tables(__file__)


def around(record):
    """All of a record but its query."""
    return record.scheme, record.authority, record.path, record.fragment, record.grammar


@given(PAIRS, st.sampled_from(["rfc3986", "rfc3987"]), st.booleans())
def test_pairs_are_read_back(pairs, grammar, plus):
    query = query_string(pairs, grammar=grammar)
    assert query_pairs(query=query, plus=plus) == tuple(pairs)
    assert query.isascii() or grammar == "rfc3987"


@given(references(), PAIRS)
def test_a_query_of_pairs_takes_the_place_of_any(uri, pairs):
    made = same(uri.with_query(pairs))
    assert query_pairs(made) == tuple(pairs)
    assert (made.query is None) == (not pairs)
    assert around(made) == around(uri)


@given(references(), PAIRS)
def test_pairs_are_added_behind(uri, pairs):
    made = same(uri.add_query(pairs))
    assert query_pairs(made) == query_pairs(uri) + tuple(pairs)
    assert (made.query or "").startswith(uri.query or "")
    assert around(made) == around(uri)


@given(references(), PAIRS)
def test_pairs_of_a_name_are_exchanged(uri, pairs):
    made = same(uri.set_query(pairs))
    names = {name for name, _ in pairs}
    found = query_pairs(made)
    assert [pair for pair in found if pair[0] not in names] == [
        pair for pair in query_pairs(uri) if pair[0] not in names
    ]
    for name in names:
        assert [p for p in found if p[0] == name] == [p for p in pairs if p[0] == name]
    assert around(made) == around(uri)
    assert made is uri or pairs


@given(references(), st.lists(st.sampled_from(["a", "b", "A", "", "é"]) | TEXTS, min_size=1))
def test_pairs_of_a_name_go(uri, names):
    made = same(uri.without_query(*names))
    kept = tuple(pair for pair in query_pairs(uri) if pair[0] not in names)
    assert query_pairs(made) == kept
    assert around(made) == around(uri)
    assert made is uri or kept != query_pairs(uri)


@given(references().filter(lambda uri: uri.query))
def test_pairs_stay_as_they_are_written_when_another_comes_and_goes(uri):
    assert uri.without_query("new") is uri
    if not uri.query.endswith(("&", ";")):  # an empty last pair makes room for the new one
        assert uri.add_query({"new": "1"}).without_query("new").query == uri.query


@each_case(("method", "uri", "argument", "made"), [
    ("add_query", "http://h", {"a": 1}, "http://h?a=1"),
    ("add_query", "http://h?", {"a": None}, "http://h?a"),
    ("add_query", "http://h?b&", {"a": "x y"}, "http://h?b&a=x%20y"),
    ("add_query", "http://h?b;", {"a": ""}, "http://h?b;&a="),
    ("add_query", "http://h?%7e#f", [(b"\xff", b"\xfe")], "http://h?%7e&%FF=%FE#f"),
    ("set_query", "http://h?a=1;b=%7e&a=2", {"a": "3"}, "http://h?a=3"),
    ("set_query", "http://h?%61=1&b", [("a", "1"), ("a", "2")], "http://h?%61=1&a=2&b"),
    ("set_query", "http://h?a+b=1&a%20b=2", {"a b": "3"}, "http://h?a%20b=3"),
    ("set_query", "http://h?a+b=x+y&c", {"a b": "x y"}, "http://h?a+b=x+y&c"),
    ("with_query", "http://h?a=x+y&%61=%7e", [("a", "~")] * 2, "http://h?%61=%7e&a=~"),
    ("with_query", "http://h?a=+&&b;", [("a", " "), ("b;", None)], "http://h?a=+&&b;"),
    ("with_query", "http://h?a=+", [("a", "+")], "http://h?a=%2B"),
    ("with_query", "http://h?&&", [], "http://h"),
    ("with_query", "http://h?%ff=+&a=+", [(b"\xff", " "), ("a", b"\xfe")], "http://h?%ff=+&a=%FE"),
    ("with_query", "http://h?a=+&%fe", [("a", " "), (b"\xfe", None)], "http://h?a=+&%fe"),
    ("set_query", "http://h?b", {"a": "1"}, "http://h?b&a=1"),
    ("set_query", "http://h?%FF=1", {b"\xff": "2"}, "http://h?%FF=2"),
    ("with_query", "http://h?b#f", {}, "http://h#f"),
    ("with_query", "http://h?b", [["a", -1]], "http://h?a=-1"),
])  # fmt: skip
def test_changes(method, uri, argument, made):
    assert str(same(getattr(parse(uri), method)(argument))) == made


@each_case(("uri", "names", "made"), TABLES["pairs_taken_out"])
def test_pairs_taken_out(uri, names, made):
    assert str(same(parse(uri).without_query(*names))) == made


def test_iris_keep_their_characters():
    iri = parse("http://é/?é=1", "IRI", grammar="rfc3987")
    assert str(iri.set_query({"é": "ü\ue000 "})) == "http://é/?é=ü\ue000%20"
    assert str(parse("http://h/?%C3%A9=1").set_query({"é": "ü"})) == "http://h/?%C3%A9=%C3%BC"


def test_no_pairs():
    with pytest.raises(ComponentError, match="has no text; give it the value") as caught:
        query_string([("a", "b"), ("", None)])
    assert caught.value.component == "query"
    with pytest.raises(ComponentError, match="more than 20 digits"):
        query_string({"a": -(10**5000)})
    with pytest.raises(EncodingError, match="cannot be encoded"):
        query_string([("a", "\ud800")])
    for wrong in ["a=b", [("a",)], [("a", ["b"])], [("a", "b", "c")], ["ab"], 5]:
        with pytest.raises(TypeError, match=r"^(pairs|a pair|a value|each pair) must be "):
            query_string(wrong)


def test_values_of_several_types():
    """As yarl writes lists and floats, and httpx bools."""
    assert query_string({"a": [1, "x y"], "b": (), "c": 1.5}) == "a=1&a=x%20y&c=1.5"
    assert (
        query_string({"a": True, "b": [False, None], "c": 1e300}) == "a=true&b=false&b&c=1e%2B300"
    )
    for value in (float("nan"), float("inf")):
        with pytest.raises(ComponentError, match=r"^query: (nan|inf) is not a number"):
            query_string({"a": value})


def test_pairs_by_name():
    uri = parse("http://h/?a=1&b=2")
    assert str(uri.with_query(q="x", n=[1, 2])) == "http://h/?q=x&n=1&n=2"
    assert str(uri.with_query([("a", "1")], a=3)) == "http://h/?a=1&a=3"
    assert str(uri.with_query({"c": [4, 5]}, d=None)) == "http://h/?c=4&c=5&d"
    assert str(uri.add_query(c=True)) == "http://h/?a=1&b=2&c=true"
    assert str(uri.set_query(a=9)) == "http://h/?a=9&b=2"
    assert str(uri.with_query()) == "http://h/"
    assert uri.add_query() is uri is uri.set_query()


def test_pairs_are_sorted_without_a_value_first():
    pairs = query_pairs(query="b&a=1&a&a=&c&a=0")
    found = sorted(pairs)
    assert found == [("a", None), ("a", ""), ("a", "0"), ("a", "1"), ("b", None), ("c", None)]
    assert sorted(pairs, reverse=True) == found[::-1]
    assert pairs[0] == ("b", None)
    assert {("b", None): 1}[pairs[0]] == 1
    assert repr(pairs[0]) == "('b', None)"
    with pytest.raises(TypeError):
        assert pairs[0] < 5


@pytest.mark.parametrize(("pairs", "told"), [
    ("a=b", "pairs must be an iterable of pairs, such as query_pairs(query=text), or a mapping"),
    ([("a",)], "each pair must be (name, value); one has 1 items"),
    ([["a", "b", "c"]], "each pair must be (name, value); one has 3 items"),
    ([("a", ["b"])],
     "a record or None (of several, each has a pair of its own, or a mapping has a list), n"),
    ({"a": {"b"}}, "or a mapping has a list), not set"),
    ({"a": 1j}, "a value must be a str, a number, octets as bytes, a record or None, not complex"),
])  # fmt: skip
def test_what_is_no_pair_is_told_what_one_is(pairs, told):
    with pytest.raises(TypeError) as caught:
        query_string(pairs)
    assert told in str(caught.value)
