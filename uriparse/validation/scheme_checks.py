"""Checks of the layer "scheme": what the RFCs of URIs and of the schemes warn of."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import TYPE_CHECKING

from uriparse.components.servers import default_port, tcp_port
from uriparse.components.target import WWW
from uriparse.errors import SchemeError
from uriparse.grammar import charset, matcher
from uriparse.iri import rewritten_label
from uriparse.records import IPv6, IPvFuture, RegName
from uriparse.validation.agreement_checks import is_dot_segment
from uriparse.validation.findings import (
    BAD_PORTS,
    Hit,
    hit,
    octet_of,
    odd_pieces,
    span_of,
    triplets_in,
)

if TYPE_CHECKING:
    from uriparse.parsing import Record
    from uriparse.records.spans import ComponentSpans, Span
    from uriparse.resolution import BaseURI
    from uriparse.text import Found


# Triplets that harm a program after the parser (RFC 3986 section 7.3).

# Directional formatting characters (Unicode 15, property Bidi_Control), in UTF-8.
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BIDI_OCTETS = frozenset(char.encode() for char in BIDI_CONTROLS)

# First octets of overlong UTF-8 sequences, with the exclusive bound of the second octet then
# (RFC 3629 section 3); C0 and C1 begin no other sequences.
_OVERLONG = {0xC0: 0xC0, 0xC1: 0xC0, 0xE0: 0xA0, 0xF0: 0x90}


def check_octets(record: Record, spans: ComponentSpans) -> Iterator[Hit]:
    """Report doubtful octets that a reference encodes."""
    whole = str(record)
    for component in ("userinfo", "host", "path", "query", "fragment"):
        start, end = getattr(spans, component) or (0, 0)
        if "%" in (text := whole[start:end]):
            yield from _check_component(text, start, component)


def _check_component(text: str, start: int, component: str) -> Iterator[Hit]:
    found: dict[str, list[int]] = {}  # code → offsets
    after, run = 0, b""  # adjacent octets beyond ASCII
    for offset, triplet in triplets_in(text):
        octet, codes = _codes_of_triplet(triplet)
        if octet > b"\x7f":
            run = run[-2:] + octet if offset == after else octet
            after = offset + 3
            codes = (*_codes_of_run(run), *codes)
        elif (
            octet == b"%"
            and len(following := text[offset + 3 : offset + 5]) == 2
            and charset("HEXDIG").issuperset(following)
        ):
            codes = (*codes, "double-encoding")
        for code in codes:
            found.setdefault(code, []).append(offset)
    for code, offsets in found.items():
        first = start + offsets[0]
        yield hit(code, (first, first + 3), component, "", len(offsets))
    if component == "path" and (dots := _traversal(text)) is not None:
        yield hit("encoded-traversal", (start + dots[0], start + dots[1]), component)


@cache
def _codes_of_triplet(triplet: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the octet of a triplet, and its codes that do not depend on its neighbours."""
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
    """Yield the codes that the last of up to three octets causes together with the others."""
    if len(octets) > 1 and 0x80 <= octets[-1] < _OVERLONG.get(octets[-2], 0):
        yield "overlong-utf8"
    if octets in _BIDI_OCTETS or octets[-2:] in _BIDI_OCTETS:
        yield "bidi-control"


def _traversal(path: str) -> Span | None:
    """Return the span of the first ".." next to an encoded "/"; None if there is none."""
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


# References: what depends on the base (RFC 3986 section 5), and on how a URI was found in a text.


def check_reference(record: Record, spans: ComponentSpans, base: BaseURI | None) -> Iterator[Hit]:
    """Report what is doubtful in a reference with this base, or without one."""
    if record.query is not None and spans.query is not None:
        dots = [one for one in record.query.split("/") if one in (".", "..")]
        if dots and "/" in record.query:
            here = span_of(dots[0], record.query, "/", spans.query[0])
            yield hit("dots-in-query", here, "query")
    yield from _check_escapes(record)
    if record.scheme is None and record.host is None:
        if record.path[: len(WWW)].lower() == WWW:
            yield hit("suffix-reference-guess", spans.path, "path")
        if base is None:
            yield hit("no-base", (0, 0), None)
        elif base.source == "default":
            yield hit("default-base-used", (0, 0), None)
    if base is not None and record.host is None and spans.scheme is not None:
        same = str(record.scheme).lower() == base.uri.scheme.lower()
        if same:
            yield hit("misformed-relative-reference", spans.scheme, "scheme")
    excess = _excess(record, base)
    if excess is not None:
        yield hit("excess-dot-dot", (spans.path[0] + excess, spans.path[0] + excess + 2), "path")


