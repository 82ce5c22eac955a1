"""Percent-encode sets (section 1.3) and `application/x-www-form-urlencoded` (section 5)."""

from __future__ import annotations

from collections.abc import Iterable

from uriparse.grammar import charset

PercentEncodeSet = tuple[dict[int, str], tuple[str, ...]]
"""What an ASCII text is translated by, and the spelling of each octet."""


def _percent_encode_set(rule: str) -> PercentEncodeSet:
    encoded = {ord(char) for char in charset(rule, "whatwg")}
    octets = tuple(
        f"%{octet:02X}" if octet in encoded or octet > 0x7F else chr(octet) for octet in range(256)
    )
    return {octet: octets[octet] for octet in encoded}, octets


C0_CONTROL = _percent_encode_set("C0-control-set")
FRAGMENT = _percent_encode_set("fragment-set")
QUERY = _percent_encode_set("query-set")
SPECIAL_QUERY = _percent_encode_set("special-query-set")
PATH = _percent_encode_set("path-set")
USERINFO = _percent_encode_set("userinfo-set")
_FORM = _percent_encode_set("form-set")


def encode(text: str, encoded: PercentEncodeSet) -> str:
    """UTF-8 percent-encode a text (section 1.3)."""
    table, octets = encoded
    if text.isascii():
        return text.translate(table)
    return "".join(map(octets.__getitem__, text.encode()))


def form_decode(octets: bytes) -> bytes:
    """Percent-decode octets: "%" without two hexadecimal digits stays."""
    head, *pieces = octets.split(b"%")
    found = [head]
    for piece in pieces:
        is_triplet = len(piece) >= 2 and piece[0] in _HEX and piece[1] in _HEX
        found.append(bytes.fromhex(piece[:2].decode()) + piece[2:] if is_triplet else b"%" + piece)
    return b"".join(found)


_HEX = b"0123456789abcdefABCDEF"
