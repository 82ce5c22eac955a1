"""Triplets of UTF-8 octets and the characters beyond ASCII that they encode (RFC 3987 section 3).

As in `uriparse.percent.triplets`, each "%" of a text begins a triplet, and time is linear. Long
texts are worked on as a whole, not character by character: that is four to ten times as fast.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from uriparse.grammar import charset, matcher

if TYPE_CHECKING:
    from collections.abc import Iterable

# Characters that IRIs have room for and that are better left encoded: spaces and line separators,
# and what cannot be seen or changes the direction of text (RFC 3987 sections 4.1 and 6.1).
_LEFT_ENCODED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})

_SMUGGLED = 0xDC00
"""What the codecs' `surrogateescape` adds to an octet that is no UTF-8."""

_NOT_ASCII = re.compile("([^\x00-\x7f]+)")
_PLACE = " "
"""Keeps the place of characters that are no triplets; no reference holds one."""

_NOTHING = b"\xff"
"""An octet that UTF-8 does not have."""


def encode(text: str) -> str:
    """Percent-encode the characters beyond ASCII (RFC 3987 section 3.1, step 2).

    >>> encode("résumé%2f")
    'r%C3%A9sum%C3%A9%2f'
    """
    if text.isascii():
        return text
    octets = text.encode()
    # Three for each octet: itself, or "%" and its digits.
    written = bytearray(len("%00") * len(octets))
    for place, table in enumerate(_writing()):
        written[place :: len("%00")] = octets.translate(table)
    return written.translate(None, _NOTHING).decode("ascii")


def decode(text: str, *, private: bool = False) -> str:
    """Decode the triplets of unreserved characters, those of IRIs (rule `iunreserved`) included.

    Triplets stay where they are of reserved and of other ASCII characters; of octets that are no
    UTF-8; of characters that IRIs do not allow, of spaces, and of those that are invisible or
    change the direction of text (RFC 3987 section 3.2).

    private: whether to decode characters for private use too, which queries may hold.

    >>> decode("D%C3%BCrst%2f%7Eu%FC")
    'Dürst%2f~u%FC'
    """
    return _replaced(text, _reading().decoded, private=private)


def fold(text: str) -> str:
    """Decode as `decode`, and write the triplets that stay in upper case, at once.

    >>> fold("D%c3%bcrst%2f%7Eu%fc")
    'Dürst%2F~u%FC'
    """
    return _replaced(text, _reading().folded, private=False)


def _replaced(text: str, table: dict[str, str], *, private: bool) -> str:
    if "%" not in text:
        return text
    if text.isascii():
        return _decoded(text, table, private=private)
    parts = _NOT_ASCII.split(text)
    parts[::2] = _decoded(_PLACE.join(parts[::2]), table, private=private).split(_PLACE)
    return "".join(parts)


def _decoded(text: str, table: dict[str, str], *, private: bool) -> str:
    """Decode a text of ASCII alone."""
    first, *rest = text.split("%")
    pieces = [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in rest]
    smuggled = first + "".join(pieces)
    if smuggled.isascii():
        return smuggled
    characters = smuggled.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    used = set(characters)
    unfit = {one for one in used - _fit(used, private=private) if not one.isascii()}
    if not unfit:
        return characters
    # All that are used, since a character that the table lacks takes three times as long.
    written = {ord(one): _triplets(one) if one in unfit else one for one in used}
    return characters.translate(written)


def _triplets(character: str) -> str:
    octets = character.encode("utf-8", "surrogateescape")
    return "".join(f"%{octet:02X}" for octet in octets)


class _Reading(NamedTuple):
    """Two hexadecimal digits, in any letter case, to what takes the place of their triplet.

    An octet beyond ASCII is smuggled in, until all of its character are there.
    """

    decoded: dict[str, str]
    folded: dict[str, str]


@cache
def _reading() -> _Reading:
    unreserved = charset("unreserved")
    pairs = [high + low for high in charset("HEXDIG") for low in charset("HEXDIG")]
    as_written: dict[str, str] = {}
    upper_case: dict[str, str] = {}
    for digits in pairs:
        octet = int(digits, 16)
        if octet >= 0x80:
            as_written[digits] = upper_case[digits] = chr(_SMUGGLED + octet)
        elif chr(octet) in unreserved:
            as_written[digits] = upper_case[digits] = chr(octet)
        else:
            as_written[digits], upper_case[digits] = f"%{digits}", f"%{digits.upper()}"
    return _Reading(as_written, upper_case)


@cache
def _writing() -> tuple[bytes, ...]:
    """Map octets to the three that they are written with; those of ASCII are their own first."""
    own = bytes(range(0x80))
    beyond = [f"%{octet:02X}".encode() for octet in range(0x80, 0x100)]
    first, *others = (bytes(place) for place in zip(*beyond, strict=True))
    return own + first, *(_NOTHING * len(own) + other for other in others)


def _fit(characters: Iterable[str], *, private: bool) -> set[str]:
    """Return those beyond ASCII that may stand by themselves (RFC 3987 section 3.2, step 4)."""
    allowed = _beyond_ascii(private=private).findall("".join(characters))
    return {one for one in allowed if unicodedata.category(one) not in _LEFT_ENCODED}


@cache
def _beyond_ascii(*, private: bool) -> re.Pattern[str]:
    rules = ("ucschar", "iprivate") if private else ("ucschar",)
    return re.compile("|".join(matcher(rule, "rfc3987").pattern for rule in rules))
