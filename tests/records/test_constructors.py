"""The constructors parse one text as `parse` does, or check components given by name."""

import ipaddress
from enum import IntEnum

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from uriparse import (
    URI,
    Authority,
    ComponentError,
    Host,
    IPv4,
    IPv6,
    RelativeRef,
    UnknownRuleError,
    URIError,
    URIReference,
    parse,
)

RULES = {
    (URIReference, "rfc3986"): "URI-reference", (URIReference, "rfc3987"): "IRI-reference",
    (URI, "rfc3986"): "URI", (URI, "rfc3987"): "IRI", (RelativeRef, "rfc3986"): "relative-ref",
    (RelativeRef, "rfc3987"): "irelative-ref",
}  # fmt: skip
TEXTS = ["http://u:p@h:80/a?b#c", "localhost", "//h", "", "a b", "x:", "http://é/", "é", b"x:", "%"]
TEXTS += [b"\xff", RelativeRef("a"), URI("http://é/", grammar="rfc3987"), "http://u:secret@h:x/"]


def outcome(make, *args, **kwargs):
    try:
        record = make(*args, **kwargs)
    except (URIError, TypeError) as error:
        return type(error), str(error), vars(error)
    return type(record), str(record), record.grammar


@each_case("text", [*TEXTS, None, 5, ("http", "h"), bytearray(b"x:")])
@each_case(("kind", "grammar"), RULES)
def test_a_text_is_parsed_as_by_parse(kind, grammar, text):
    rule = RULES[kind, grammar]
    assert outcome(kind, text, grammar=grammar) == outcome(parse, text, rule, grammar=grammar)


def test_a_host_alone_is_no_uri():
    with pytest.raises(URIError, match="the text has no scheme"):
        URI("localhost")


@pytest.mark.parametrize("kind", [URIReference, URI, RelativeRef])
def test_one_text_or_components_by_name(kind):
    message = f"{kind.__name__} takes one text, or components by name: scheme, authority, userinfo"
    for wrong in (lambda: kind("http", "u:secret@h"), lambda: kind("x:", path="a")):
        with pytest.raises(TypeError, match=message) as caught:
            wrong()
        assert "secret" not in str(caught.value)
    with pytest.raises(TypeError, match="no component 'netloc': there are scheme, authority"):
        kind(netloc="h")
    with pytest.raises(UnknownRuleError, match="no reference is made by the rules of rfc1738"):
        kind("x:", grammar="rfc1738")


def test_components_by_name():
    made = URI(scheme="http", authority="h", path="/a", query="b", fragment="c")
    assert made == parse("http://h/a?b#c")
    assert isinstance(URIReference(scheme="x"), URI)
    assert isinstance(URIReference(), RelativeRef)
    assert RelativeRef(authority="h", query="b") == parse("//h?b")
    assert RelativeRef() == ""
    for without in ({}, {"path": "a"}, {"scheme": None}):
        with pytest.raises(ComponentError, match="a reference without a scheme is a RelativeRef"):
            URI(**without)
    with pytest.raises(TypeError, match="takes no scheme: a reference with one is a URI"):
        RelativeRef(scheme="x")


class Service(IntEnum):
    HTTP = 80


@given(st.integers(0, 10**20 - 1) | st.sampled_from([0, Service.HTTP, 65535]))
def test_a_port_may_be_a_number(number):
    for record in (
        URI(scheme="x", host="h", port=number),
        parse("x://h:8").replace(port=number),
        URIReference.from_parts(scheme="x", host="h", port=number),
    ):
        assert record == f"x://h:{int(number)}"
        assert type(record.port) is str
        assert record.port_number == number
    assert Authority(None, "h", number) == f"h:{int(number)}"


@pytest.mark.parametrize("number", [-1, 10**20, 10**5000], ids=["sign", "long", "huge"])
def test_a_number_that_would_not_be_read_back_is_no_port(number):
    with pytest.raises(ComponentError, match="no sign and 20 digits at most") as caught:
        parse("x://h").replace(port=number)
    assert caught.value.component == "port"


@given(st.ip_addresses())
def test_a_host_may_be_an_address(address):
    kind = IPv6 if address.version == 6 else IPv4
    for record in (URI(scheme="x", host=address), parse("x://h").replace(host=address)):
        assert type(record.host) is kind
        assert record.host.address == address
    assert Authority(None, address).host == kind(address) == Host(address)


def test_an_address_with_a_zone_is_no_host():
    with pytest.raises(ComponentError, match='"%" at offset 8 does not fit the rule host'):
        URI(scheme="x", host=ipaddress.ip_address("fe80::1%eth0"))
