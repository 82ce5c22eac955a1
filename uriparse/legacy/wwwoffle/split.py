"""WWWOFFLE's reading of a URL: total, and by heuristics where people leave parts out.

No grammar is behind it: every text has parts. They are left as written; `part_rules` says
what the canonical form makes of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset

if TYPE_CHECKING:
    from uriparse.legacy.octets import Octets

_DIGIT = charset("DIGIT")
_NEVER_IN_PROTOCOL = frozenset("/@[")
_LOCAL_PROTOCOL = "http"


class Parts:
    """The parts of one URL, which the rules rewrite in place. None is an absent part.

    Attributes:
        protocol: what stands before the first ":".
        username: what stands before the "@" or its ":".
        password: what stands between them.
        host: host and port together, as WWWOFFLE has them.
        path: from the first "/" on; empty where there is none.
        params: what follows the first ";" of the path, if that is split off; else None.
        arguments: what follows "?".

    """

    __slots__ = ("arguments", "host", "params", "password", "path", "protocol", "username")

    def __init__(self, protocol: str | None, host: str, path: str) -> None:
        self.protocol = protocol
        self.username: str | None = None
        self.password: str | None = None
        self.host = host
        self.path = path
        self.params: str | None = None
        self.arguments: str | None = None


def split_parts(octets: Octets, *, localhost: Octets, params: bool) -> Parts:
    """Split a URL into its parts as written.

    localhost: host and port of a URL that names no host, as one that begins with "/".
    params: whether path and host end at the first ";".

    >>> parts = split_parts("user@host:pass@h:80?q#f", localhost="", params=True)
    >>> parts.protocol, parts.username, parts.password, parts.host, parts.path, parts.arguments
    (None, 'user@host', 'pass', 'h:80', '', 'q')
    """
    octets = octets.partition("#")[0]
    octets, question, arguments = octets.partition("?")
    if octets.startswith("/"):
        parts = Parts(_LOCAL_PROTOCOL, localhost, octets)
    else:
        protocol, start = _protocol(octets)
        slash = octets.find("/", start)
        if slash < 0:
            slash = len(octets)
        parts = Parts(protocol, octets[start:slash], octets[slash:])
        _split_credentials(parts)
    if params:
        _split_params(parts)
    if question:
        parts.arguments = arguments
    parts.host = parts.host or localhost
    return parts


def _protocol(octets: Octets) -> tuple[Octets | None, int]:
    """Find the protocol, and the offset at which user name or host begins.

    Slashes after the protocol may be missing. Where they are, a ":" before a digit is one of a
    port, and one before an "@" is one of a password; an empty protocol is none.
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
    if octets.startswith("//", start):
        start += 2
    elif octets.startswith("/", start):
        start += 1
    return octets[:colon] or None, start


def _split_credentials(parts: Parts) -> None:
    """Take user name and password from before the last "@", which is where people forget it."""
    before, at, host = parts.host.rpartition("@")
    if at:
        parts.host = host
        parts.username, colon, password = before.partition(":")
        if colon:
            parts.password = password


def _split_params(parts: Parts) -> None:
    """Take the params from behind the first ";" of host and path."""
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
    """Whether host and port begin with an address in brackets.

    >>> is_literal("[::1]:80"), is_literal("[::1]x")
    (True, False)
    """
    if not host.startswith("["):
        return False
    end = host.find("]") + 1
    return end > 0 and host[end : end + 1] in {"", ":"}


def composed(parts: Parts) -> Octets:
    """Print the parts as they are.

    >>> composed(split_parts("h/a;b?c", localhost="", params=True))
    'h/a;b?c'
    """
    protocol = "" if parts.protocol is None else parts.protocol + "://"
    credentials = ""
    if parts.username is not None:
        password = "" if parts.password is None else ":" + parts.password
        credentials = f"{parts.username}{password}@"
    params = "" if parts.params is None else ";" + parts.params
    arguments = "" if parts.arguments is None else "?" + parts.arguments
    return f"{protocol}{credentials}{parts.host}{parts.path}{params}{arguments}"