def check_requirements(record: Record, scheme: str | None) -> Iterator[Hit]:
    """Report what the RFC of a scheme requires beside its ABNF (`uriparse.schemes.constraints`)."""
    if scheme is None or scheme.lower() in {"http", "https"}:  # nothing, and most URIs are these
        return
    from uriparse.schemes import CURRENT, parse_url  # noqa: PLC0415 - for other schemes alone

    known = CURRENT.get(scheme.lower())
    if known is None or not known.record.CONSTRAINTS:
        return
    try:
        parse_url(str(record))
    except SchemeError as error:
        if error.source is not None:
            yield hit("scheme-requirement", error.span, error.component, error.reason)


def check_found_uri(found: Found) -> Iterator[Hit]:
    """Report why a URI that was found in a text may be wrong."""
    from uriparse.text import Flag, How  # noqa: PLC0415 - only for what was found in a text

    whole = (0, len(str(found.uri)))
    if Flag.HYPHEN_LINE_BREAK in found.flags:
        yield hit("hyphen-line-break", whole, None)
    if found.how is How.SUFFIX:
        yield hit("suffix-reference-guess", whole, None)


def _check_escapes(record: Record) -> Iterator[Hit]:
    """Report the first HTML character reference, whatever component it is in."""
    text = str(record)
    if "&" in text and ";" in text:
        from uriparse.text.layers import REFERENCE  # noqa: PLC0415 - seldom needed

        for reference in REFERENCE.finditer(text):
            if unescape(reference[0]) != reference[0]:
                yield hit("escaped-html", reference.span(), None)
                return


def _excess(record: Record, base: BaseURI | None) -> int | None:
    """Return the offset of the first ".." that climbs above the root; None if there is none."""
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


# Characters of an IRI that people misread: directional controls and mixed scripts.

