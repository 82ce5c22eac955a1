"""Triplets of UTF-8 octets and the characters beyond ASCII that they encode (RFC 3987 section 3).

As in `uriparse.percent.triplets`, each "%" of a text begins a triplet, and time is linear.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher

if TYPE_CHECKING:
    from collections.abc import Iterator

# Characters that IRIs have room for and that are better left encoded: spaces and line separators,
# and what cannot be seen or changes the direction of text (RFC 3987 sections 4.1 and 6.1).
_LEFT_ENCODED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})

_SMUGGLED = 0xDC00
"""What `surrogateescape` adds to an octet that is no UTF-8."""


def encode(text: str) -> str:
    """Percent-encode the characters beyond ASCII (RFC 3987 section 3.1, step 2).

    >>> encode("résumé%2f")
    'r%C3%A9sum%C3%A9%2f'
    """
    return text if text.isascii() else "".join(map(_encoded, text))


def decode(text: str, *, private: bool = False) -> str:
    """Decode the triplets of unreserved characters, those of IRIs (rule `iunreserved`) included.

    Triplets stay where they are of reserved and of other ASCII characters; of octets that are no
    UTF-8; of characters that IRIs do not allow, of spaces, and of those that are invisible or
    change the direction of text (RFC 3987 section 3.2).

    private: whether to decode characters for private use too, which queries may hold.

    >>> decode("D%C3%BCrst%2f%7Eu%FC")
    'Dürst%2f~u%FC'
    """
    return "".join(_decoded_pieces(text, private=private)) if "%" in text else text


def _encoded(character: str) -> str:
    if character.isascii():
        return character
    return "".join(f"%{octet:02X}" for octet in character.encode())


def _decoded_pieces(text: str, *, private: bool) -> Iterator[str]:
    unreserved = _unreserved()
    beyond_ascii = bytearray()
    first, *rest = text.split("%")
    yield first
    for piece in rest:
        octet = int(piece[:2], 16)  # two HEXDIG, since the text is valid
        if octet < 0x80:
            yield from _characters(beyond_ascii, private=private)
            beyond_ascii.clear()
            yield unreserved.get(octet) or f"%{piece[:2]}"
        else:
            beyond_ascii.append(octet)
        if len(piece) > 2:
            yield from _characters(beyond_ascii, private=private)
            beyond_ascii.clear()
            yield piece[2:]
    yield from _characters(beyond_ascii, private=private)


def _characters(octets: bytearray, *, private: bool) -> Iterator[str]:
    for character in octets.decode("utf-8", "surrogateescape"):
        code = ord(character)
        if _SMUGGLED <= code <= _SMUGGLED + 0xFF:
            yield f"%{code - _SMUGGLED:02X}"
        elif _is_fit(character, private=private):
            yield character
        else:
            yield _encoded(character)


@cache
def _unreserved() -> dict[int, str]:
    return {ord(character): character for character in charset("unreserved")}


@lru_cache(maxsize=4096)
def _is_fit(character: str, *, private: bool) -> bool:
    """Whether a character beyond ASCII may stand by itself (RFC 3987 section 3.2, step 4)."""
    if unicodedata.category(character) in _LEFT_ENCODED:
        return False
    return matcher("ucschar", "rfc3987").fullmatch(character) is not None or (
        private and matcher("iprivate", "rfc3987").fullmatch(character) is not None
    )
