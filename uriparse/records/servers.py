"""What scheme, host and port say about the server: the port to connect to, and the origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import ComponentError
from uriparse.percent import triplets
from uriparse.records.scheme_defaults import SCHEME_DEFAULTS

if TYPE_CHECKING:
    from uriparse.records.hosts import Host

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
    """Give the port of a scheme in any letter case; None where it has none, or is not known.

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
    return f"{scheme.lower()}://{triplets.lower_around(host.text)}{colon}"


def significant(digits: str) -> str:
    """Give digits without the zeros before them, however many there are.

    >>> significant("0080"), significant("00")
    ('80', '0')
    """
    return digits.lstrip("0") or "0"
