"""Schemes as values: how URLs of each are parsed, and what their records are.

Nothing here is global but the starting point, `REGISTRY`: whoever knows more schemes makes a
registry that holds them and gives it to `parse_url`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from uriparse.door import as_items, as_str, refusal
from uriparse.errors import ComponentError
from uriparse.grammar import matcher
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.schemes.other import OtherTransformer, OtherURL
from uriparse.schemes.records.file import FileTransformer, FileURL
from uriparse.schemes.records.ftp import FtpTransformer, FtpURL
from uriparse.schemes.records.gopher import GopherTransformer, GopherURL
from uriparse.schemes.records.http import HttpsURL, HttpTransformer, HttpURL
from uriparse.schemes.records.mailto import MailtoTransformer, MailtoURL
from uriparse.schemes.records.news import NewsTransformer, NewsURL, NntpTransformer, NntpURL
from uriparse.schemes.records.prospero import ProsperoTransformer, ProsperoURL
from uriparse.schemes.records.telnet import TelnetTransformer, TelnetURL
from uriparse.schemes.records.wais import WaisTransformer, WaisURL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.schemes.trees import TreeParser, URLTransformer, URLTree
    from uriparse.schemes.url import URL

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


@dataclass(frozen=True, slots=True)
class Scheme:
    """All that has to be known of a scheme.

    Attributes:
        name: in lower case.
        record: the class of its records.
        transformer: what makes them of parse trees.
        rule: the ABNF rule of its URLs.
        grammar: the name of the shipped grammar that has the rule.
        tree_parser: the parser to use instead of that grammar, or None: see `trees.tree_parser`.
        word: the scheme's name within the rule; URLs are parsed with this word in place of their
            own, so that schemes can share a syntax. None if the rule takes any.
        default_port: the port that is meant where none is written, or None.
        hierarchical: whether "/" in its URLs separates the levels of a hierarchy of names.
        host_after: what stands before the host, if there is one; `relaxed_host` needs to know.

    """

    name: str
    record: type[URL]
    transformer: type[URLTransformer]
    rule: str
    grammar: str = "rfc1738"
    tree_parser: TreeParser | None = None
    word: str | None = None
    default_port: int | None = None
    hierarchical: bool = False
    host_after: Literal["//", "@"] | None = "//"

    def __post_init__(self) -> None:
        for word in (self.name, self.word):
            if word is None or (is_scheme(word) and word == word.lower()):
                continue
            raise ComponentError(
                "scheme: a name in lower case that fits the rule scheme of RFC 1738",
                component="scheme",
                rule="scheme",
                value=word,
            )

    @property
    def components(self) -> frozenset[str]:
        """The names of the fields that its URLs can have."""
        return frozenset(self.record.__match_args__)

    def like(self, name: str, record: type[URL], *, default_port: int | None = None) -> Scheme:
        """Describe another scheme with the same syntax.

        >>> REGISTRY["http"].like("https", HttpsURL, default_port=443) == REGISTRY["https"]
        True
        """
        return replace(self, name=name, record=record, default_port=default_port)

    def tree(self, text: str) -> URLTree:
        """Parse a URL that begins with `word`; URISyntaxError if it is none of this scheme."""
        if self.tree_parser is not None:
            return self.tree_parser(text)
        from uriparse.parsing.trees import parse_tree  # noqa: PLC0415 - for those who parse

        return parse_tree(text, self.rule, grammar=self.grammar)


class Registry(Mapping[str, Scheme]):
    """Schemes by name: an immutable mapping from which others can be derived.

    >>> "gopher" in REGISTRY, REGISTRY["gopher"].default_port
    (True, 70)
    >>> REGISTRY.without("gopher").status("gopher")
    'unknown'
    """

    __slots__ = ("_schemes",)
    _schemes: Mapping[str, Scheme]

    def __init__(self, schemes: Iterable[Scheme] = ()) -> None:
        kept: dict[str, Scheme] = {}
        for scheme in as_items(schemes, "schemes", "an iterable of Schemes"):
            if not isinstance(scheme, Scheme):
                raise refusal(scheme, "a scheme of the registry", "a Scheme")
            kept[scheme.name] = scheme
        self._schemes = MappingProxyType(kept)

    def __getitem__(self, name: str) -> Scheme:
        return self._schemes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemes)

    def __len__(self) -> int:
        return len(self._schemes)

    def __repr__(self) -> str:
        return f"<Registry {', '.join(self._schemes)}>"

    def with_scheme(self, scheme: Scheme) -> Registry:
        """Make a registry that has one scheme more, or another of the same name."""
        return Registry([*self._schemes.values(), scheme])

    def without(self, name: str) -> Registry:
        """Make a registry that lacks a scheme; KeyError if there is none of that name."""
        kept = dict(self._schemes)
        del kept[name]
        return Registry(kept.values())

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


def is_scheme(name: str) -> bool:
    """Whether a text can be the name of a scheme in RFC 1738, where it may begin with a digit."""
    return matcher("scheme", "rfc1738").fullmatch(as_str(name, "name")) is not None


def _described() -> Iterator[Scheme]:
    """Give the schemes that RFC 1738 describes, and https."""
    entries: tuple[tuple[str, type[URL], type[URLTransformer], str], ...] = (
        ("ftp", FtpURL, FtpTransformer, "ftpurl"),
        ("http", HttpURL, HttpTransformer, "httpurl"),
        ("gopher", GopherURL, GopherTransformer, "gopherurl"),
        ("mailto", MailtoURL, MailtoTransformer, "mailtourl"),
        ("news", NewsURL, NewsTransformer, "newsurl"),
        ("nntp", NntpURL, NntpTransformer, "nntpurl"),
        ("telnet", TelnetURL, TelnetTransformer, "telneturl"),
        ("wais", WaisURL, WaisTransformer, "waisurl"),
        ("file", FileURL, FileTransformer, "fileurl"),
        ("prospero", ProsperoURL, ProsperoTransformer, "prosperourl"),
    )
    hierarchical = {"ftp", "http", "file"}  # RFC 1738 section 2.3
    host_after: dict[str, Literal["@"] | None] = {"mailto": None, "news": "@"}
    for name, record, transformer, rule in entries:
        scheme = Scheme(
            name,
            record,
            transformer,
            rule,
            word=name,
            default_port=SCHEME_DEFAULTS[name].port,
            hierarchical=name in hierarchical,
            host_after=host_after.get(name, "//"),
        )
        yield scheme
        if name == "http":
            yield scheme.like("https", HttpsURL, default_port=SCHEME_DEFAULTS["https"].port)


REGISTRY: Final = Registry(_described())
"""The ten schemes of RFC 1738, and https."""

OTHER: Final = Scheme("x-other", OtherURL, OtherTransformer, "genericurl")
"""How URLs of schemes are parsed that a registry does not hold."""
