"""What the RFCs of URIs and of the schemes warn of: hosts, ports, credentials, traps."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher
from uriparse.iri.idna_hosts import rewritten_label
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.records import IPv6, IPvFuture, RegName
from uriparse.validation.agreement import is_dot_segment
from uriparse.validation.findings import sign
from uriparse.validation.places import span_of
from uriparse.validation.ports import BAD_PORTS, default_port, port_number
from uriparse.validation.triplets import octet_of, triplets_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.validation.findings import Sign, Span
    from uriparse.validation.places import Places

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
        yield from _label_signs(text, span)
        if is_number_like(text):
            yield sign("ipv4-lookalike", span, "host")
    if scheme == "file" and len(text) == 1 and record.port == "":
        yield sign("file-drive-letter-host", (span[0], span[1] + 1), "host")


def _label_signs(name: str, span: Span) -> Iterator[Sign]:
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
