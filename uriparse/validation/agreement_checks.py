"""Checks of the layer "agreement": whether all clients go to the same destination."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import NamedTuple

from uriparse.grammar import charset, matcher
from uriparse.iri import rewritten_label
from uriparse.parsing import Record
from uriparse.percent import unquote_to_bytes
from uriparse.records import Host, IPv4, IPv6, IPvFuture
from uriparse.records.spans import ComponentSpans, Span
from uriparse.validation.client_table import CLIENTS, MEASURED
from uriparse.validation.findings import (
    Hit,
    characters_in,
    hit,
    is_stray_octet,
    octet_of,
    odd_pieces,
    span_of,
    triplets_in,
)

LONGEST_NAME = 253
"""Characters of a domain name (RFC 1035 section 2.3.4: 255 octets on the wire)."""

LONGEST_LABEL = 63
"""Characters of a label (RFC 1035 section 2.3.4)."""

_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Controls, formatting characters (including bidirectional ones) and line separators."""

_OTHER_INVISIBLES = (
    *(range(0x034F, 0x0350), range(0x115F, 0x1161), range(0x17B4, 0x17B6), range(0x180B, 0x1810)),
    *(range(0x2060, 0x2070), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFFA0, 0xFFA1)),
    *(range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000)),
)
"""Default_Ignorable_Code_Point of Unicode 15 (DerivedCoreProperties.txt) beyond these categories.

Unassigned code points are among them, so the ranges do not depend on the version of Unicode.
"""


@cache
def _derives(rule: str) -> Callable[[str], re.Match[str] | None]:
    return matcher(rule, "agreed").fullmatch


def destination(text: str) -> re.Match[str] | None:
    """Match a text that takes all clients to one destination; groups are the grammar's fields."""
    match = _derives("destination-URI")(text)
    if match is None:
        return None
    name, ipv6 = match["domain"], match["lower_IPv6"]
    if name is not None and not is_name_kept(name):
        return None
    if ipv6 is not None and (match["scheme"] == "https" or not is_canonical(ipv6)):
        return None
    return match


def is_name_kept(name: str) -> bool:
    """Return whether all clients look up a `domain` unchanged: none cuts it or rewrites a label."""
    return len(name) <= LONGEST_NAME and ("--" not in name or rewritten_label(name) is None)


def is_canonical(ipv6: str) -> bool:
    """Return whether an address is written as in RFC 5952 and does not map an IPv4 address."""
    from ipaddress import IPv6Address  # noqa: PLC0415 - only addresses pay for it

    address = IPv6Address(ipv6)
    return address.ipv4_mapped is None and address.compressed == ipv6


def is_request(text: str) -> bool:
    """Whether all clients send the same request target, octet for octet, to one destination."""
    if _derives("request-URI")(text) is None or destination(text) is None:
        return False
    sent = text.partition("#")[0]
    return not any(is_invisible(char) for _, char in characters_in(sent))


def is_local(text: str) -> bool:
    """Return whether all clients resolve a relative reference to the origin of its base."""
    return _derives("local-reference")(text) is not None


def check_destination(record: Record, spans: ComponentSpans) -> Iterator[Hit]:
    """Report why clients may disagree on the destination of a URI."""
    if record.scheme is None:
        yield hit("no-scheme", (0, 0), None)
        return
    if _derives("scheme")(record.scheme) is None:
        span = spans.scheme or (0, 0)
        if _derives("scheme")(record.scheme.lower()) is None:
            yield hit("scheme-other", span, "scheme")
            return
        yield hit("scheme-case", span, "scheme")
    if record.host is None or spans.host is None:
        end = len(record.scheme) + 1
        yield hit("missing-authority", (end, end), "authority")
        return
    text = str(record)
    if not text.isascii():
        first = next(offset for offset, char in enumerate(text) if not char.isascii())
        yield hit("not-ascii", (first, first + 1), None)
    if spans.userinfo is not None:
        yield hit("userinfo", spans.userinfo, "userinfo")
    yield from _check_host(record.host, spans.host)
    if isinstance(record.host, IPv6) and record.scheme.lower() == "https":
        yield hit("ipv6-over-tls", spans.host, "host")
    if record.port is not None and spans.port is not None and _derives("port")(record.port) is None:
        yield hit("port-range" if record.port else "empty-port", spans.port, "port")
    if not record.path and spans.query is not None:
        yield hit("query-without-path", (spans.query[0] - 1, spans.query[0]), "query")
    elif not record.path and spans.fragment is not None:
        yield hit("fragment-without-path", (spans.fragment[0] - 1, spans.fragment[0]), "fragment")


