"""Pairs are decoded all at once, and come out, or fail, as if each were decoded by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import EncodingError, query_pairs, unquote
from uriparse.percent import pairs


def one_by_one(query, *, plus):
    if plus:
        query = query.replace("+", "%20")
    result = []
    for pair in query.replace(";", "&").split("&"):
        if pair:
            name, equals, value = pair.partition("=")
            result.append((unquote(name), unquote(value) if equals else None))
    return tuple(result)


def outcome(function, query, plus):
    try:
        return function(query, plus=plus)
    except EncodingError as error:
        return str(error), error.text, error.offset


SOUND = [*"a=&;+é", "%41", "%26", "%3D", "%3d", "%3B", "%2B", "%C3%A9", "%c3%a9", "b=c&"]
UNSOUND = ["%C3", "%A9", "%FE", "%FF", "%fd", "%zz", "%4", "%", "\ud800", "%ED%A0%80", "\udcfe"]
QUERIES = st.lists(st.sampled_from(SOUND)) | st.lists(st.sampled_from(SOUND + UNSOUND))


@given(QUERIES.map("".join), st.booleans())
def test_pairs_are_those_of_decoding_one_by_one(query, plus):
    assert outcome(query_pairs, query, plus) == outcome(one_by_one, query, plus)


@given(QUERIES.map("".join), st.booleans())
def test_a_fault_among_many_pairs_is_found_as_among_few(query, plus):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "_FEW", 2)
        assert outcome(query_pairs, query, plus) == outcome(one_by_one, query, plus)
