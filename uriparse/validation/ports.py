"""Ports: the number of one, that of a scheme, and those that browsers do not fetch from."""

from __future__ import annotations

from typing import Final

from uriparse.normalization import SCHEME_DEFAULTS

LAST_PORT: Final = 65535

BAD_PORTS: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161),
        *(179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563),
        *(587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061),
        *(6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)
"""The "bad ports" of the Fetch standard ("port blocking"), as of 2026-11."""

BLOCKED: Final = frozenset(map(str, BAD_PORTS))
"""The same, as a URI without leading zeros has them."""

BLOCKING: Final = frozenset({"http", "https", "ws", "wss"})
"""Schemes that the Fetch standard blocks them for; it fetches ws and wss as http and https."""


def port_number(digits: str) -> int | None:
    """Read a port; None beyond 65535, however long it is.

    >>> port_number("0080"), port_number("9" * 5000)
    (80, None)
    """
    significant = digits.lstrip("0") or "0"
    if len(significant) > len(str(LAST_PORT)):
        return None
    number = int(significant)
    return number if number <= LAST_PORT else None


def default_port(scheme: str | None) -> int | None:
    """Give the port of a scheme in lower case; None where it has none, or is not known."""
    defaults = SCHEME_DEFAULTS.get(scheme or "")
    return None if defaults is None else defaults.port
