"""Lenient percent-encoding, as in programs before RFC 3986: a malformed triplet is plain text.

Octets are kept as a `str` of the characters U+0000 to U+00FF, so that they can be searched and
translated as fast as text. `uriparse.quote` and `unquote` are strict instead.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from uriparse._base.coerce import Data, as_data
from uriparse.percent import octets_by_digits

Octets: TypeAlias = str
"""A string with one character from U+0000 to U+00FF for each octet."""

Table: TypeAlias = dict[int, str]
"""A table for `str.translate`: the text for each octet."""

DECODED: Mapping[str, Octets] = {digits: chr(octet) for digits, octet in octets_by_digits().items()}
"""The octet of every two hexadecimal digits."""


def octets_of(text: Data, name: str = "text") -> Octets:
    """Return the octets of a text: bytes as they are, a str as UTF-8; TypeError for another type.

    name: the parameter, for messages.

    Lone surrogates that `os.fsdecode` made of undecodable bytes become those bytes; in a text with
    another lone surrogate, each becomes three octets.
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
    """Decode octets as UTF-8, with lone surrogates for invalid ones, which `octets_of` reverses."""
    if octets.isascii():
        return octets
    return octets.encode("latin-1").decode("utf-8", "surrogateescape")


def decode(octets: Octets, table: Mapping[str, str] = DECODED, *, other: str = "%") -> str:
    """Decode every triplet once; "%" without two hexadecimal digits stays as it is.

    table: what its two digits become. other: what any other "%" becomes.

    >>> decode("%41%2541%4%zz%")
    'A%41%4%zz%'
    """
    if "%" not in octets:
        return octets
    first, *rest = octets.split("%")
    pieces = [
        other + piece if (octet := table.get(piece[:2])) is None else octet + piece[2:]
        for piece in rest
    ]
    return "".join([first, *pieces])


def decode_text(text: str) -> str:
    """Decode every triplet of a text once, adjacent ones together as UTF-8.

    All other text stays, lone surrogates included.
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
    """Encode one octet, with upper-case digits."""
    return f"%{ord(octet):02X}"


def encoder(kept: Iterable[str], *, lower: bool = False) -> Table:
    """Return a table that encodes every octet except those in `kept`.

    lower: whether kept capital letters become lower case.
    """
    table = {code: triplet(chr(code)) for code in range(0x100)}
    for character in kept:
        table[ord(character)] = character.lower() if lower else character
    return table
