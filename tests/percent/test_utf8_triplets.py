"""Triplets rewritten in whole texts, against rewriting them one by one."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import is_valid, percent
from uriparse.grammar import charset

HIDDEN = {"Zs", "Zl", "Zp", "Cc", "Cf"}


def written(octets):
    return "".join(f"%{octet:02X}" for octet in octets)


def encoded(text):
    return "".join(one if one.isascii() else written(one.encode()) for one in text)


def fits(character, private):
    rules = ("ucschar", "iprivate") if private else ("ucschar",)
    allowed = any(is_valid(character, rule, grammar="rfc3987") for rule in rules)
    return allowed and unicodedata.category(character) not in HIDDEN


def character_at(octets):
    """The character that octets begin with, and its length; None if it is no UTF-8."""
    for length in range(1, 5):
        try:
            return octets[:length].decode(), length
        except UnicodeDecodeError:
            continue
    return None, 1


def decoded(text, private):
    """Read one triplet after the other, and what each row of them beyond ASCII encodes."""
    out = []
    at = 0
    while at < len(text):
        octets = bytearray()
        while text[at : at + 1] == "%" and (octet := int(text[at + 1 : at + 3], 16)) > 0x7F:
            octets.append(octet)
            at += 3
        while octets:
            character, length = character_at(octets)
            keep = character is None or not fits(character, private)
            out.append(written(octets[:length]) if keep else character)
            del octets[:length]
        if text[at : at + 1] != "%":
            out.append(text[at : at + 1])
            at += 1
        elif (octet := int(text[at + 1 : at + 3], 16)) < 0x80:
            plain = chr(octet) in charset("unreserved")
            out.append(chr(octet) if plain else text[at : at + 3])
            at += 3
    return "".join(out)


def upper(text):
    first, *rest = text.split("%")
    return first + "".join(f"%{piece[:2].upper()}{piece[2:]}" for piece in rest)


def fold(text):
    """The same for URIs."""
    first, *rest = text.split("%")
    characters = [(chr(int(piece[:2], 16)), piece) for piece in rest]
    unreserved = charset("unreserved")
    return first + "".join(
        one + piece[2:] if one in unreserved else f"%{piece[:2].upper()}{piece[2:]}"
        for one, piece in characters
    )


BEYOND = st.characters(min_codepoint=0x80, exclude_categories=["Cs"])
TRIPLETS = st.builds(
    lambda octets, lower: written(octets).lower() if lower else written(octets),
    st.binary(min_size=1, max_size=4)
    | BEYOND.map(str.encode)
    | st.text(max_size=3).filter(lambda text: text.isascii()).map(str.encode),
    st.booleans(),
)
TEXTS = st.lists(
    TRIPLETS
    | st.text(sorted(charset("unreserved") | charset("reserved")), max_size=3)
    | BEYOND
    | st.sampled_from(["\u200d", "\u00a0", "\ue000", "é", written("\u200d".encode())]),
    max_size=12,
).map("".join)


@given(TEXTS)
def test_encoding(text):
    assert percent.encode_non_ascii(text) == encoded(text)


@given(TEXTS, st.booleans())
def test_decoding(text, private):
    assert percent.decode_utf8_triplets(text, private=private) == decoded(text, private)


@given(TEXTS)
def test_folding(text):
    assert percent.decode_utf8_triplets(text, upper=True) == upper(decoded(text, private=False))
    assert percent.fold_triplets(text) == fold(text)
    assert percent.fold_triplets(text, decode=False) == upper(text)


@given(TEXTS)
def test_lower_case_around_triplets(text):
    first, *rest = text.split("%")
    around = [piece[:2].upper() + percent.lower_ascii(piece[2:]) for piece in rest]
    assert percent.lower_around_triplets(text) == "%".join([percent.lower_ascii(first), *around])
    assert percent.lower_ascii(text) == "".join(c.lower() if c.isascii() else c for c in text)


@pytest.mark.slow
@pytest.mark.parametrize("private", [False, True])
def test_every_character_is_decoded_or_stays(private):
    """All of them at once, which is what a text of many different ones takes."""
    codes = [code for code in range(0x80, sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    some = [chr(code) for code in codes if code < 0x20000 or code % 0x800 in {0, 1, 0x7FE, 0x7FF}]
    text = "x".join(map(encoded, some))
    expected = [one if fits(one, private) else encoded(one) for one in some]
    assert percent.decode_utf8_triplets(text, private=private).split("x") == expected
