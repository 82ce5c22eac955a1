"""Quoting keeps what the component's rule allows; decoding undoes it once; faults have offsets."""

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import (
    ComponentError,
    EncodingError,
    UnknownRuleError,
    parse,
    parse_url,
    query_pairs,
    quote,
    unquote,
    unquote_to_bytes,
)
from uriparse.grammar import charset, matcher

TABLES = tables(__file__, bytearray=bytearray)

RULES = {
    "userinfo": "userinfo", "reg-name": "reg-name", "segment": "segment", "query": "query",
    "query-value": "query", "fragment": "fragment", "unreserved": "reg-name",
}  # fmt: skip
COMPONENTS = [*RULES, "path", "segment-nz-nc"]
assert RULES


@each_case(("data", "component", "quoted"), TABLES["quote"])
def test_quote(data, component, quoted):
    assert quote(data, component) == quoted


@pytest.mark.parametrize(("text", "plain"), TABLES["unquote"])
def test_unquote(text, plain):
    assert unquote(text) == plain
    assert unquote_to_bytes(text) == plain.encode()


@each_case(("text", "offset"), TABLES["malformed_triplets_have_offsets"])
def test_malformed_triplets_have_offsets(text, offset):
    for function in (unquote, unquote_to_bytes):
        with pytest.raises(EncodingError) as caught:
            function(text)
        assert caught.value.offset == offset
        assert caught.value.text == text
        assert f'"%" at offset {offset}' in str(caught.value)


@pytest.mark.parametrize(
    ("text", "offset", "message"), TABLES["octets_that_are_no_text_have_offsets"]
)
def test_octets_that_are_no_text_have_offsets(text, offset, message):
    with pytest.raises(EncodingError, match=message) as caught:
        unquote(text)
    assert caught.value.offset == offset


def test_other_encodings():
    assert quote("é", "path", encoding="latin-1") == "%E9"
    assert unquote("%E9é", encoding="latin-1") == "éé"
    assert unquote_to_bytes("é", encoding="latin-1") == b"\xe9"
    with pytest.raises(EncodingError, match="cannot be encoded in latin-1"):
        quote("a\u30a2", "path", encoding="latin-1")


def test_lone_surrogates_are_refused():
    with pytest.raises(EncodingError) as caught:
        quote("ab\ud800", "path")
    assert caught.value.offset == 2
    assert str(caught.value).isprintable()
    with pytest.raises(EncodingError):
        unquote_to_bytes("\ud800%41")


@pytest.mark.parametrize("component", ["scheme", "port", "host", "Path", ""])
def test_unknown_components(component):
    with pytest.raises(UnknownRuleError, match="segment-nz-nc"):
        quote("a", component)


def test_a_reference_stands_for_its_query():
    assert query_pairs(parse("http://h?x/?a=1&b=%26#c=2")) == (("x/?a", "1"), ("b", "&"))
    assert query_pairs(parse("/p?")) == query_pairs(parse("/p")) == ()
    assert query_pairs(parse_url("mailto:a@h?subject=b")) == (("subject", "b"),)


@pytest.mark.parametrize(
    "text",
    ["http://h/?a=1&b=%26#c=2", "?a=1&b=%26", "//h?a=1&b=%26", "/p=1?a=1&b=%26", "./c=1?a=1&b=%26"],
)
def test_a_text_is_a_reference(text):
    assert query_pairs(text) == query_pairs(text.encode()) == (("a", "1"), ("b", "&"))
    assert query_pairs(parse(text)) == query_pairs(query="a=1&b=%26") == query_pairs(text)


@pytest.mark.parametrize("text", ["", "a", "a/b=1", "/a=1", "x:a=1", "http://h", "#a=1", "?"])
def test_a_reference_without_a_query_has_no_pairs(text):
    assert query_pairs(text) == ()


@pytest.mark.parametrize("text", ["a=1&b=2", "b&a=1", "=", "a=/b", "a=1?b=2", b"a=1"])
def test_a_query_that_is_not_given_by_name_is_an_error(text):
    with pytest.raises(ComponentError, match="a query is given by name"):
        query_pairs(text)
    assert query_pairs(query=text)
    assert query_pairs(parse(text)) == (() if "?" not in str(parse(text)) else (("b", "2"),))


def test_a_reference_or_a_query_is_given():
    for arguments in ({}, {"reference": "", "query": ""}, {"query": None}):
        with pytest.raises(TypeError, match="give either a reference or query="):
            query_pairs(**arguments)


@each_case("component", COMPONENTS)
def test_kept_characters_are_the_grammar_s(component):
    kept = {chr(c) for c in range(0x110) if quote(chr(c), component) == chr(c)}
    rule = {"query-value": "query"}.get(component, component)
    assert kept == charset(rule) - set("&;=+" if component == "query-value" else "")


@each_case("component", COMPONENTS)
@given(data=st.one_of(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.binary()))
def test_what_is_quoted_fits_and_comes_back(component, data):
    quoted = quote(data, component)
    if component in RULES:
        assert matcher(RULES[component]).fullmatch(quoted)
    octets = data.encode() if isinstance(data, str) else data
    assert unquote_to_bytes(quoted) == octets
    if isinstance(data, str):
        assert unquote(quoted) == data


@given(st.text(alphabet="%4aGé1", max_size=12))
def test_decoding_refuses_or_keeps_the_octets(text):
    try:
        octets = unquote_to_bytes(text)
    except EncodingError as error:
        assert text[error.offset] == "%"  # noqa: PT017 - a law, both ways
        unquote_to_bytes(text[: error.offset])
    else:
        assert unquote_to_bytes(quote(octets, "unreserved")) == octets


@each_case(("query", "plus", "pairs"), TABLES["query_pairs"])
def test_query_pairs(query, plus, pairs):
    assert query_pairs(query=query, plus=plus) == tuple(map(tuple, pairs))


def test_query_pairs_refuse_malformed_triplets():
    with pytest.raises(EncodingError):
        query_pairs(query="a=%4")
