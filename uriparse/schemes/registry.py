"""What must be known of a scheme to parse its URLs, and registries of schemes.

Nothing here is global: a program that knows more schemes makes a registry that holds them, and
passes it to `parse_url`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from uriparse.coerce import as_items, as_str, refusal
from uriparse.errors import ComponentError
from uriparse.grammar import matcher
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.schemes.captures import (
    Expression,
    Named,
    Reader,
    expressions,
    native_reader,
    reader_of,
)
from uriparse.schemes.record_transformer import TreeParser, tree_of

if TYPE_CHECKING:
    from uriparse.schemes.record_transformer import URLTree
    from uriparse.schemes.url import URL


@dataclass(frozen=True)
class Scheme:
    """All that has to be known of a scheme.

    Attributes:
        name: in lower case.
        record: the class of its records.
        rule: the ABNF rule of its URLs.
        grammar: the name of the shipped grammar that has the rule.
        tree_parser: the parser to use instead of that grammar, or None: see `trees.tree_parser`.
        word: the scheme's name within the rule; URLs are parsed with this word in place of their
            own, so that schemes can share a syntax. None if the rule takes any.
        default_port: the port that is meant where none is written, or None.
        hierarchical: whether "/" in its URLs separates the levels of a hierarchy of names.
        host_after: what comes before the host, if there is one; `relaxed_host` needs to know.
        takes_any_host: whether the rule has all hosts of RFC 3986 by itself, so that
            `relaxed_host` makes no difference.
        fragment: the rule of what follows "#", and its grammar; None if "#" begins no fragment,
            but belongs to the rule or is refused by it.

    """

    name: str
    record: type[URL]
    rule: str
    grammar: str = "rfc1738"
    tree_parser: TreeParser | None = None
    word: str | None = None
    default_port: int | None = None
    hierarchical: bool = False
    host_after: Literal["//", "@"] | None = "//"
    takes_any_host: bool = False
    fragment: tuple[str, str] | None = ("urlpath", "rfc1738")

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

        >>> from uriparse.schemes import RFC1738, HttpsURL
        >>> RFC1738["http"].like("https", HttpsURL, default_port=443) == RFC1738["https"]
        True
        """
        return replace(self, name=name, record=record, default_port=default_port)

    @cached_property
    def expressions(self) -> tuple[Expression, ...] | None:
        """What captures the fields of its URLs; None if only trees have them."""
        if self.tree_parser is not None:
            return None
        return expressions(self.record.CAPTURES, self.rule, self.grammar)

    @cached_property
    def reader(self) -> Reader | None:
        """What makes a record of a URL; None if only trees do."""
        if self.expressions is None:
            return None
        named = Named(self.name, self.word, self.default_port)
        pure = reader_of(self.record, self.expressions, named)
        return native_reader(self.record, (self.rule, self.grammar), named, pure)

    def tree(self, text: str) -> URLTree:
        """Parse a URL that begins with `word`; URISyntaxError if it is none of this scheme."""
        if self.tree_parser is not None:
            return tree_of(text, self.tree_parser, self.rule)
        from uriparse.parsing.tree_parsing import parse_tree  # noqa: PLC0415 - for those who parse

        return parse_tree(text, self.rule, grammar=self.grammar)


def rfc1738_scheme(
    record: type[URL], *, hierarchical: bool = False, host_after: Literal["//", "@"] | None = "//"
) -> Scheme:
    """Describe a scheme of RFC 1738: its rule has its name, and begins with it."""
    name = record.SCHEME or ""
    port = SCHEME_DEFAULTS[name].port if name in SCHEME_DEFAULTS else None
    found = Scheme(
        *(name, record, f"{name}url"),
        word=name,
        default_port=port,
        hierarchical=hierarchical,
        host_after=host_after,
    )
    record.OWN_SCHEME = found
    return found


Schemes: TypeAlias = Mapping[str, Scheme]
"""Schemes by name, such as a `Registry`."""


def known(registry: Schemes | None, own: Schemes) -> Schemes:
    """Return the registry that was passed, or else the schemes `own`.

    TypeError if it is not a mapping.
    """
    if registry is None:
        return own
    if not isinstance(registry, Mapping):
        raise refusal(registry, "registry", "a Registry or None")
    return registry


def is_scheme(name: str) -> bool:
    """Whether a text can be the name of a scheme in RFC 1738, where it may begin with a digit."""
    return matcher("scheme", "rfc1738").fullmatch(as_str(name, "name")) is not None


_T = TypeVar("_T")


Status: TypeAlias = Literal["described", "reserved", "experimental", "unknown"]


EXPERIMENTAL: Final = "x-"
"""How the names of schemes begin that need no registration (RFC 1738 section 4)."""


RESERVED: Final = frozenset(
    {"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"},
)
"""Schemes that RFC 1738 keeps for descriptions to come (section 5)."""


class Registry(Mapping[str, Scheme]):
    """Schemes by name: an immutable mapping from which others can be derived.

    >>> from uriparse.schemes import RFC1738
    >>> "gopher" in RFC1738, RFC1738["gopher"].default_port
    (True, 70)
    >>> RFC1738.without("gopher").status("gopher")
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
        """Return the scheme of a name, or the default; as every mapping does, in less time."""
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
        """Make a registry that lacks a scheme; KeyError for an unknown name."""
        kept = dict(self._schemes)
        del kept[name]
        return Registry(kept.values(), self.other)

    def status(self, name: str) -> Status:
        """Say what is known of a scheme by its name, in any letter case.

        `"described"`: in this registry. `"reserved"`: RFC 1738 keeps the name. `"experimental"`:
        it begins with `x-`. `"unknown"`: none of these. ComponentError if it is not a name.

        >>> from uriparse.schemes import RFC1738
        >>> [RFC1738.status(name) for name in ("HTTP", "z39.50", "x-foo", "foo")]
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
