"""Checks of the layer "scheme": what the RFCs of URIs and of the schemes warn of."""

from __future__ import annotations

import unicodedata
from functools import cache
from html import unescape
from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher
from uriparse.iri import rewritten_label
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.records import IPv6, IPvFuture, RegName
from uriparse.text import Flag, How
from uriparse.text.layers import REFERENCE
from uriparse.validation.agreement_checks import is_dot_segment
from uriparse.validation.findings import (
    BAD_PORTS,
    default_port,
    octet_of,
    port_number,
    sign,
    span_of,
    triplets_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.resolution import BaseURI
    from uriparse.text import Found
    from uriparse.validation.findings import Places, Sign, Span


# What triplets may do to a program behind the parser (RFC 3986 section 7.3).

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


# What references bring with them: from where they stand (RFC 3986 section 5), and how found.

_SUFFIX_MARK = "www."
_DOTS = (".", "..")


def reference_signs(record: Record, at: Places, base: BaseURI | None) -> Iterator[Sign]:
    """Say what is doubtful in a reference, given the base it is read against, if there is one."""
    if record.query is not None and at.query is not None:
        dots = _dot_segment(record.query)
        if dots is not None:
            here = (at.query[0] + dots[0], at.query[0] + dots[1])
            yield sign("dots-in-query", here, "query")
    yield from _escaped_signs(record)
    relative = record.scheme is None
    if relative and record.host is None:
        if record.path[: len(_SUFFIX_MARK)].lower() == _SUFFIX_MARK:
            yield sign("suffix-reference-guess", at.path, "path")
        if base is None:
            yield sign("no-base", (0, 0), None)
        elif base.source == "default":
            yield sign("default-base-used", (0, 0), None)
    if base is not None and record.host is None and record.scheme is not None and at.scheme:
        same = record.scheme.lower() == base.uri.scheme.lower()
        if same:
            yield sign("misformed-relative-reference", at.scheme, "scheme")
    excess = _excess(record, base)
    if excess is not None:
        yield sign("excess-dot-dot", (at.path[0] + excess, at.path[0] + excess + 2), "path")


def found_signs(found: Found) -> Iterator[Sign]:
    """Say what made a URI that was found in a text unsure."""
    whole = (0, len(str(found.uri)))
    if Flag.HYPHEN_LINE_BREAK in found.flags:
        yield sign("hyphen-line-break", whole, None)
    if found.how is How.SUFFIX:
        yield sign("suffix-reference-guess", whole, None)


def _escaped_signs(record: Record) -> Iterator[Sign]:
    """Find the first character reference of HTML; it is no part of any component as such."""
    text = str(record)
    if "&" in text and ";" in text:
        for reference in REFERENCE.finditer(text):
            if unescape(reference[0]) != reference[0]:
                yield sign("escaped-html", reference.span(), None)
                return


def _dot_segment(query: str) -> tuple[int, int] | None:
    """Where a dot segment stands between the slashes of a query, at least one of them."""
    if "/" not in query or "." not in query:
        return None
    offset = 0
    for segment in query.split("/"):
        if segment in _DOTS:
            return offset, offset + len(segment)
        offset += len(segment) + 1
    return None


def _excess(record: Record, base: BaseURI | None) -> int | None:
    """Where the first ".." stands that climbs above the root; None if there is none."""
    if ".." not in record.path:
        return None
    depth = 0
    if record.scheme is None and record.host is None and not record.path.startswith("/"):
        if base is None:
            return None
        depth = base.uri.path.count("/") - 1
    offset = 0
    for number, segment in enumerate(record.path.split("/")):
        if segment == "..":
            if depth <= 0:
                return offset
            depth -= 1
        elif segment != "." and (segment or number):
            depth += 1
        offset += len(segment) + 1
    return None


# What the eye takes for something else in an IRI: directional controls and mixed scripts.

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that one label may hold together (UTS 39 section 5.2, "Highly Restrictive")."""

_COMMON = frozenset({"COMBINING", "DIGIT", "HYPHEN", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC"})
"""First words of the names of characters that belong to no single script."""


def script_signs(record: Record, at: Places) -> Iterator[Sign]:
    """Say what may deceive the reader of an IRI; nothing for a text in ASCII."""
    text = str(record)
    first = next((offset for offset, char in enumerate(text) if char in BIDI_CONTROLS), None)
    if first is not None:
        count = sum(map(text.count, BIDI_CONTROLS))
        yield sign("bidi-control", (first, first + 1), None, "", count)
    if isinstance(record.host, RegName) and at.host is not None:
        yield from _script_signs(str(record.host), at.host)


def _script_signs(name: str, span: Span) -> Iterator[Sign]:
    start = span[0]
    for label in name.split("."):
        scripts = scripts_of(label)
        if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
            detail = ", ".join(sorted(script.capitalize() for script in scripts))
            yield sign("mixed-scripts", (start, start + len(label)), "host", detail)
            return
        start += len(label) + 1


def scripts_of(label: str) -> frozenset[str]:
    """Name the scripts of a label's letters, by the first word of each letter's Unicode name.

    >>> sorted(scripts_of("p\u0430ypal-1"))
    ['CYRILLIC', 'LATIN']
    """
    names = (unicodedata.name(char, "").split(" ")[0] for char in label if char.isalpha())
    return frozenset(name for name in names if name and name not in _COMMON)


# What the RFCs of URIs and of the schemes warn of: hosts, ports, credentials, traps.

_LONGEST_HOST = 255
"""Octets of a name (RFC 3986 section 3.2.2)."""

_RESERVED_PORTS = range(1024)
_SMTP = 25
_SERVERS = frozenset({"http", "https", "ftp", "gopher", "telnet", "wais", "nntp", "prospero"})
"""Schemes whose URLs name a server (RFC 1738 sections 3.2 to 3.11)."""

_LOGINS = frozenset({"ftp", "telnet"})
"""Schemes whose URLs may name a user there."""

_NO_LOGINS = _SERVERS - _LOGINS
"""Those whose URLs may not."""

_LINES = frozenset({"ftp", "telnet", "nntp", "wais", "prospero"})
"""Schemes whose protocols are made of lines, so that CR and LF begin a new command."""

_GOPHER_DELIMITERS = b"\t\r\n"
"""What divides a gopher request, and what ends it (RFC 1738 section 3.4)."""

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
)
"""Names that mean a device in some file systems (RFC 3986 section 7.3)."""


def scheme_signs(record: Record, at: Places, scheme: str | None) -> Iterator[Sign]:
    """Say what the RFCs warn of in a reference; `scheme` is its own in lower case."""
    if at.scheme is not None and record.scheme != scheme:
        yield sign("upper-case-scheme", at.scheme, "scheme")
    if record.userinfo is not None and at.userinfo is not None:
        yield from _userinfo_signs(record.userinfo, at.userinfo, scheme)
    if record.host is not None and at.host is not None:
        yield from _host_signs(record, at.host, scheme)
    if record.port is not None and at.port is not None:
        yield from _port_signs(record.port, at.port, scheme)
    yield from _path_signs(record.path, at.path[0])
    if scheme is not None:
        yield from _trap_signs(record, at, scheme)


def _userinfo_signs(userinfo: str, span: Span, scheme: str | None) -> Iterator[Sign]:
    user, _, password = userinfo.partition(":")
    if password:
        yield sign("password-in-uri", (span[0] + len(user) + 1, span[1]), "userinfo")
    if scheme in _NO_LOGINS:
        yield sign("userinfo-not-allowed", span, "userinfo")
    if "." in user or "&" in user or "=" in user or "%40" in user or "%2f" in user.lower():
        yield sign("misleading-userinfo", (span[0], span[0] + len(user)), "userinfo")


def _host_signs(record: Record, span: Span, scheme: str | None) -> Iterator[Sign]:
    host = record.host
    text = str(host)
    if not text:
        if scheme in _SERVERS:
            yield sign("no-server", span, "host")
    elif isinstance(host, IPvFuture):
        yield sign("unknown-ip-literal-version", span, "host")
    elif isinstance(host, IPv6):
        yield sign("ipv6-host", span, "host")
    elif isinstance(host, RegName):
        if len(text) > _LONGEST_HOST:
            yield sign("host-too-long", span, "host")
        yield from _host_label_signs(text, span)
        if is_number_like(text):
            yield sign("ipv4-lookalike", span, "host")
    if scheme == "file" and len(text) == 1 and record.port == "":
        yield sign("file-drive-letter-host", (span[0], span[1] + 1), "host")


def _host_label_signs(name: str, span: Span) -> Iterator[Sign]:
    bare = name.rstrip(".")
    dotted = f".{bare}."  # a dot on each side of every label
    if ".-" in dotted or "-." in dotted or _digits(bare.rpartition(".")[2]):
        yield sign("dns-label", span, "host")
    if "_" in name:
        here = span[0] + name.index("_")
        yield sign("host-underscore", (here, here + 1), "host")
    if "--" in name and rewritten_label(name) is not None:
        yield sign("bad-a-label", span, "host")


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def is_number_like(name: str) -> bool:
    """Whether a name is what C's inet_aton takes for an IPv4 address (RFC 3986 section 7.4).

    >>> [is_number_like(name) for name in ("1.2.3", "0x7f.1", "2130706433", "a.1", "1.2.3.4.5")]
    [True, True, True, False, False]
    """
    if name.count(".") > 4 or not name[:1].isdigit():
        return False
    parts = name.removesuffix(".").split(".")
    return len(parts) <= 4 and all(map(_is_number, parts))


def _is_number(part: str) -> bool:
    return all(map(_is_hex, part[2:])) if part[:2] in ("0x", "0X") else _digits(part)


def _is_hex(char: str) -> bool:
    return char in charset("HEXDIG")


def _port_signs(port: str, span: Span, scheme: str | None) -> Iterator[Sign]:
    if not port:
        yield sign("port-left-empty", span, "port")
        return
    number = port_number(port)
    if number is None:
        yield sign("port-out-of-range", span, "port")
        return
    default = default_port(scheme)
    if default is None or number == default:
        return
    yield sign("non-default-port", span, "port", f"{number}, not {default}")
    if number in _RESERVED_PORTS:
        yield sign("reserved-port", span, "port")
    if number == _SMTP:
        yield sign("cross-protocol-smtp", span, "port")
    if number in BAD_PORTS and scheme in ("http", "https"):
        yield sign("uncommon-port", span, "port")


def _path_signs(path: str, start: int) -> Iterator[Sign]:
    lower = path.lower()
    if "%2e" in lower:
        odd = [one for one in path.split("/") if "%" in one and is_dot_segment(one)]
        if odd:
            here = span_of(odd[0], path, "/", start)
            yield sign("encoded-dot-segment", here, "path", "", len(odd))
    if not _DEVICES.isdisjoint(lower.replace(".", "/").split("/")):
        odd = [one for one in path.split("/") if one.partition(".")[0].lower() in _DEVICES]
        if odd:
            here = span_of(odd[0], path, "/", start)
            yield sign("backend-special-name", here, "path", "", len(odd))


def _trap_signs(record: Record, at: Places, scheme: str) -> Iterator[Sign]:
    """Say what only one scheme, or one generation of rules, warns of."""
    text = str(record)
    if scheme in SCHEME_DEFAULTS:
        for char in _national():
            if char in text:
                here = text.index(char)
                yield sign("unsafe-character", (here, here + 1), None, char, text.count(char))
    if scheme in _LINES:
        yield from _delimiter_signs(text, 0, b"\r\n")
    elif scheme == "gopher":
        yield from _gopher_signs(text, at)
    elif scheme == "mailto":
        yield from _mail_signs(record.path, at.path[0])
    if scheme in ("nntp", "file"):
        yield sign("not-globally-accessible", at.scheme or (0, 0), "scheme")
    if record.host is not None and not record.path and "@" in (record.query or ""):
        from uriparse.schemes.dialects import dialects  # noqa: PLC0415 - seldom needed

        if dialects(text).hosts_differ:
            yield sign("dialect-host-mismatch", at.authority or (0, 0), "authority")


@cache
def _national() -> tuple[str, ...]:
    """Characters that RFC 1738 never allows raw; those of them that RFC 3986 does."""
    return tuple(sorted(charset("national", "rfc1738") & charset("unreserved")))


def _delimiter_signs(text: str, start: int, delimiters: bytes) -> Iterator[Sign]:
    odd = [at for at, triplet in triplets_in(text) if octet_of(triplet) in delimiters]
    if odd:
        here = (start + odd[0], start + odd[0] + 3)
        yield sign("encoded-protocol-delimiter", here, None, text[odd[0] : odd[0] + 3], len(odd))


def _gopher_signs(text: str, at: Places) -> Iterator[Sign]:
    """Look at selector and search alone: what follows them, a Gopher+ string, may hold lines."""
    end = len(text) if at.fragment is None else at.fragment[0] - 1
    match = matcher("gopherurl", "rfc1738").fullmatch(text, 0, end)
    if match is None:
        return
    for group in ("selector", "gopher_search"):
        if match[group]:
            yield from _delimiter_signs(match[group], match.start(group), _GOPHER_DELIMITERS)
    triplets = triplets_in(match["selector"] or "")
    if any(octet_of(triplet) in _GOPHER_DELIMITERS for _, triplet in triplets):
        yield sign("gopher-selector-control-char", match.span("selector"), "path")


def _mail_signs(address: str, start: int) -> Iterator[Sign]:
    """Find a raw "%" of a mail route, before what happens to be hexadecimal (RFC 1738 §3.5)."""
    for at, triplet in triplets_in(address):
        octet = octet_of(triplet)
        if octet > 0x7F or octet < 0x20:
            yield sign("mailto-suspicious-escape", (start + at, start + at + 3), "path", triplet)
            return
