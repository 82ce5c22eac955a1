"""Lark parsers built from the generated tables, and the parse trees of a rule."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, partial
from importlib import resources
from typing import Any, Self, TypeAlias, cast

import lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Token
from lark.tree import Tree

from uriparse._base import migration_hints as hints
from uriparse._compiled._packed import Section, load
from uriparse.errors import excerpt
from uriparse.grammar.collecting import uncollected
from uriparse.grammar.matchers import node_name
from uriparse.trees.lalr import LeanParser

# Trees.


class ParseTree(hints.Foreign, Tree[Token], foreign=hints.foreign_names("tree")):
    """A tree of Lark's; `repr` shows no password.

    text: what it is the tree of; None for a node within a tree.
    grammar: the name of its grammar; None for a node within a tree.
    """

    text: str | None = None
    grammar: str | None = None

    def __repr__(self) -> str:
        of = "" if self.text is None else f" {excerpt.masked(self.text)!r}"
        return f"<{type(self).__name__} {self.data}{of}>"

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        # Lark's forgets the text.
        made = type(self)(self.data, deepcopy(self.children, memo), self.meta)
        made.text, made.grammar = self.text, self.grammar
        return made

    def copy(self) -> Self:
        """Return a copy with the same children."""
        made = type(self)(self.data, self.children)
        made.text, made.grammar = self.text, self.grammar
        return made


# Parsers.
#
# The packed tables in ``_compiled`` are those that Lark builds from the ``.lark`` file, so that
# nothing is computed at start-up. How they become nodes is private to Lark and may change, so they
# are used only with the Lark release that they were made with; others read the ``.lark`` file.

Parse: TypeAlias = Callable[[str], object]


@cache
def parser(grammar: str, start: str) -> Parse:
    """Return what makes the trees of a grammar from a start symbol; it is thread-safe.

    Start symbols are Lark names, see :func:`start_symbol`; the nodes of its trees have ABNF names.
    """
    if lark.__version__ == _tables(grammar).json("lark"):
        return partial(_loaded(grammar).parse, start=start)
    return parser_of(grammar, start, _Namer(abnf_names(grammar)))


@cache
def _loaded(grammar: str) -> LeanParser:
    return LeanParser(_tables(grammar), _Namer(abnf_names(grammar)))


def parser_of(
    grammar: str, start: str, transformer: object, kind: type[LeanParser] = LeanParser
) -> Parse:
    """Return a parser of a grammar, whose nodes become what the methods of a transformer make."""
    if lark.__version__ == _tables(grammar).json("lark"):
        return partial(kind(_tables(grammar), transformer).parse, start=start)
    # With Lark's own lexer each start symbol has its own parser: if two shared states, the lexer
    # would try the terminals of both.
    package = resources.files("uriparse._compiled")
    own = lark.Lark(
        package.joinpath(f"{grammar}.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=start,
        maybe_placeholders=False,
        transformer=transformer,
    )
    return own.parse


def component_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Return the component tree of a text, or None if the rule does not derive it.

    `rule` is in the RFC's spelling.
    """
    start = start_symbol(grammar, rule)
    try:
        with uncollected(text):
            return cast("ParseTree", parser(grammar, start)(text))
    except UnexpectedInput:
        return None


def start_symbol(grammar: str, rule: str) -> str:
    """Return the Lark name under which parsing of an ABNF rule starts."""
    return _starts(grammar)[rule]


@cache
def abnf_names(grammar: str) -> Mapping[str, str]:
    """Return the ABNF name of each Lark rule."""
    return cast("dict[str, str]", _tables(grammar).json("names"))


@cache
def component_nodes(grammar: str, root: str) -> frozenset[str]:
    """Return the names of the nodes that component trees of a rule can have.

    root: the name of the node of the rule.
    """
    below: dict[str, list[str]] = {}
    for origin, symbols, _ in cast("list[Any]", _tables(grammar).json("rules")):
        below.setdefault(origin, []).extend(name for name, kind in symbols if not kind)
    pending = [name for name in below if node_name(name) == root]
    seen = set[str]()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += below[name]
    return frozenset(map(node_name, seen))


@cache
def _starts(grammar: str) -> Mapping[str, str]:
    return cast("dict[str, str]", _tables(grammar).json("starts"))


@cache
def _tables(grammar: str) -> Section:
    return load(grammar, "lalr")


class _Namer:
    """A Lark transformer that makes nodes with their ABNF names, at no extra cost."""

    def __init__(self, names: Mapping[str, str]) -> None:
        for lark_name, abnf_name in names.items():
            setattr(self, lark_name, partial(ParseTree, abnf_name))
            # The Lark file calls the nodes of a rule's variants by the rule's own name.
            setattr(self, lark_name.partition("___")[0], partial(ParseTree, abnf_name))
