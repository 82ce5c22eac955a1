"""Records agree with themselves, whatever kind of `str` their parts came in."""

import pickle
from inspect import signature

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from str_subclasses import STR_SUBCLASSES

from uriparse import (
    URI,
    Authority,
    Host,
    IPv4,
    IPv6,
    IPvFuture,
    RegName,
    RelativeRef,
    UnknownRuleError,
    URIError,
    URIReference,
    parse,
    rules,
    try_parse,
)
from uriparse.records import readers

WHOLE = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
COMPONENTS = ("scheme", "userinfo", "port", "path", "query", "fragment", "grammar")
SAMPLES = {
    "scheme": ["http", "X+1", "1a", ""], "userinfo": ["u", "u:p", "", "é", "a@b"],
    "host": ["h", "", "[::1]", "1.2.3.4", "[v1.a]", "é", "a:b"], "port": ["80", "", "8x"],
    "path": ["", "/", "/a//b", "a/b", "//x", "a:b", "/é", "a b"], "query": ["", "a=b", "é", "#"],
    "fragment": ["", "x", "é", "##"],
    "grammar": ["rfc3986", "rfc3987", "rfc1738", "rfc2396", "rfc9999"],
    "authority": ["u:p@h:80", "[::1]", "", "é", "a b"],
}  # fmt: skip


def drawn(name):
    """A part as some subclass of str, often one that fits, or anything."""
    texts = st.sampled_from(SAMPLES[name]) | st.text("aé:/?#[]@%1 ", max_size=5)
    return st.builds(lambda kind, text: kind(text), st.sampled_from([str, *STR_SUBCLASSES]), texts)


def arguments(*names, needed=()):
    optional = {name: drawn(name) for name in names if name not in needed}
    return st.fixed_dictionaries({name: drawn(name) for name in needed}, optional=optional)


BARE = ("scheme", "path", "query", "fragment", "grammar")
PARTS = st.one_of(
    arguments(*BARE), arguments(*BARE, "authority"), arguments(*BARE, "userinfo", "host", "port")
)


def agrees_with_itself(record):
    """The text of a record gives the record again, and all that it holds is a `str` proper."""
    text = str(record)
    assert type(text) is str
    again = parse(text, WHOLE[record.grammar], grammar=record.grammar)
    assert again == record
    for name in COMPONENTS:
        value = getattr(record, name)
        assert value == getattr(again, name), name
        assert value is None or type(value) is str, name
    assert record.host == again.host
    assert record.authority == again.authority
    if record.authority is not None:
        assert type(str(record.authority)) is type(str(record.host)) is str
        assert str(record.authority) == str(again.authority)
    assert f"{record}" == text
    assert pickle.loads(pickle.dumps(record)) == record


def outcome(make, *args, **kwargs):
    try:
        return make(*args, **kwargs)
    except (URIError, TypeError) as error:
        return type(error), str(error)


def plain(parts):
    return {name: str.__str__(value) for name, value in parts.items()}


@given(PARTS)
def test_whatever_is_made_of_parts(parts):
    record = outcome(URIReference.from_parts, **parts)
    assert record == outcome(URIReference.from_parts, **plain(parts))
    if isinstance(record, URIReference):
        agrees_with_itself(record)


@given(arguments(*BARE, "authority", needed=["scheme"]))
def test_whatever_is_constructed(parts):
    for kind, given_parts in ((URI, parts), (RelativeRef, {**parts})):
        if kind is RelativeRef:
            given_parts.pop("scheme")
        record = outcome(kind, **given_parts)
        assert record == outcome(kind, **plain(given_parts))
        if isinstance(record, kind):
            agrees_with_itself(record)


@given(
    st.sampled_from(["http://u:p@h:8/a?b#c", "//h", "a", "x:y", "x:"]),
    arguments("scheme", "authority", "path", "query", "fragment")
    | arguments("scheme", "userinfo", "host", "port", "path", "query", "fragment"),
)
def test_whatever_is_replaced(text, parts):
    record = outcome(parse(text).replace, **parts)
    assert record == outcome(parse(text).replace, **plain(parts))
    if isinstance(record, URIReference):
        agrees_with_itself(record)


@given(arguments("userinfo", "host", "port", "grammar", needed=["userinfo", "host"]))
def test_whatever_is_an_authority(parts):
    authority = outcome(Authority, **parts)
    assert authority == outcome(Authority, **plain(parts))
    if isinstance(authority, Authority):
        grammar = parts.get("grammar", "rfc3986")
        record = URIReference.from_parts(authority=authority, grammar=grammar)
        assert record.authority == authority
        agrees_with_itself(record)


@pytest.mark.parametrize("kind", [Host, RegName, IPv4, IPv6, IPvFuture])
@given(text=drawn("host"), grammar=drawn("grammar"))
def test_whatever_is_a_host(kind, text, grammar):
    host = outcome(kind, text, grammar)
    assert host == outcome(kind, str.__str__(text), str.__str__(grammar))
    if isinstance(host, Host):
        assert type(str(host)) is type(host.text) is str
        assert host == kind(str(host), grammar) == kind(host, grammar)
        assert pickle.loads(pickle.dumps(host)) == host


@given(
    st.sampled_from(["http://u:p@h:8/a?b#c", "//h", "a", "x:y", "http://é/", "a b"]),
    st.sampled_from(STR_SUBCLASSES),
)
@pytest.mark.parametrize("grammar", sorted(WHOLE))
def test_whatever_is_parsed(grammar, text, kind):
    readers.reader.cache_clear()  # so that a name of a subclass would be the one that is kept
    for function in (parse, try_parse):
        record = outcome(function, kind(text), kind(WHOLE[grammar]), grammar=kind(grammar))
        assert record == outcome(function, text, WHOLE[grammar], grammar=grammar)
        if isinstance(record, URIReference):
            agrees_with_itself(record)


@each_case("grammar", ["rfc1738", "rfc2396"])
@each_case("make", [
    lambda grammar: URI(scheme="1a", grammar=grammar), lambda grammar: URI("x:", grammar=grammar),
    lambda grammar: RelativeRef(path="a", grammar=grammar),
    lambda grammar: URIReference.from_parts(scheme="x", path="a", grammar=grammar),
    lambda grammar: URIReference.from_parts(host="h", grammar=grammar),
    lambda grammar: Authority(None, "h", grammar=grammar), lambda grammar: RegName("h", grammar),
    lambda grammar: Host("h", grammar),
])  # fmt: skip
def test_a_grammar_without_references_makes_none(make, grammar):
    assert "scheme" in rules(grammar)
    with pytest.raises(UnknownRuleError) as caught:
        make(grammar)
    expected = f"no reference is made by the rules of {grammar}: try rfc3986 or rfc3987"
    assert str(caught.value) == expected


def test_a_host_of_a_class_of_ones_own_is_refused():
    class Own(RegName):
        __slots__ = ()

    with pytest.raises(URIError, match="host: the text is that of RegName, not of Own"):
        Own("h")


def test_every_part_is_drawn():
    assert {*signature(URIReference.from_parts).parameters} == {*SAMPLES}