_MIXABLE_SCRIPTS = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that one label may mix (UTS 39 section 5.2, "Highly Restrictive")."""

_COMMON = frozenset({"COMBINING", "DIGIT", "HYPHEN", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC"})
"""First words of the names of characters that do not belong to a single script."""


def check_scripts(record: Record, spans: ComponentSpans) -> Iterator[Hit]:
    """Report what may deceive the reader of an IRI; nothing for an ASCII text."""
    text = str(record)
    first = next((offset for offset, char in enumerate(text) if char in BIDI_CONTROLS), None)
    if first is not None:
        count = sum(map(text.count, BIDI_CONTROLS))
        yield hit("bidi-control", (first, first + 1), None, "", count)
    if not isinstance(record.host, RegName) or spans.host is None:
        return
    name = str(record.host)
    for label in name.split("."):
        scripts = scripts_of(label)
        if len(scripts) > 1 and not any(scripts <= together for together in _MIXABLE_SCRIPTS):
            here = span_of(label, name, ".", spans.host[0])
            detail = ", ".join(sorted(script.capitalize() for script in scripts))
            yield hit("mixed-scripts", here, "host", detail)
            return


def scripts_of(label: str) -> frozenset[str]:
    """Return the scripts of a label's letters: the first word of each letter's Unicode name."""
    names = (unicodedata.name(char, "").split(" ")[0] for char in label if char.isalpha())
    return frozenset(name for name in names if name and name not in _COMMON)


# Hosts, ports, credentials, and the warnings of single schemes.

_LONGEST_HOST = 255
"""The most octets of a name (RFC 3986 section 3.2.2)."""

_RESERVED_PORTS = range(1024)
_SMTP = 25
_SERVERS = frozenset({"http", "https", "ftp", "gopher", "telnet", "wais", "nntp", "prospero"})
"""Schemes whose URLs name a server (RFC 1738 sections 3.2 to 3.11)."""

_NO_LOGINS = _SERVERS - {"ftp", "telnet"}
"""Those of them whose URLs may not name a user."""

_EARLY = _SERVERS | {"file", "mailto", "news"}
"""The schemes of RFC 1738, and https."""

_LINES = frozenset({"ftp", "telnet", "nntp", "wais", "prospero"})
"""Schemes of line-based protocols, in which CR and LF begin a new command."""

_GOPHER_DELIMITERS = b"\t\r\n"
"""The octets that divide and end a gopher request (RFC 1738 section 3.4)."""

DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
)
"""Names of devices in some file systems (RFC 3986 section 7.3)."""


def check_scheme(record: Record, spans: ComponentSpans, scheme: str | None) -> Iterator[Hit]:
    """Report what the RFCs warn of in a reference; `scheme` is its scheme in lower case."""
    if spans.scheme is not None and record.scheme != scheme:
        yield hit("upper-case-scheme", spans.scheme, "scheme")
    if record.userinfo is not None and spans.userinfo is not None:
        yield from _check_userinfo(record.userinfo, spans.userinfo, scheme)
    if record.host is not None and spans.host is not None:
        yield from _check_host(record, spans.host, scheme)
    elif scheme in _SERVERS:
        yield hit("no-server", (spans.path[0], spans.path[0]), "host")
    if record.port is not None and spans.port is not None:
        yield from _check_port(record.port, spans.port, scheme)
    yield from _check_path(record.path, spans.path[0])
    if scheme is not None:
        yield from _check_traps(record, spans, scheme)


def _check_userinfo(userinfo: str, span: Span, scheme: str | None) -> Iterator[Hit]:
    user, _, password = userinfo.partition(":")
    if password:
        yield hit("password-in-uri", (span[0] + len(user) + 1, span[1]), "userinfo")
    if scheme in _NO_LOGINS:
        yield hit("userinfo-not-allowed", span, "userinfo")
    if "." in user or "&" in user or "=" in user or "%40" in user or "%2f" in user.lower():
        yield hit("misleading-userinfo", (span[0], span[0] + len(user)), "userinfo")


def _check_host(record: Record, span: Span, scheme: str | None) -> Iterator[Hit]:
    host = record.host
    text = str(host)
    if not text:
        if scheme in _SERVERS:
            yield hit("no-server", span, "host")
    elif isinstance(host, IPvFuture):
        yield hit("unknown-ip-literal-version", span, "host")
    elif isinstance(host, IPv6):
        yield hit("ipv6-host", span, "host")
    elif isinstance(host, RegName):
        if len(text) > _LONGEST_HOST:
            yield hit("host-too-long", span, "host")
        yield from _check_labels(text, span)
        if is_number_like(text):
            yield hit("ipv4-lookalike", span, "host")
    if scheme == "file" and len(text) == 1 and record.port == "":
        yield hit("file-drive-letter-host", (span[0], span[1] + 1), "host")


def _check_labels(name: str, span: Span) -> Iterator[Hit]:
    bare = name.rstrip(".")
    dotted = f".{bare}."  # a dot on each side of every label
    if ".-" in dotted or "-." in dotted or _digits(bare.rpartition(".")[2]):
        yield hit("dns-label", span, "host")
    if "_" in name:
        here = span[0] + name.index("_")
        yield hit("host-underscore", (here, here + 1), "host")
    if "--" in name and rewritten_label(name) is not None:
        yield hit("bad-a-label", span, "host")


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def is_number_like(name: str) -> bool:
    """Return whether C's inet_aton reads a name as an IPv4 address (RFC 3986 section 7.4)."""
    if name.count(".") > 4 or not name[:1].isdigit():
        return False
    parts = name.removesuffix(".").split(".")
    return len(parts) <= 4 and all(
        charset("HEXDIG").issuperset(part[2:]) if part[:2] in ("0x", "0X") else _digits(part)
        for part in parts
    )


