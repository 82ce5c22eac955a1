"""Pairs are decoded all at once, and come out, or fail, as if each were decoded by itself."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import EncodingError, parse, percent, query_pairs, unquote

SOUND = [*"a=&;+é", "%41", "%26", "%3D", "%3d", "%3B", "%2B", "%C3%A9", "%c3%a9", "b=c&"]
UNSOUND = ["%C3", "%A9", "%FE", "%FF", "%fd", "%zz", "%4", "%", "\ud800", "%ED%A0%80", "\udcfe"]
WAYS = st.tuples(st.booleans(), st.sampled_from(["&", ";", "&;"]))
QUERIES = st.lists(st.sampled_from(SOUND)) | st.lists(st.sampled_from(SOUND + UNSOUND))


def one_by_one(query, *, plus, separator):
    def read_at(text, at):
        try:
            unquote(text)
        except EncodingError as error:
            raise EncodingError(str(error), text=query, offset=at + error.offset) from None
        return " ".join(map(unquote, text.split("+"))) if plus else unquote(text)

    for character in separator:
        query = query.replace(character, "\n")
    result, at = [], 0
    for pair in query.split("\n"):
        if pair:
            name, equals, value = pair.partition("=")
            first = read_at(name, at)
            result.append((first, read_at(value, at + len(name) + 1) if equals else None))
        at += len(pair) + 1
    return tuple(result)


def outcome(function, query, way):
    plus, separator = way
    try:
        return function(query, plus=plus, separator=separator)
    except EncodingError as error:
        return error.offset


@given(QUERIES.map("".join), WAYS)
def test_pairs_are_those_of_decoding_one_by_one(query, way):
    assert outcome(percent.decoded_pairs, query, way) == outcome(one_by_one, query, way)


@given(QUERIES.map("".join).filter(lambda query: query.isprintable()))
def test_what_is_not_utf8_is_read_as_by_the_standard_library(query):
    read = parse_qsl(query, keep_blank_values=True, errors="replace")
    pairs = query_pairs(query=query, errors="replace")
    assert [(name, value or "") for name, value in pairs] == read


def test_the_error_names_the_pair_and_its_place():
    reason = r"^query, value of 'b': %FF at offset 6 is not valid utf-8; errors="
    record = parse("?a=1&b=%FF")
    for read in (lambda: record.query_pairs, lambda: record.query_value("b")):
        with pytest.raises(EncodingError, match=reason) as caught:
            read()
        assert (caught.value.text, caught.value.offset) == ("a=1&b=%FF", 6)


def test_the_default_is_what_forms_write():
    assert query_pairs(query="a+b=1;c&%2B=%20") == (("a b", "1;c"), ("+", " "))
    assert query_pairs(query="a&b;c=%26+", separator=";") == (("a&b", None), ("c", "& "))


@pytest.mark.parametrize("separator", ["", ",", "&&", ";&", "; "])
def test_other_separators_are_refused(separator):
    with pytest.raises(ValueError, match=r'^separator must be "&", ";" or "&;", not '):
        query_pairs(query="a", separator=separator)
