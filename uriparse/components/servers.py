"""What is known of schemes and servers: normal forms, default ports, origins."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from uriparse import percent
from uriparse._scheme_facts import PORTS, schemes_with
from uriparse.errors import unfit
from uriparse.grammar import charset

# What of a URI its scheme allows to change, and to leave out (RFC 3986 section 6.2.3).
#
# Data only. For schemes that are not here, or to say otherwise, pass `normalize` a mapping of your
# own, for instance `{**SCHEME_DEFAULTS, "x": SchemeDefaults(80)}`.


class SchemeDefaults(NamedTuple):
    """What the RFC of one scheme says of its normal form.

    The last three are true at all levels, the others at level "scheme".

    port: the port that is meant where none is written; None where the scheme has none.
    empty_path_is_slash: whether, after an authority, an empty path means "/".
    host: the host that is meant where it is empty; None where the scheme has none.
    path_ends_in_domain: whether the path is a list of mailboxes separated by ",", whose
        part after the last "@" is a domain name and so ignores case.
    opaque: whether "." and ".." are names like others in its paths, and are never removed.
    undecoded: the unreserved characters whose triplets are not decoded.
    verbatim: whether every character counts, so that a URI is its own normal form.
    """

    port: int | None = None
    empty_path_is_slash: bool = False
    host: str | None = None
    path_ends_in_domain: bool = False
    opaque: bool = False
    undecoded: str = ""
    verbatim: bool = False


def _undecoded(name: str) -> str:
    if name in schemes_with("undecoded"):
        return "".join(sorted(charset("unreserved")))
    return "~" if name in schemes_with("tilde") else ""


SCHEME_DEFAULTS: Mapping[str, SchemeDefaults] = MappingProxyType(
    {
        name: SchemeDefaults(
            port,
            name in schemes_with("slash"),
            "localhost" if name in schemes_with("local") else None,
            name in schemes_with("mailboxes"),
            name not in schemes_with("hierarchical"),
            _undecoded(name),
            name in schemes_with("verbatim"),
        )
        for name, port in PORTS.items()
    }
)
"""By scheme in lower case: all that `uriparse.schemes` describes."""

_GENERIC = SchemeDefaults()


def defaults_of(
    scheme: str | None, schemes: Mapping[str, SchemeDefaults] | None = None
) -> SchemeDefaults:
    """Return what is known of a scheme in any letter case; nothing is, of no scheme."""
    known = SCHEME_DEFAULTS if schemes is None else schemes
    return _GENERIC if scheme is None else known.get(scheme.lower(), _GENERIC)


HIGHEST_PORT = 65535
"""The last port that TCP and UDP have."""

LONGEST_PORT = 20
"""Digits of a port number, leading zeros apart, that are read."""


def number(digits: str, component: str) -> int:
    """Read ASCII digits that a grammar has matched; ComponentError for more than 20 of them.

    Leading zeros do not count. No hostile text is turned into a huge number.
    """
    shortest = significant(digits)
    if len(shortest) > LONGEST_PORT:
        reason = f"a number of {len(shortest)} digits is not read, {LONGEST_PORT} at most"
        raise unfit(component, reason, value=digits)
    return int(shortest)


def port_number(port: str | None) -> int | None:
    """Read a port; None where it is absent or empty.

    Not bounded by 65535, for the grammar is not; ComponentError as for `number`.
    """
    return number(port, "port") if port else None


def tcp_port(digits: str) -> int | None:
    """Return the number of a port; None above 65535, in constant time for any length."""
    digits = significant(digits)
    found = int(digits) if len(digits) <= len(str(HIGHEST_PORT)) else HIGHEST_PORT + 1
    return found if found <= HIGHEST_PORT else None


def default_port(scheme: str | None) -> int | None:
    """Return the default port of a scheme, in any letter case; None without one."""
    return None if scheme is None else PORTS.get(scheme.lower())


def origin(scheme: str | None, host: str | None, port: str | None) -> str | None:
    """Write the origin as RFC 6454 section 6.2 does; None for what has none (section 4)."""
    default = default_port(scheme)
    if scheme is None or not host or default is None:
        return None
    digits = significant(port) if port else str(default)
    colon = "" if digits == str(default) else f":{digits}"
    return f"{scheme.lower()}://{percent.lower_around_triplets(host)}{colon}"


def significant(digits: str) -> str:
    """Return digits without leading zeros."""
    return digits.lstrip("0") or "0"
