"""What scheme, host and port say about the server: default ports, origins."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from uriparse import percent
from uriparse.errors import ComponentError

if TYPE_CHECKING:
    from uriparse.records.hosts import Host


# What a URI of a scheme may leave out (RFC 3986 section 6.2.3).
#
# Data only. `normalize` at level "scheme" reads it; for schemes that are not here, or to say
# otherwise, pass a mapping of your own, for instance `{**SCHEME_DEFAULTS, "x":
# SchemeDefaults(80)}`.


class SchemeDefaults(NamedTuple):
    """The defaults of one scheme.

    Attributes:
        port: the port that is meant where none is written; None where the scheme has none.
        empty_path_is_slash: whether, after an authority, an empty path means "/".
        host: the host that is meant where it is empty; None where the scheme has none.
        path_ends_in_domain: whether the path is a list of mailboxes separated by ",", whose
            part after the last "@" is a domain name and so ignores case.

    """

    port: int | None = None
    empty_path_is_slash: bool = False
    host: str | None = None
    path_ends_in_domain: bool = False


_EARLY: Mapping[str, SchemeDefaults] = MappingProxyType(
    {
        "http": SchemeDefaults(port=80, empty_path_is_slash=True),
        "https": SchemeDefaults(port=443, empty_path_is_slash=True),
        "file": SchemeDefaults(host="localhost"),
        "ftp": SchemeDefaults(port=21),
        "mailto": SchemeDefaults(path_ends_in_domain=True),
        "gopher": SchemeDefaults(port=70),
        "news": SchemeDefaults(),
        "nntp": SchemeDefaults(port=119),
        "telnet": SchemeDefaults(port=23),
        "wais": SchemeDefaults(port=210),
        "prospero": SchemeDefaults(port=1525),
    }
)
EARLY_SCHEMES = frozenset(_EARLY)
"""The schemes of RFC 1738, and https."""

_PORTS = {
    "ldap": 389,
    "ldaps": 636,
    "imap": 143,
    "rtsp": 554,
    "rtsps": 322,
    "sip": 5060,
    "sips": 5061,
    "stun": 3478,
    "stuns": 5349,
    "turn": 3478,
    "turns": 5349,
    "ssh": 22,
    "sftp": 22,
    "git": 9418,
    "git+ssh": 22,
    "postgresql": 5432,
    "postgres": 5432,
    "mysql": 3306,
    "mongodb": 27017,
    "redis": 6379,
    "rediss": 6379,
}

SCHEME_DEFAULTS: Mapping[str, SchemeDefaults] = MappingProxyType(
    {
        **_EARLY,
        "ws": SchemeDefaults(port=80, empty_path_is_slash=True),
        "wss": SchemeDefaults(port=443, empty_path_is_slash=True),
        "coap": SchemeDefaults(port=5683, empty_path_is_slash=True),
        "coaps": SchemeDefaults(port=5684, empty_path_is_slash=True),
        **{name: SchemeDefaults(port) for name, port in _PORTS.items()},
    }
)
"""By scheme in lower case: all that `uriparse.schemes` describes, where there is something."""


# What scheme, host and port say about the server: the port to connect to, and the origin.

LONGEST_PORT = 20
"""Digits of a port number, leading zeros apart, that are read."""


def port_number(port: str | None) -> int | None:
    """Read a port; None where it is absent or empty.

    Not bounded by 65535, for the grammar is not; but ComponentError for more than 20 digits,
    leading zeros apart, so that no hostile text is turned into a huge number.

    >>> port_number("0080"), port_number("")
    (80, None)
    """
    if not port:
        return None
    digits = significant(port)
    if len(digits) > LONGEST_PORT:
        raise ComponentError(
            f"port: a number of {len(digits)} digits is not read, {LONGEST_PORT} at most",
            component="port",
            rule="port",
            value=port,
        )
    return int(digits)


def default_port(scheme: str | None) -> int | None:
    """Return the default port of a scheme, in any letter case; None without one.

    >>> default_port("HTTP"), default_port("file"), default_port("x")
    (80, None, None)
    """
    defaults = None if scheme is None else SCHEME_DEFAULTS.get(scheme.lower())
    return None if defaults is None else defaults.port


def origin(scheme: str | None, host: Host | None, port: str | None) -> str | None:
    """Write the origin as RFC 6454 section 6.2 does; None for what has none (section 4).

    >>> from uriparse.records.hosts import RegName
    >>> origin("HTTP", RegName("H"), "080"), origin("http", RegName("h"), "81")
    ('http://h', 'http://h:81')
    """
    default = default_port(scheme)
    if scheme is None or host is None or not host.text or default is None:
        return None
    digits = significant(port) if port else str(default)
    colon = "" if digits == str(default) else f":{digits}"
    return f"{scheme.lower()}://{percent.lower_around_triplets(host.text)}{colon}"


def significant(digits: str) -> str:
    """Return digits without leading zeros.

    >>> significant("0080"), significant("00")
    ('80', '0')
    """
    return digits.lstrip("0") or "0"
