"""The reading of a URL by the document of WWWOFFLE 2.6, and the canonical form of its parts.

The reading is total, and by heuristics: every text has parts, which are left as written; `program`
splits as the program's later versions do. There is one rule a part: it decodes once and encodes
once, by a set without the delimiters around its part. So what it writes is split again at the same
places and comes out of the rule unchanged: the canonical form is its own canonical form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from uriparse.grammar import charset
from uriparse.legacy.octets import Octets, decode, encoder
from uriparse.legacy.wwwoffle import encodings
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.resolution import remove_dot_segments

_DIGIT = charset("DIGIT")
_NEVER_IN_PROTOCOL = frozenset("/@[")
_LOCAL_PROTOCOL = "http"


@dataclass(slots=True, eq=False)
class WwwoffleParts:
    """The parts of one URL, which the rules rewrite in place. None is an absent part."""

    protocol: str | None
    """What is before the first ":"."""
    host: str
    """Host and port together, as WWWOFFLE has them."""
    path: str
    """From the first "/" on; empty where there is none."""
    username: str | None = None
    password: str | None = None
    params: str | None = None
    """What follows the first ";" of the path; None in 2.9, which does not split it off."""
    arguments: str | None = None
    """What follows "?"."""
    is_local: bool = False
    """Whether the text names no host; for the program alone."""


def split_parts(octets: Octets, localhost: Octets) -> WwwoffleParts:
    """Split a URL into its parts as written.

    localhost: host and port of a URL that names no host, as one that begins with "/".

    >>> parts = split_parts("user@host:pass@h:80?q#f", "")
    >>> parts.protocol, parts.username, parts.password, parts.host, parts.path, parts.arguments
    (None, 'user@host', 'pass', 'h:80', '', 'q')
    """
    octets = octets.partition("#")[0]
    octets, question, arguments = octets.partition("?")
    if octets.startswith("/"):
        parts = WwwoffleParts(_LOCAL_PROTOCOL, localhost, octets)
    else:
        protocol, start = _protocol(octets)
        host, slash, path = octets[start:].partition("/")
        parts = WwwoffleParts(protocol, host, slash + path)
        _split_credentials(parts)
    _split_params(parts)
    parts.arguments = arguments if question else None
    parts.host = parts.host or localhost
    return parts


def _protocol(octets: Octets) -> tuple[Octets | None, int]:
    """Find the protocol, and the offset at which user name or host begins.

    Slashes after the protocol may be missing. Where they are, a ":" before a digit is one of a
    port, and one before an "@" is one of a password; an empty protocol counts as missing.
    """
    colon = octets.find(":")
    slash = octets.find("/")
    at = octets.find("@")
    if (
        colon < 0
        or not _NEVER_IN_PROTOCOL.isdisjoint(octets[:colon])
        or (slash != colon + 1 and octets[colon + 1 : colon + 2] in _DIGIT)
        or (slash != colon + 1 and at >= 0 and not 0 <= slash < at)
    ):
        return None, int(octets.startswith("@"))
    start = colon + 1
    slashes = octets[start : start + 2]
    return octets[:colon] or None, start + len(slashes) - len(slashes.lstrip("/"))


def _split_credentials(parts: WwwoffleParts) -> None:
    """Take user name and password from before the last "@", which is where people forget it."""
    before, at, host = parts.host.rpartition("@")
    if at:
        parts.host = host
        parts.username, colon, password = before.partition(":")
        if colon:
            parts.password = password


def _split_params(parts: WwwoffleParts) -> None:
    """Take the params from after the first ";" of host and path."""
    parts.host, semicolon, after = parts.host.partition(";")
    if semicolon:
        parts.params = after + parts.path
        parts.path = ""
        return
    parts.path, semicolon, after = parts.path.partition(";")
    if semicolon:
        parts.params = after


def split_port(host: Octets) -> tuple[Octets, Octets | None]:
    """Split host and port at the last ":", but not inside a literal in brackets.

    >>> split_port("h:80"), split_port("[::1]"), split_port("[::1]:8")
    (('h', '80'), ('[::1]', None), ('[::1]', '8'))
    """
    if is_literal(host):
        end = host.find("]") + 1
        return host[:end], host[end + 1 :] if end < len(host) else None
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, None)


def is_literal(host: Octets) -> bool:
    """Return whether host and port begin with an address in brackets.

    >>> is_literal("[::1]:80"), is_literal("[::1]x")
    (True, False)
    """
    end = host.find("]") + 1
    return host.startswith("[") and end > 0 and host[end : end + 1] in {"", ":"}


def composed(parts: WwwoffleParts) -> Octets:
    """Print the parts as they are."""
    protocol = "" if parts.protocol is None else f"{parts.protocol}://"
    password = "" if parts.password is None else f":{parts.password}"
    credentials = "" if parts.username is None else f"{parts.username}{password}@"
    params = "" if parts.params is None else f";{parts.params}"
    arguments = "" if parts.arguments is None else f"?{parts.arguments}"
    return f"{protocol}{credentials}{parts.host}{parts.path}{params}{arguments}"


# What the canonical form makes of each part.

Rule: TypeAlias = Callable[[WwwoffleParts], None]
"""Rewrites one part, or what it leaves out."""

_DEFAULT_PROTOCOL = "http"
DEFAULT_PORTS = {
    "finger": "79",
    **{scheme: str(SCHEME_DEFAULTS[scheme].port) for scheme in ("ftp", "http", "https")},
}
"""Of the protocols that the program speaks; it knows no other default port."""

_IN_HOST = charset("reg-name") - {";"}  # which would begin the params

_PROTOCOL_TABLE = encoder(charset("scheme", "rfc1738"), lower=True)
_NAME_TABLE = encoder(_IN_HOST, lower=True)
_LITERAL_TABLE = encoder(_IN_HOST | {":"}, lower=True)
_PORT_TABLE = encoder(_IN_HOST)
_PASSWORD_TABLE = encoder(encodings.PASSWORD)

_ENCODED_SLASH = "\u0100"
"""Stands for "%2F" while the path around it is decoded; it is not an octet."""


class NamedRule(NamedTuple):
    """A rule, its short name in lower case, and what it says in one sentence."""

    name: str
    says: str
    apply: Rule


@cache
def rules(*, preserve_encoded_slash: bool) -> tuple[NamedRule, ...]:
    """Return the rules of the canonical form in their order.

    preserve_encoded_slash: whether "%2F" in the path stays encoded.
    """
    path_table = encodings.BEFORE_PARAMS | {ord(_ENCODED_SLASH): "%2F"}

    def path(parts: WwwoffleParts) -> None:
        octets = parts.path
        if not octets:
            parts.path = "/"
            return
        if "%" in octets:
            if preserve_encoded_slash:
                octets = octets.replace("%2F", _ENCODED_SLASH).replace("%2f", _ENCODED_SLASH)
            octets = decode(octets)
        parts.path = remove_dot_segments(octets).translate(path_table)

    return (
        NamedRule("protocol", "http where none is written; in lower case", _settled),
        NamedRule("credentials", "one encoding; empty ones stay", _credentials),
        NamedRule("host", "in lower case, one encoding", _host),
        NamedRule("port", "left out where it is the protocol's default", _port),
        NamedRule("path", '"/" where none is written; no dot segments, one encoding', path),
        NamedRule("params", "one encoding; left out where empty", partial(_recoded, "params")),
        NamedRule(
            "arguments", "one encoding; left out where empty", partial(_recoded, "arguments")
        ),
    )


def canonical_host(host: Octets, protocol: str) -> str:
    """Host and port in canonical form.

    >>> canonical_host("H:0080", "http"), canonical_host("[::A]:81", "http")
    ('h', '[::a]:81')
    """
    parts = WwwoffleParts(protocol, host, "")
    _host(parts)
    _port(parts)
    return parts.host


def canonical_protocol(protocol: Octets | None) -> Octets:
    """Protocol in canonical form."""
    if protocol is None:
        return _DEFAULT_PROTOCOL
    return decode(protocol).translate(_PROTOCOL_TABLE)


def _settled(parts: WwwoffleParts) -> None:
    parts.protocol = canonical_protocol(parts.protocol)


def _credentials(parts: WwwoffleParts) -> None:
    for name in ("username", "password"):
        if (part := getattr(parts, name)) is not None:
            setattr(parts, name, decode(part).translate(_PASSWORD_TABLE))


def _host(parts: WwwoffleParts) -> None:
    name, port = split_port(parts.host)
    if is_literal(name):
        name = f"[{decode(name[1:-1]).translate(_LITERAL_TABLE)}]"
    else:
        name = decode(name).translate(_NAME_TABLE)
    parts.host = name if port is None else f"{name}:{decode(port).translate(_PORT_TABLE)}"


def _port(parts: WwwoffleParts) -> None:
    name, port = split_port(parts.host)
    if name and port:  # without both it would be the local host
        default = DEFAULT_PORTS.get(parts.protocol or "")
        parts.host = name if port.lstrip("0") == default else parts.host


def _recoded(name: str, parts: WwwoffleParts) -> None:
    if (part := getattr(parts, name)) is not None:
        setattr(parts, name, encodings.recode_form_octets(part) or None)
