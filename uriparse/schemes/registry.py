"""Which schemes are known: `REGISTRY`, and how to make another that knows more.

Nothing here is global but that starting point: whoever knows more schemes makes a registry that
holds them and gives it to `parse_url`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from uriparse.coerce import as_items, as_str, refusal
from uriparse.errors import ComponentError
from uriparse.schemes.file import FILE_URL, FileURL
from uriparse.schemes.ftp import FTP_URL, FtpURL
from uriparse.schemes.gopher import GOPHER_URL, GopherURL
from uriparse.schemes.http import HTTP_URL, HTTPS_URL, HttpsURL, HttpURL
from uriparse.schemes.mailto import MAILTO_URL, MailtoURL
from uriparse.schemes.news import NEWS_URL, NNTP_URL, NewsURL, NntpURL
from uriparse.schemes.prospero import PROSPERO_URL, ProsperoURL
from uriparse.schemes.scheme import Scheme, is_scheme
from uriparse.schemes.telnet import TELNET_URL, TelnetURL
from uriparse.schemes.wais import WAIS_URL, WaisURL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_T = TypeVar("_T")

Status: TypeAlias = Literal["described", "reserved", "experimental", "unknown"]

DescribedURL: TypeAlias = (
    HttpURL
    | HttpsURL
    | FtpURL
    | GopherURL
    | MailtoURL
    | NewsURL
    | NntpURL
    | TelnetURL
    | WaisURL
    | FileURL
    | ProsperoURL
)
"""The records of the schemes that `REGISTRY` holds."""

EXPERIMENTAL: Final = "x-"
"""How the names of schemes begin that need no registration (RFC 1738 section 4)."""

RESERVED: Final = frozenset(
    {"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"},
)
"""Schemes that RFC 1738 keeps for descriptions to come (section 5)."""


class Registry(Mapping[str, Scheme]):
    """Schemes by name: an immutable mapping from which others can be derived.

    >>> "gopher" in REGISTRY, REGISTRY["gopher"].default_port
    (True, 70)
    >>> REGISTRY.without("gopher").status("gopher")
    'unknown'
    """

    __slots__ = ("_schemes", "other")
    _schemes: Mapping[str, Scheme]
    other: Scheme | None
    """How URLs of schemes are read that it lacks; None for the general syntax of RFC 1738."""

    def __init__(self, schemes: Iterable[Scheme] = (), other: Scheme | None = None) -> None:
        kept: dict[str, Scheme] = {}
        for scheme in as_items(schemes, "schemes", "an iterable of Schemes"):
            if not isinstance(scheme, Scheme):
                raise refusal(scheme, "a scheme of the registry", "a Scheme")
            kept[scheme.name] = scheme
        self._schemes = MappingProxyType(kept)
        self.other = other

    def __getitem__(self, name: str) -> Scheme:
        return self._schemes[name]

    @overload
    def get(self, name: str, default: None = None, /) -> Scheme | None: ...
    @overload
    def get(self, name: str, default: _T, /) -> Scheme | _T: ...
    def get(self, name: str, default: object = None, /) -> object:
        """Give the scheme of a name, or the default; as every mapping does, in less time."""
        return self._schemes.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemes)

    def __len__(self) -> int:
        return len(self._schemes)

    def __repr__(self) -> str:
        return f"<Registry {', '.join(self._schemes)}>"

    def with_scheme(self, scheme: Scheme) -> Registry:
        """Make a registry that has one scheme more, or another of the same name."""
        return Registry([*self._schemes.values(), scheme], self.other)

    def without(self, name: str) -> Registry:
        """Make a registry that lacks a scheme; KeyError if there is none of that name."""
        kept = dict(self._schemes)
        del kept[name]
        return Registry(kept.values(), self.other)

    def status(self, name: str) -> Status:
        """Say what is known of a scheme by its name, in any letter case.

        `"described"`: in this registry. `"reserved"`: RFC 1738 keeps the name. `"experimental"`:
        it begins with `x-`. `"unknown"`: none of these. ComponentError if it is no name.

        >>> [REGISTRY.status(name) for name in ("HTTP", "z39.50", "x-foo", "foo")]
        ['described', 'reserved', 'experimental', 'unknown']
        """
        name = as_str(name, "name")
        if not is_scheme(name):
            raise ComponentError(
                "scheme: the text does not fit the rule scheme of RFC 1738",
                component="scheme",
                rule="scheme",
                value=name,
            )
        lower = name.lower()
        if lower in self._schemes:
            return "described"
        if lower in RESERVED:
            return "reserved"
        return "experimental" if lower.startswith(EXPERIMENTAL) else "unknown"


REGISTRY: Final = Registry(
    (
        FTP_URL,
        HTTP_URL,
        HTTPS_URL,
        GOPHER_URL,
        MAILTO_URL,
        NEWS_URL,
        NNTP_URL,
        TELNET_URL,
        WAIS_URL,
        FILE_URL,
        PROSPERO_URL,
    )
)
"""The ten schemes of RFC 1738, and https."""