def _check_host(host: Host, span: Span) -> Iterator[Hit]:
    text = str(host)
    if isinstance(host, IPv4):
        return
    if isinstance(host, IPvFuture):
        yield hit("future-address", span, "host")
    elif isinstance(host, IPv6):
        address = text[1:-1]
        if _derives("lower-IPv6")(address) is None or not is_canonical(address):
            yield hit("ipv6-spelling", span, "host")
    elif not text:
        yield hit("empty-host", span, "host")
    elif _derives("domain")(text) is None or len(text) > LONGEST_NAME:
        yield from _check_name(text, span)
    elif not is_name_kept(text):
        label = rewritten_label(text) or ""
        yield hit("a-label", span_of(label, text, ".", span[0]), "host")


def _check_name(name: str, span: Span) -> Iterator[Hit]:
    start = span[0]
    percent = name.find("%")
    if percent >= 0:
        yield hit("encoded-host", (start + percent, start + percent + 3), "host")
    in_name, in_number = name_chars()
    strange = len(name.lstrip(in_name))  # counts from the first such character on
    if strange:
        odd = start + len(name) - strange
        yield hit("host-delimiter", (odd, odd + 1), "host")
    labels = name.split(".")
    if "" in labels:
        yield hit("host-dots", span_of("", name, ".", start), "host")
    dotted = f".{name}."  # a dot on each side of every label
    if ".-" in dotted or "-." in dotted:
        bad = next(label for label in labels if "-" in (label[:1], label[-1:]))
        yield hit("label-hyphen", span_of(bad, name, ".", start), "host")
    long = [label for label in labels if len(label) > LONGEST_LABEL]
    if long:
        yield hit("long-name", span_of(long[0], name, ".", start), "host")
    elif len(name) > LONGEST_NAME:
        yield hit("long-name", span, "host")
    bare = name.rstrip(".")
    last = bare.rpartition(".")[2]
    if last[:1] in in_number:
        end = start + len(bare)
        yield hit("numeric-host", (end - len(last), end), "host")


@cache
def name_chars() -> tuple[str, frozenset[str]]:
    """Return the characters of names, and those of them that begin a number."""
    words = frozenset(filter(_derives("word-char"), map(chr, range(128))))
    return "".join(words) + "-.%", words - charset("ALPHA")


class KeptTriplets(NamedTuple):
    """The triplets of ASCII that clients send as they are; None for those that all clients keep."""

    path: frozenset[str] | None
    query: frozenset[str] | None


_ALL_KEEP = KeptTriplets(None, None)
_ASCII_TRIPLETS = frozenset(f"%{octet:{form}}" for octet in range(128) for form in ("02X", "02x"))


def kept_triplets(clients: Collection[str]) -> KeptTriplets:
    """Return the triplets that some clients keep; "*" for all clients that were measured."""
    if clients == "*":
        return _ALL_KEEP
    rows = [CLIENTS[name] for name in clients]
    return KeptTriplets(
        _ASCII_TRIPLETS.difference(*(_triplets(row.path_triplets) for row in rows)),
        _ASCII_TRIPLETS.difference(*(_triplets(row.query_triplets) for row in rows)),
    )


def _triplets(text: str) -> set[str]:
    return {triplet for _, triplet in triplets_in(text)}


