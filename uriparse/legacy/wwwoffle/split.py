"""The reading of a URL by the document of WWWOFFLE 2.6: total, and by heuristics.

Every text has parts. They are left as written; `part_rules` says what the canonical form makes of
each. `program` splits as the program's later versions do.
"""

from dataclasses import dataclass

from uriparse.grammar import charset
from uriparse.legacy.octets import Octets

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
        slash = octets.find("/", start)
        if slash < 0:
            slash = len(octets)
        parts = WwwoffleParts(protocol, octets[start:slash], octets[slash:])
        _split_credentials(parts)
    _split_params(parts)
    if question:
        parts.arguments = arguments
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
    if octets.startswith("//", start):
        start += 2
    elif octets.startswith("/", start):
        start += 1
    return octets[:colon] or None, start


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
    if not host.startswith("["):
        return False
    end = host.find("]") + 1
    return end > 0 and host[end : end + 1] in {"", ":"}


def composed(parts: WwwoffleParts) -> Octets:
    """Print the parts as they are."""
    protocol = "" if parts.protocol is None else parts.protocol + "://"
    credentials = ""
    if parts.username is not None:
        password = "" if parts.password is None else ":" + parts.password
        credentials = f"{parts.username}{password}@"
    params = "" if parts.params is None else ";" + parts.params
    arguments = "" if parts.arguments is None else "?" + parts.arguments
    return f"{protocol}{credentials}{parts.host}{parts.path}{params}{arguments}"
