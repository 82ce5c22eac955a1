"""What a URI of a scheme may leave out without meaning anything else (RFC 3986 section 6.2.3).

Data only. `normalize` at level "scheme" reads it; for schemes that are not here, or to say
otherwise, pass a mapping of your own, for instance `{**SCHEME_DEFAULTS, "ws": SchemeDefaults(80)}`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


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


SCHEME_DEFAULTS: Mapping[str, SchemeDefaults] = MappingProxyType(
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
"""By scheme in lower case: the schemes of RFC 1738, and https (RFC 9110 section 4.2.2)."""
