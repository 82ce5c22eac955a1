"""Pairs are decoded all at once, and come out, or fail, as if each were decoded by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import EncodingError, percent, query_pairs, unquote

SOUND = [*"a=&;+é", "%41", "%26", "%3D", "%3d", "%3B", "%2B", "%C3%A9", "%c3%a9", "b=c&"]
UNSOUND = ["%C3", "%A9", "%FE", "%FF", "%fd", "%zz", "%4", "%", "\ud800", "%ED%A0%80", "\udcfe"]
WAYS = st.tuples(st.booleans(), st.sampled_from(["&", ";", "&;"]))
QUERIES = st.lists(st.sampled_from(SOUND)) | st.lists(st.sampled_from(SOUND + UNSOUND))


def one_by_one(query, *, plus, separator):
    def read(text):
        unquote(text)
        return " ".join(map(unquote, text.split("+"))) if plus else unquote(text)

    for character in separator:
        query = query.replace(character, "\n")
    result = []
    for pair in query.split("\n"):
        if pair:
            name, equals, value = pair.partition("=")
            result.append((read(name), read(value) if equals else None))
    return tuple(result)


def outcome(function, query, way):
    plus, separator = way
    try:
        return function(query, plus=plus, separator=separator)
    except EncodingError as error:
        return str(error), error.text, error.offset


@given(QUERIES.map("".join), WAYS)
def test_pairs_are_those_of_decoding_one_by_one(query, way):
    assert outcome(percent.decoded_pairs, query, way) == outcome(one_by_one, query, way)


@given(QUERIES.map("".join), WAYS)
def test_a_fault_among_many_pairs_is_found_as_among_few(query, way):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(percent, "_FEW", 2)
        assert outcome(percent.decoded_pairs, query, way) == outcome(one_by_one, query, way)


def test_the_default_is_what_forms_write():
    assert query_pairs(query="a+b=1;c&%2B=%20") == (("a b", "1;c"), ("+", " "))
    assert query_pairs(query="a&b;c=%26+", separator=";") == (("a&b", None), ("c", "& "))


@pytest.mark.parametrize("separator", ["", ",", "&&", ";&", "; "])
def test_other_separators_are_refused(separator):
    with pytest.raises(ValueError, match=r'^separator is "&", ";" or "&;", not '):
        query_pairs(query="a", separator=separator)
