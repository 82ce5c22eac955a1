"""Percent-encoding that refuses nothing: octets, held as text of one character each.

The core's `uriparse.quote` and `unquote` hold data to a rule and report what breaks it. Programs
of the time before RFC 3986 decoded whatever came, so here a malformed triplet is text, and every
string has its octets. Held as a `str` of the characters U+0000 to U+00FF, octets can be searched
and translated at the speed of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from uriparse.coerce import as_data
from uriparse.grammar import charset

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from uriparse.coerce import Data

Octets: TypeAlias = str
"""A string of the characters U+0000 to U+00FF, one an octet."""

Table: TypeAlias = dict[int, str]
"""What `str.translate` writes for each octet."""

_HEX_DIGITS = sorted(charset("HEXDIG"))

DECODED: Mapping[str, Octets] = {
    first + second: chr(int(first + second, 16)) for first in _HEX_DIGITS for second in _HEX_DIGITS
}
"""The octet of every two hexadecimal digits."""


def octets_of(text: Data, name: str = "text") -> Octets:
    r"""Give the octets of a text: bytes as they are, a str as UTF-8. Never fails but by TypeError.

    name: of the parameter, for messages.

    Lone surrogates that stand for undecodable bytes (as `os.fsdecode` makes them) give those
    bytes back; a text with any other lone surrogate gives each of them as three octets.

    >>> octets_of("é"), octets_of(b"\xe9"), octets_of("\udce9")
    ('Ã©', 'é', 'é')
    """
    data = as_data(text, name)
    if isinstance(data, bytes):
        return data.decode("latin-1")
    if data.isascii():
        return data
    try:
        return data.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:
        return data.encode("utf-8", "surrogatepass").decode("latin-1")


def text_of(octets: Octets) -> str:
    r"""Read octets as UTF-8; those that are not become lone surrogates, which `octets_of` undoes.

    >>> text_of("Ã©"), text_of("é")
    ('é', '\udce9')
    """
    if octets.isascii():
        return octets
    return octets.encode("latin-1").decode("utf-8", "surrogateescape")


def decode(octets: Octets) -> Octets:
    """Decode every triplet once; "%" without two hexadecimal digits stays as it is.

    >>> decode("%41%2541%4%zz%")
    'A%41%4%zz%'
    """
    if "%" not in octets:
        return octets
    first, *rest = octets.split("%")
    pieces = [first]
    for piece in rest:
        octet = DECODED.get(piece[:2])
        pieces.append("%" + piece if octet is None else octet + piece[2:])
    return "".join(pieces)


def decode_text(text: str) -> str:
    """Decode every triplet of a text once, as UTF-8 where several follow each other.

    All other text stays as it is, lone surrogates too.

    >>> decode_text("caf%C3%A9 %41%%")
    'café A%%'
    """
    if "%" not in text:
        return text
    first, *rest = text.split("%")
    pieces = [first]
    octets: list[Octets] = []
    for piece in rest:
        octet = DECODED.get(piece[:2])
        if octet is not None:
            octets.append(octet)
        if octet is None or len(piece) > 2:
            pieces.append(text_of("".join(octets)))
            octets.clear()
            pieces.append("%" + piece if octet is None else piece[2:])
    pieces.append(text_of("".join(octets)))
    return "".join(pieces)


def triplet(octet: Octets) -> str:
    """Encode one octet, with upper-case digits.

    >>> triplet(chr(9))
    '%09'
    """
    return f"%{ord(octet):02X}"


def encoder(kept: Iterable[str], *, lower: bool = False) -> Table:
    """Make the table that encodes every octet but those kept.

    lower: whether capital letters among the kept become small ones.

    >>> "A/é".translate(encoder("A/", lower=True))
    'a/%E9'
    """
    table = {code: triplet(chr(code)) for code in range(0x100)}
    for character in kept:
        table[ord(character)] = character.lower() if lower else character
    return table
