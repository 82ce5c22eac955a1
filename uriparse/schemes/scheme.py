"""What has to be known of a scheme to parse its URLs: the record of each states it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from uriparse.coerce import as_str, refusal
from uriparse.errors import ComponentError
from uriparse.grammar import matcher
from uriparse.schemes.captures import expressions, leaves_of
from uriparse.schemes.native_readers import native_reader
from uriparse.schemes.readers import Named, reader_of
from uriparse.schemes.trees import tree_of

if TYPE_CHECKING:
    from uriparse.schemes.captures import Expression
    from uriparse.schemes.readers import Reader
    from uriparse.schemes.trees import TreeParser, URLTransformer, URLTree
    from uriparse.schemes.url import URL


@dataclass(frozen=True)
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
        takes_any_host: whether the rule has all hosts of RFC 3986 by itself, so that
            `relaxed_host` makes no difference.
        fragment: the rule of what follows "#", and its grammar; None if "#" begins no fragment,
            but belongs to the rule or is refused by it.

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

        >>> from uriparse.schemes import REGISTRY, HttpsURL
        >>> REGISTRY["http"].like("https", HttpsURL, default_port=443) == REGISTRY["https"]
        True
        """
        return replace(self, name=name, record=record, default_port=default_port)

    @cached_property
    def expressions(self) -> tuple[Expression, ...] | None:
        """What captures the fields of its URLs; None if only trees have them."""
        if self.tree_parser is not None:
            return None
        return expressions(self.transformer, self.rule, self.grammar)

    @cached_property
    def reader(self) -> Reader | None:
        """What makes a record of a URL; None if only trees do."""
        leaves = leaves_of(self.transformer, self.rule)
        if self.expressions is None or leaves is None:
            return None
        named = Named(self.name, self.word, self.default_port)
        pure = reader_of(self.record, self.expressions, named)
        return native_reader(self.record, (self.rule, self.grammar), leaves, named, pure)

    def tree(self, text: str) -> URLTree:
        """Parse a URL that begins with `word`; URISyntaxError if it is none of this scheme."""
        if self.tree_parser is not None:
            return tree_of(text, self.tree_parser, self.rule)
        from uriparse.parsing.trees import parse_tree  # noqa: PLC0415 - for those who parse

        return parse_tree(text, self.rule, grammar=self.grammar)


Schemes: TypeAlias = Mapping[str, Scheme]
"""Schemes by name, such as a `Registry`."""


def known(registry: Schemes | None, own: Schemes) -> Schemes:
    """Give the registry that was given, or else schemes of one's own.

    TypeError for what is no mapping.
    """
    if registry is None:
        return own
    if not isinstance(registry, Mapping):
        raise refusal(registry, "registry", "a Registry or None")
    return registry


def is_scheme(name: str) -> bool:
    """Whether a text can be the name of a scheme in RFC 1738, where it may begin with a digit."""
    return matcher("scheme", "rfc1738").fullmatch(as_str(name, "name")) is not None