def _check_port(port: str, span: Span, scheme: str | None) -> Iterator[Hit]:
    if not port:
        yield hit("port-left-empty", span, "port")
        return
    number = tcp_port(port)
    if number is None:
        yield hit("port-out-of-range", span, "port")
        return
    default = default_port(scheme)
    if default is None or number == default:
        return
    yield hit("non-default-port", span, "port", f"{number}, not {default}")
    if number in _RESERVED_PORTS:
        yield hit("reserved-port", span, "port")
    if number == _SMTP:
        yield hit("cross-protocol-smtp", span, "port")
    if number in BAD_PORTS and scheme in ("http", "https"):
        yield hit("uncommon-port", span, "port")


def _check_path(path: str, start: int) -> Iterator[Hit]:
    lower = path.lower()
    if "%2e" in lower:
        odd = [one for one in path.split("/") if "%" in one and is_dot_segment(one)]
        yield from odd_pieces("encoded-dot-segment", odd, path, "/", start, "path")
    if not DEVICES.isdisjoint(lower.replace(".", "/").split("/")):
        odd = [one for one in path.split("/") if one.partition(".")[0].lower() in DEVICES]
        yield from odd_pieces("backend-special-name", odd, path, "/", start, "path")


def _check_traps(record: Record, spans: ComponentSpans, scheme: str) -> Iterator[Hit]:
    text = str(record)
    if scheme in _EARLY:
        for char in _national():
            if char in text:
                here = text.index(char)
                yield hit("unsafe-character", (here, here + 1), None, char, text.count(char))
    if scheme in _LINES:
        yield from _check_delimiters(text, 0, b"\r\n")
    elif scheme == "gopher":
        yield from _check_gopher(text, spans)
    elif scheme == "mailto":
        yield from _check_mail(record.path, spans.path[0])
    if scheme in ("nntp", "file"):
        yield hit("not-globally-accessible", spans.scheme or (0, 0), "scheme")
    has_host = record.host is not None and not record.path
    # RFC 1738 has no "@" in URLs of http, and knows no https.
    if has_host and scheme not in {"http", "https"} and "@" in (record.query or ""):
        from uriparse.schemes.dialects import older_host  # noqa: PLC0415 - seldom needed

        if (older_host(text) or str(record.host)).lower() != str(record.host).lower():
            yield hit("dialect-host-mismatch", spans.authority or (0, 0), "authority")


@cache
def _national() -> tuple[str, ...]:
    """Characters that RFC 3986 allows and RFC 1738 requires to be encoded."""
    return tuple(sorted(charset("national", "rfc1738") & charset("unreserved")))


def _check_delimiters(text: str, start: int, delimiters: bytes) -> Iterator[Hit]:
    triplets = triplets_in(text)
    odd = [(at, triplet) for at, triplet in triplets if octet_of(triplet) in delimiters]
    if odd:
        at, first = odd[0]
        here = (start + at, start + at + 3)
        yield hit("encoded-protocol-delimiter", here, None, first, len(odd))


def _check_gopher(text: str, spans: ComponentSpans) -> Iterator[Hit]:
    """Check selector and search only: a Gopher+ string after them may contain line ends."""
    end = len(text) if spans.fragment is None else spans.fragment[0] - 1
    match = matcher("gopherurl", "rfc1738").fullmatch(text, 0, end)
    if match is None:
        return
    for group in ("selector", "gopher_search"):
        if match[group]:
            yield from _check_delimiters(match[group], match.start(group), _GOPHER_DELIMITERS)
    triplets = triplets_in(match["selector"] or "")
    if any(octet_of(triplet) in _GOPHER_DELIMITERS for _, triplet in triplets):
        yield hit("gopher-selector-control-char", match.span("selector"), "path")


def _check_mail(address: str, start: int) -> Iterator[Hit]:
    for at, triplet in triplets_in(address):
        octet = octet_of(triplet)
        if octet > 0x7F or octet < 0x20:
            yield hit("mailto-suspicious-escape", (start + at, start + at + 3), "path", triplet)
            return
