"""RFC 1738 encoding: which octets are written raw, and what is equivalent."""

import pickle

import pytest
from cases import each_case, tables, vectors
from hypothesis import given
from hypothesis import strategies as st
from rfc1738_urls import equivalent, parse_url

from uriparse.errors import EncodingError, SchemeError, UnknownRuleError
from uriparse.grammar import charset
from uriparse.grammar.matchers import fullmatch
from uriparse.schemes import Encoded
from uriparse.schemes.encoding import canonical, encode, first_octet, octet_offset

TABLES = tables(__file__)

LETTERS_AND_DIGITS = frozenset(chr(c) for c in range(128) if chr(c).isalnum())


def test_the_sets():
    """E-014, E-016, E-018, L-009, L-010, L-011"""
    names = ("safe", "extra", "unreserved", "reserved", "national", "punctuation")
    sets = {name: charset(name, "rfc1738") for name in names}
    unsafe = sets["national"] | sets["punctuation"] | {" "}
    assert frozenset(' <>"#%{}|\\^~[]`') == unsafe
    assert frozenset(";/?:@=&") == sets["reserved"]
    assert frozenset("$-_.+") == sets["safe"]
    assert frozenset("!*'(),") == sets["extra"]
    assert sets["unreserved"] == LETTERS_AND_DIGITS | sets["safe"] | sets["extra"]
    assert len(LETTERS_AND_DIGITS) == 62
    assert frozenset(map(chr, range(0x20, 0x7F))) == unsafe | sets["reserved"] | sets["unreserved"]


def test_every_octet():
    """L-008, E-013"""
    for octet in range(256):
        written = encode(bytes([octet]))
        raw = chr(octet) in LETTERS_AND_DIGITS | frozenset("$-_.+!*'(),")
        assert written == (chr(octet) if raw else f"%{octet:02X}")


@pytest.mark.parametrize(("data", "rule", "reserved", "written"), TABLES["encode"])
def test_encode(data, rule, reserved, written):
    assert encode(data, rule, reserved=reserved) == written
    assert Encoded(written).decoded == data


@given(st.binary(), st.sampled_from(["unreserved", "fsegment", "user", "xchar", "psegment"]))
def test_decoding_undoes_encoding(octets, rule):
    written = encode(octets, rule)
    assert Encoded(written).octets == octets
    assert canonical(written, rule) == written


@given(st.binary(max_size=20))
def test_canonical_is_idempotent(octets):
    everything = "".join(f"%{octet:02x}" for octet in octets)
    once = canonical(everything)
    assert once == encode(octets)
    assert canonical(once) == once


def test_encoding_errors():
    with pytest.raises(EncodingError, match="U\\+D800 at offset 1"):
        encode("a\ud800")
    with pytest.raises(EncodingError, match="offset 1"):
        canonical("a%4")
    with pytest.raises(EncodingError, match="offset 1 is not UTF-8"):
        _ = Encoded("a%FF").decoded
    with pytest.raises(EncodingError):
        _ = Encoded("%zz").octets
    with pytest.raises(UnknownRuleError):
        encode("a", "no-such-set")


def test_offsets_of_octets():
    assert octet_offset("a%20%0Ab", 3) == 7
    assert first_octet("abc", frozenset({0})) is None
    assert first_octet("%41%00", frozenset({0})) == (3, 0)


def test_encoded_text_is_text():
    text = Encoded("a%2Fb/c", 5)
    assert (text, str(text), type(str(text))) == ("a%2Fb/c", "a%2Fb/c", str)
    assert (text.start, text.end) == (5, 12)
    assert [(part, part.start) for part in text.parts("/")] == [("a%2Fb", 5), ("c", 11)]
    assert pickle.loads(pickle.dumps(text)).start == 5
    assert Encoded("x").end is None


@each_case("case", vectors("schemes_equivalence"))
def test_equivalence(case):
    assert equivalent(case["a"], case["b"]) is case["equivalent"]
    assert equivalent(case["b"], case["a"]) is case["equivalent"]
    assert equivalent(case["a"], parse_url(case["a"]))


def test_equivalence_beside_the_fragment():
    assert equivalent("http://h.d/#a", "http://h.d/", ignore_fragment=True)
    with pytest.raises(SchemeError):
        equivalent("http://h.d/~", "http://h.d/%7E")


@each_case(("address", "valid"), TABLES["addresses"])
def test_addresses(address, valid):
    """C-071"""
    assert bool(fullmatch("addr-spec", "rfc822")(address.decode("latin-1"))) is valid


@pytest.mark.parametrize(("text", "valid"), [
    (b"4234@h.dom", True), (b"123@456.789", True), (b"a@a_b", True), (b"a", False), (b"@b", False),
    (b"a@", False), (b"a b@c", False), (b"<a@b>", False),
])  # fmt: skip
def test_message_ids(text, valid):
    """C-069"""
    assert bool(fullmatch("message-id", "rfc822")(text.decode("latin-1"))) is valid
