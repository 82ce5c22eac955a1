"""Lark parsers built from the generated tables, and the parse trees of texts: `parse_tree`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, cast

import lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Token
from lark.tree import Tree

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import Text, as_choice, as_str
from uriparse._compiled._packed import Section, load
from uriparse.errors import excerpt
from uriparse.grammar import rule_expressions, rule_name
from uriparse.grammar.collecting import uncollected
from uriparse.grammar.matchers import node_name
from uriparse.grammar.rule_sources import as_grammar
from uriparse.records.references import as_readable
from uriparse.trees.lalr import LeanParser

if TYPE_CHECKING:
    from abnf2lark.charts import States
    from abnf2lark.library.parse_trees import DerivedTree
    from uriparse._compiled.names import GrammarName, RuleName

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
    return parser_of(grammar, start, _namer(grammar))


def parser_of(
    grammar: str, start: str, transformer: object, kind: type[LeanParser] = LeanParser
) -> Parse:
    """Return a parser of a grammar, whose nodes become what the methods of a transformer make."""
    if lark.__version__ == _tables(grammar).json("lark"):
        return partial(_loaded(grammar, transformer, kind).parse, start=start)  # type: ignore[arg-type]  # a class
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


@cache
def _loaded(grammar: str, transformer: object, kind: type[LeanParser]) -> LeanParser:
    return kind(_tables(grammar), transformer)


def component_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Return the component tree of a text; None if the rule, as it is spelled, does not match."""
    start = start_symbol(grammar, rule)
    try:
        with uncollected(text):
            return cast("ParseTree", parser(grammar, start)(text))
    except UnexpectedInput:
        return None


@cache
def start_symbol(grammar: str, rule: str) -> str:
    """Return the Lark name under which parsing of an ABNF rule starts."""
    return cast("dict[str, str]", _tables(grammar).json("starts"))[rule]


@cache
def abnf_names(grammar: str) -> Mapping[str, str]:
    """Return the ABNF name of each Lark rule."""
    return cast("dict[str, str]", _tables(grammar).json("names"))


@cache
def component_nodes(grammar: str, root: str) -> frozenset[str]:
    """Return the names of the nodes of component trees whose root has a name."""
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
def _tables(grammar: str) -> Section:
    return load(grammar, "lalr")


class _Namer:
    """A Lark transformer that makes nodes with their ABNF names, at no extra cost."""

    def __init__(self, names: Mapping[str, str]) -> None:
        for lark_name, abnf_name in names.items():
            setattr(self, lark_name, partial(ParseTree, abnf_name))
            # The Lark file calls the nodes of a rule's variants by the rule's own name.
            setattr(self, lark_name.partition("___")[0], partial(ParseTree, abnf_name))


@cache
def _namer(grammar: str) -> _Namer:
    return _Namer(abnf_names(grammar))


# Trees of texts. Full trees are derived by the engine of the compiler, loaded for them alone.

_DETAILS: tuple[Literal["components", "full"], ...] = ("components", "full")


def parse_tree(
    text: Text,
    rule: RuleName | str = "URI-reference",
    *,
    grammar: GrammarName | str = "rfc3986",
    detail: Literal["components", "full"] = "components",
) -> ParseTree:
    """Parse a text by any rule of a grammar and return its Lark tree.

    text: the whole text must match; bytes must be ASCII; a record is parsed by its text.
    rule: any name in `rules(grammar)`, in any letter case.
    detail: `"components"` has a node for each component, whose text is one token (none if the
        component is empty), and no delimiters. `"full"` has a node for every rule of the ABNF down
        to characters, and the whole text: adjacent characters of a node are one token. Its nodes
        are made when they are first looked at.

    `transform` makes the record of a tree. `repr` shows the text, its password masked.

    In an ambiguous ABNF the first alternative that matches the whole text is used (RFC 3986 section
    3.2.2). Trees take linear time.

    URISyntaxError if the rule does not match the text; UnknownRuleError for an unknown rule or
    grammar; TypeError if `text` is not text.

    >>> tree = parse_tree("http://[::1]:8080/a?")
    >>> [str(node.data) for node in tree.iter_subtrees_topdown()]  # doctest: +NORMALIZE_WHITESPACE
    ['URI-reference', 'URI', 'scheme', 'authority', 'host', 'IP-literal', 'IPv6address', 'port',
     'path-abempty', 'query']
    >>> parse_tree("25", "dec-octet", detail="full").pretty("  ").split()
    ['dec-octet', '2', 'DIGIT', '5']
    """
    make = full_tree if as_choice(detail, "detail", _DETAILS) == "full" else component_tree
    grammar = as_str(grammar, "grammar")
    name = rule_name(rule, grammar)
    plain = as_readable(text)
    tree = None if plain is None else make(plain, name, grammar)
    if tree is None:
        from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

        raise diagnose(text, rule, grammar)
    tree.text, tree.grammar = plain, grammar
    return tree


def full_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Do the same with all rules down to characters; in linear time: no rule is recursive."""
    from abnf2lark.charts import read  # noqa: PLC0415 - same
    from abnf2lark.library.parse_trees import grown  # noqa: PLC0415 - same

    states = _states(grammar)
    found = read(states, rule, text, kept=states.names).derivation
    return None if found is None else cast("ParseTree", grown(found, _kind()))


@cache
def _states(grammar: str) -> States:
    from abnf2lark.charts import States  # noqa: PLC0415 - same

    return States(as_grammar(rule_expressions(grammar)))


@cache
def _kind() -> type[DerivedTree]:
    from abnf2lark.library.parse_trees import DerivedTree  # noqa: PLC0415 - same

    class FullTree(DerivedTree, ParseTree):  # type: ignore[misc]  # children are a tuple
        """A tree of every rule, whose children are made when they are first looked at."""

        __repr__ = ParseTree.__repr__

        def __reduce__(self) -> tuple[object, ...]:  # type: ignore[override]  # with the text
            kept = {"text": self.text, "grammar": self.grammar}
            return ParseTree, (self.data, [*self.children], self.meta), kept

    return FullTree
