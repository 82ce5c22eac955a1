"""What triplets may do to a program behind the parser (RFC 3986 section 7.3)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from uriparse.grammar import charset
from uriparse.validation.findings import sign
from uriparse.validation.triplets import octet_of, triplets_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.validation.findings import Sign, Span
    from uriparse.validation.places import Places

# Directional formatting characters (Unicode 15, property Bidi_Control), in UTF-8.
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BIDI_OCTETS = frozenset(char.encode() for char in BIDI_CONTROLS)

# First octets of UTF-8 sequences that are longer than they need to be, and what the second octet
# is below then (RFC 3629 section 3); C0 and C1 begin no other sequences.
_OVERLONG = {0xC0: 0xC0, 0xC1: 0xC0, 0xE0: 0xA0, 0xF0: 0x90}


def octet_signs(record: Record, at: Places) -> Iterator[Sign]:
    """Say what is doubtful in the octets that a reference encodes."""
    host = None if record.host is None else str(record.host)
    for component, text, span in (
        ("userinfo", record.userinfo, at.userinfo),
        ("host", host, at.host),
        ("path", record.path, at.path),
        ("query", record.query, at.query),
        ("fragment", record.fragment, at.fragment),
    ):
        if text is not None and span is not None and "%" in text:
            yield from _component_signs(text, span[0], component)


def _component_signs(text: str, start: int, component: str) -> Iterator[Sign]:
    found: dict[str, list[int]] = {}  # code → offsets
    after, run = 0, b""  # octets beyond ASCII, one behind the other
    for offset, triplet in triplets_in(text):
        octet, codes = _alone(triplet)
        if octet > b"\x7f":
            run = run[-2:] + octet if offset == after else octet
            after = offset + 3
            codes = (*_codes_of_run(run), *codes)
        elif octet == b"%" and _begins_triplet(text[offset + 3 : offset + 5]):
            codes = (*codes, "double-encoding")
        for code in codes:
            found.setdefault(code, []).append(offset)
    for code, offsets in found.items():
        first = start + offsets[0]
        yield sign(code, (first, first + 3), component, "", len(offsets))
    if component == "path" and (dots := _traversal(text)) is not None:
        yield sign("encoded-traversal", (start + dots[0], start + dots[1]), component)


@cache
def _alone(triplet: str) -> tuple[bytes, tuple[str, ...]]:
    """Give the octet of a triplet, and the codes that it has wherever it stands."""
    octet = octet_of(triplet)
    codes = []
    if octet == 0:
        codes.append("encoded-nul")
    elif octet in b"\r\n":
        codes.append("encoded-line-break")
    if triplet != triplet.upper():
        codes.append("lower-case-hex")
    return bytes((octet,)), tuple(codes)


def _codes_of_run(octets: bytes) -> Iterator[str]:
    """Name what the last of some octets brings with those before it, three at most in all."""
    if len(octets) > 1 and 0x80 <= octets[-1] < _OVERLONG.get(octets[-2], 0):
        yield "overlong-utf8"
    if octets in _BIDI_OCTETS or octets[-2:] in _BIDI_OCTETS:
        yield "bidi-control"


def _begins_triplet(following: str) -> bool:
    return len(following) == 2 and charset("HEXDIG").issuperset(following)


def _traversal(path: str) -> Span | None:
    """Where a dot segment meets a "/" that only decoding makes a delimiter; None if nowhere."""
    if "%2f" not in path.lower():
        return None
    offset = 0
    for segment in path.split("/"):
        lower = segment.lower()
        if "%2f" in lower:
            at = offset
            for piece in lower.split("%2f"):
                if piece.replace("%2e", ".") == "..":
                    return at, at + len(piece)
                at += len(piece) + 3
        offset += len(segment) + 1
    return None
