"""Hosts: the host parser and the host serializer of the URL Standard (sections 3.3 to 3.6)."""

from __future__ import annotations

from typing import NamedTuple

from uriparse.components.normal_form import compressed
from uriparse.grammar import charset, matcher
from uriparse.percent import decoded_leniently
from uriparse.whatwg.percent_encode_sets import C0_CONTROL, encode


class StopError(Exception):
    """The text is refused: the standard's name of the failure, the offset, and the component."""

    def __init__(self, name: str, offset: int = 0, component: str = "host") -> None:
        super().__init__(name)
        self.name, self.offset, self.component = name, offset, component


class ParsedHost(NamedTuple):
    """A serialized host, its kind ("domain", "IPv4", "IPv6", "opaque", "empty"), and its step."""

    text: str
    kind: str
    step: str


DIGITS = charset("DIGIT")
_HEX_DIGITS = charset("HEXDIG")
_FORBIDDEN_HOST = charset("forbidden-host", "whatwg")
_FORBIDDEN_DOMAIN = charset("forbidden-domain", "whatwg")
_ends_in_number = matcher("ends-in-number", "whatwg").fullmatch
_is_hex = matcher("hex-number", "whatwg").fullmatch
_is_octal = matcher("octal-number", "whatwg").fullmatch
_is_decimal = matcher("decimal-number", "whatwg").fullmatch
_is_plain_domain = matcher("domain", "whatwg").fullmatch

EMPTY = ParsedHost("", "empty", "")


def parse_host(text: str, *, special: bool) -> ParsedHost:
    """Run the host parser (section 3.5) on a text; a host of no special scheme is opaque."""
    if special and _is_plain_domain(text):  # in lower case already, as most are
        return ParsedHost(text, "domain", "")
    if text.startswith("["):
        if not text.endswith("]"):
            raise StopError("IPv6-unclosed", len(text))
        written = ":".join(f"{piece:x}" for piece in _parse_ipv6(text))
        return ParsedHost(f"[{compressed(written)}]", "IPv6", "IPv6 serializer")
    if not special:
        for offset, char in enumerate(text):
            if char in _FORBIDDEN_HOST:
                raise StopError("host-invalid-code-point", offset)
        return ParsedHost(encode(text, C0_CONTROL), "opaque", "percent-encode")
    domain = decoded_leniently(text.encode())
    ascii_domain: str | None = domain.lower()
    if not domain.isascii():  # domain to ASCII (section 3.3), beStrict false
        from uriparse.whatwg.domains import to_ascii  # noqa: PLC0415 - loads idna's tables

        ascii_domain = to_ascii(domain)
    if not ascii_domain:
        raise StopError("domain-to-ASCII")
    found = next((c for c in ascii_domain if c in _FORBIDDEN_DOMAIN), None)
    if found is not None:
        raise StopError("domain-invalid-code-point", max(text.find(found), 0))
    if _ends_in_number(ascii_domain):
        return ParsedHost(_parse_ipv4(ascii_domain), "IPv4", "IPv4 parser")
    return ParsedHost(ascii_domain, "domain", "domain to ASCII")


# IPv4 (section 3.5).

_LARGEST = 255


def _parse_ipv4(text: str) -> str:
    """Run the IPv4 parser on a domain that ends in a number, and the IPv4 serializer."""
    parts = text.split(".")
    if not parts[-1] and len(parts) > 1:
        parts.pop()  # IPv4-empty-part is a validation error alone
    if len(parts) > 4:
        raise StopError("IPv4-too-many-parts")
    numbers = [_ipv4_number(part) for part in parts]
    if any(number > _LARGEST for number in numbers[:-1]):
        raise StopError("IPv4-out-of-range-part")
    if numbers[-1] >= 256 ** (5 - len(numbers)):
        raise StopError("IPv4-out-of-range-part")
    value = numbers[-1] + sum(n * 256 ** (3 - place) for place, n in enumerate(numbers[:-1]))
    return ".".join(str(value >> shift & _LARGEST) for shift in (24, 16, 8, 0))


_MOST_DIGITS = 11
"""Digits of 2**32 in octal. A number of more digits is out of range, whatever they are; it is not
converted, which takes quadratic time."""


def _ipv4_number(part: str) -> int:
    """Run the IPv4 number parser on a part in lower case."""
    if _is_hex(part):
        digits, base = part[2:].lstrip("0"), 16
    elif _is_octal(part):
        digits, base = part.lstrip("0"), 8
    elif _is_decimal(part):
        digits, base = part, 10
    else:
        raise StopError("IPv4-non-numeric-part")
    if len(digits) > _MOST_DIGITS:
        return 1 << 32
    return int(digits or "0", base)


# IPv6 (sections 3.5 and 3.6).


def _parse_ipv6(text: str) -> list[int]:
    """Run the IPv6 parser on a text in brackets; StopError with the offset in it."""
    address, piece, compress, at, end = [0] * 8, 0, None, 1, len(text) - 1
    if text.startswith(":", at, end):
        if not text.startswith("::", at, end):
            raise StopError("IPv6-invalid-compression", at)
        at, piece, compress = at + 2, 1, 1
    while at < end:
        if piece == 8:
            raise StopError("IPv6-too-many-pieces", at)
        if text[at] == ":":
            if compress is not None:
                raise StopError("IPv6-multiple-compression", at)
            at, piece = at + 1, piece + 1
            compress = piece
            continue
        length = 0
        while length < 4 and at + length < end and text[at + length] in _HEX_DIGITS:
            length += 1
        value = int(text[at : at + length] or "0", 16)
        after = text[at + length] if at + length < end else ""
        if after == ".":
            if not length:
                raise StopError("IPv4-in-IPv6-invalid-code-point", at)
            if piece > 6:
                raise StopError("IPv4-in-IPv6-too-many-pieces", at)
            address[piece : piece + 2] = _ipv4_in_ipv6(text, at, end)
            piece += 2
            break
        at += length
        if after == ":":
            at += 1
            if at == end:
                raise StopError("IPv6-invalid-code-point", at - 1)
        elif after:
            raise StopError("IPv6-invalid-code-point", at)
        address[piece] = value
        piece += 1
    if compress is not None:
        swaps = piece - compress
        address[8 - swaps :], address[compress : 8 - swaps] = (
            address[compress:piece],
            [0] * (8 - piece),
        )
    elif piece != 8:
        raise StopError("IPv6-too-few-pieces", end)
    return address


def _ipv4_in_ipv6(text: str, at: int, end: int) -> list[int]:
    """Read the IPv4 address at the end of an IPv6 address."""
    numbers: list[int] = []
    for place in range(4):
        if place:
            if at >= end or text[at] != ".":
                name = "too-few-parts" if at >= end else "invalid-code-point"
                raise StopError(f"IPv4-in-IPv6-{name}", at)
            at += 1
        if at >= end or text[at] not in DIGITS:
            raise StopError("IPv4-in-IPv6-invalid-code-point", at)
        begin = at
        while at < end and text[at] in DIGITS:
            if at > begin and text[begin] == "0":
                raise StopError("IPv4-in-IPv6-invalid-code-point", at)
            at += 1
            if at - begin > 3 or int(text[begin:at]) > _LARGEST:
                raise StopError("IPv4-in-IPv6-out-of-range-part", begin)
        numbers.append(int(text[begin:at]))
    if at != end:
        raise StopError("IPv4-in-IPv6-too-many-pieces", at)
    return [numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