def spared_codes(clients: Collection[str]) -> frozenset[str]:
    """Return the codes whose rules no client needs; "*" for all clients that were measured.

    A rule that no trial has measured is needed by all.
    """
    if clients == "*":
        return frozenset()
    return frozenset(MEASURED).difference(*(CLIENTS[name].codes for name in clients))


def check_request(
    record: Record, spans: ComponentSpans, kept: KeptTriplets = _ALL_KEEP
) -> Iterator[Hit]:
    """Report what some client rewrites in the request target."""
    path, start = record.path, spans.path[0]
    yield from _check_segments(path, start)
    yield from _check_text(path, start, "path", kept.path)
    if path.endswith(";"):
        yield hit("request-final-semicolon", (spans.path[1] - 1, spans.path[1]), "path")
    if record.query is None or spans.query is None:
        return
    if not record.query:
        yield hit("request-empty-query", (spans.query[0] - 1, spans.query[1]), "query")
    else:
        odd = [one for one in record.query.split("&") if one[:1] in ("", "=")]
        place = (record.query, "&", spans.query[0], "query")
        yield from odd_pieces("request-empty-parameter", odd, *place)
    yield from _check_text(record.query, spans.query[0], "query", kept.query)


def _check_segments(path: str, start: int) -> Iterator[Hit]:
    doubled = path.find("//")
    if doubled >= 0:
        count = path.count("//")
        yield hit(
            "request-empty-segment", (start + doubled, start + doubled + 2), "path", "", count
        )
    if "." not in path and "%2" not in path:
        return
    # Some client takes ";" for the end of a segment.
    odd = [one for one in path.split("/") if is_dot_segment(one.partition(";")[0])]
    yield from odd_pieces("request-dot-segment", odd, path, "/", start, "path")


def is_dot_segment(segment: str) -> bool:
    """Return whether a segment is "." or "..", also with percent-encoded dots."""
    return len(segment) <= len("%2e%2e") and segment.lower().replace("%2e", ".") in (".", "..")


def _check_text(
    text: str, start: int, component: str, kept: frozenset[str] | None
) -> Iterator[Hit]:
    quote = text.find("'")
    if quote >= 0:
        here = (start + quote, start + quote + 1)
        yield hit("request-apostrophe", here, component, "", text.count("'"))
    if "%" not in text:
        return
    odd = [
        offset
        for offset, triplet in triplets_in(text)
        if not (
            triplet == triplet.upper()  # with its neighbours it is checked below
            if octet_of(triplet) > 0x7F
            else (is_kept_by_all(triplet, component) if kept is None else triplet in kept)
        )
    ]
    if odd:
        here = (start + odd[0], start + odd[0] + 3)
        detail = text[odd[0] : odd[0] + 3]
        yield hit("request-triplet", here, component, detail, len(odd))
    # Test each distinct character once, and look for offsets only if one of them is suspect.
    used = set(unquote_to_bytes(text).decode("utf-8", "surrogateescape"))
    if not any(is_stray_octet(char) or is_invisible(char) for char in used if not char.isascii()):
        return
    found: dict[str, list[Span]] = {}
    for offset, char in characters_in(text):
        if is_stray_octet(char):
            found.setdefault("request-not-utf8", []).append((offset, offset + 3))
        elif is_invisible(char):
            end = offset + 3 * len(char.encode())
            found.setdefault("request-invisible", []).append((offset, end))
    for code, spans in found.items():
        first, end = spans[0]
        yield hit(code, (start + first, start + end), component, text[first:end], len(spans))


@cache
def is_kept_by_all(triplet: str, component: str) -> bool:
    """Whether all clients keep a triplet of ASCII in a "path" or a "query"."""
    return _derives(f"{component}-triplet")(triplet) is not None


def is_invisible(char: str) -> bool:
    """Whether nothing is shown for a character: a control, a format character or alike."""
    return unicodedata.category(char) in _INVISIBLE_CATEGORIES or char in _other_invisibles()


@cache
def _other_invisibles() -> frozenset[str]:
    return frozenset(chr(code) for each in _OTHER_INVISIBLES for code in each)
