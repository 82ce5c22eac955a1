"""The signs of disagreement stand exactly where the grammar of agreement ends."""

import ipaddress
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uriparse import is_valid
from uriparse.validation import Policy, validate
from uriparse.validation.agreement import destination, is_canonical, is_request

OUTBOUND = Policy.outbound()
REQUEST = OUTBOUND.replace(agreement="request")

PIECES = [
    *("http", "https", "HTTP", "ftp", ":", "//", "/", "?", "#", "@", ".", "..", "-", "_", "~"),
    *("a", "Z", "9", "h.com", "xn--", "0x7f", "127.0.0.1", "1.2.3", "[::1]", "[::ffff:7f00:1]"),
    *("[", "]", "[v1.a]", "[FE80::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "::", "%2e", "%2E"),
    *("%41", "%C3%A9", "%c3", "%00", "%27", "'", ";", "*", "80", "0", "65535", "65536", "\u00e9"),
    *("a" * 63, "a" * 64, "a." * 126, " ", "\\", "%2B", "%2F", "&", "=", "+"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
near = st.builds("{}{}".format, st.sampled_from(["http://", "https://h.com", "http:"]), texts)


def is_agreed(text):
    """The law's other side, from the grammar and the three checks beside it alone."""
    if not is_valid(text, "destination-URI", grammar="agreed"):
        return False
    host = text.partition("//")[2].partition("/")[0].partition("#")[0]
    if host.startswith("["):
        address = ipaddress.IPv6Address(host[1 : host.index("]")])
        plain = address.compressed == host[1 : host.index("]")]
        return plain and address.ipv4_mapped is None
    return len(host.partition(":")[0]) <= 253


@given(st.one_of(texts, near))
@example("http://" + "a." * 126 + "a")
@example("http://" + "a." * 126 + "aa")
@example("http://_a/")
def test_there_is_a_sign_exactly_where_the_grammar_ends(text):
    findings = validate(text, OUTBOUND).findings
    assert any(found.layer == "agreement" for found in findings) is not is_agreed(text)


@given(near)
def test_there_is_a_sign_exactly_where_a_client_would_rewrite_the_request(text):
    findings = validate(text, REQUEST).findings
    agreed = is_valid(text, "request-URI", grammar="agreed") and is_agreed(text)
    assert any(found.layer == "agreement" for found in findings) is not agreed
    assert is_request(text) is agreed


@given(st.one_of(texts, near))
def test_what_is_agreed_is_a_uri(text):
    if destination(text) is not None:
        assert is_valid(text, "URI")


def test_ipv6_has_one_spelling():
    draw = random.Random(5)
    for _ in range(2000):
        groups = [draw.choice([0, 0, 1, 0xFFFF, draw.randrange(1 << 16)]) for _ in range(8)]
        number = sum(group << 16 * place for place, group in enumerate(groups))
        address = ipaddress.IPv6Address(number)
        assert is_canonical(address.compressed) is (address.ipv4_mapped is None)
        assert not is_canonical(address.exploded) or address.exploded == address.compressed


@pytest.mark.parametrize("path", ["", "/", "/a", "?b", "#c", "/a/..b?c/../d#e"])
def test_local_references(path):
    assert is_valid(path, "local-reference", grammar="agreed")


@pytest.mark.parametrize("path", ["//a", "a", "a/:80", "/..", "/%2e%2E/a", "/a/.%2e", "/./a", "\\"])
def test_references_that_may_leave(path):
    assert not is_valid(path, "local-reference", grammar="agreed")
