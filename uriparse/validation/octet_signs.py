"""What triplets may do to a program behind the parser (RFC 3986 section 7.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset
from uriparse.validation.findings import Sign
from uriparse.validation.triplets import octet_of, triplets_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.validation.findings import Span
    from uriparse.validation.places import Places

_COMPONENTS = ("userinfo", "host", "path", "query", "fragment")

# Directional formatting characters (Unicode 15, property Bidi_Control), in UTF-8.
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BIDI_OCTETS = frozenset(char.encode() for char in BIDI_CONTROLS)

# First octets of UTF-8 sequences that are longer than they need to be, and what the second octet
# is below then (RFC 3629 section 3); C0 and C1 begin no other sequences.
_OVERLONG = {0xC0: 0xC0, 0xC1: 0xC0, 0xE0: 0xA0, 0xF0: 0x90}


def octet_signs(record: Record, at: Places) -> Iterator[Sign]:
    """Say what is doubtful in the octets that a reference encodes."""
    if "%" not in str(record):
        return
    for component in _COMPONENTS:
        span: Span | None = getattr(at, component)
        if span is not None:
            yield from _component_signs(str(record)[slice(*span)], span[0], component)


def _component_signs(text: str, start: int, component: str) -> Iterator[Sign]:
    found: dict[str, tuple[int, int]] = {}  # code → first offset, count
    before, octets = -3, b""
    for offset, triplet in triplets_in(text):
        octet = bytes((octet_of(triplet),))
        octets = octets + octet if offset == before + 3 else octet
        before = offset
        for code in _codes(octets[-3:], triplet, text[offset + 3 : offset + 5]):
            first, count = found.get(code, (offset, 0))
            found[code] = (first, count + 1)
        octets = octets[-3:]
    for code, (first, count) in found.items():
        yield Sign(code, (start + first, start + first + 3), component, "", count)
    if component == "path" and (at := _traversal(text)) >= 0:
        yield Sign("encoded-traversal", (start + at, start + at + 3), component)


def _codes(octets: bytes, triplet: str, following: str) -> Iterator[str]:
    """Name what the last octet of a run brings, with those before it in the run."""
    last = octets[-1]
    if last == 0:
        yield "encoded-nul"
    elif last in b"\r\n":
        yield "encoded-line-break"
    elif last == ord("%") and len(following) == 2 and all(map(_is_hex, following)):
        yield "double-encoding"
    if len(octets) > 1 and 0x80 <= last < _OVERLONG.get(octets[-2], 0):
        yield "overlong-utf8"
    if octets[-3:] in _BIDI_OCTETS or octets[-2:] in _BIDI_OCTETS:
        yield "bidi-control"
    if triplet != triplet.upper():
        yield "lower-case-hex"


def _is_hex(char: str) -> bool:
    return char in charset("HEXDIG")


def _traversal(path: str) -> int:
    """Where a dot segment meets a "/" that only decoding makes a delimiter; -1 if nowhere."""
    if "%2f" not in path.lower():
        return -1
    offset = 0
    for segment in path.split("/"):
        lower = segment.lower()
        if "%2f" in lower:
            at = offset
            for piece in lower.split("%2f"):
                if piece.replace("%2e", ".") == "..":
                    return at
                at += len(piece) + 3
        offset += len(segment) + 1
    return -1
