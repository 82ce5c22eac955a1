"""Lark parsers built from the generated tables, and the parse trees of a rule."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, partial
from importlib import resources
from typing import Self, TypeAlias, cast

import lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Token
from lark.tree import Tree

from uriparse._base import migration_hints as hints
from uriparse._compiled._packed import Section, load
from uriparse.errors import excerpt
from uriparse.grammar.collecting import uncollected
from uriparse.grammar.matchers import node_name
from uriparse.trees.lalr import LeanLexer, LeanParser

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
# nothing is computed at start-up. Lark's storage format is private and may change, so the tables
# are used only with the Lark release that they were made with; others read the ``.lark`` file.

Data: TypeAlias = dict[str, object]
_Terminal: TypeAlias = "tuple[str, str, int, int, int]"
_Rule: TypeAlias = "tuple[str, list[tuple[str, int]], int]"


@cache
def parser(grammar: str, start: str) -> lark.Lark:
    """Return the parser of a grammar for a start symbol; it is thread-safe.

    Start symbols are Lark names, see :func:`start_symbol`; the nodes of its trees have ABNF names.
    With Lark's own lexer each start symbol has its own parser: if two shared states, the lexer
    would try the terminals of both.
    """
    if lark.__version__ == _tables(grammar).json("lark"):
        return _loaded(grammar)
    return parser_of(grammar, start, _Namer(abnf_names(grammar)))


@cache
def _loaded(grammar: str) -> lark.Lark:
    return parser_of(grammar, "", _Namer(abnf_names(grammar)))


def parser_of(
    grammar: str, start: str, transformer: object, kind: type[LeanParser] = LeanParser
) -> lark.Lark:
    """Load the parser of a grammar, whose nodes become what the methods of a transformer make.

    start: the start symbol; parsers made of our tables have all.
    """
    if lark.__version__ == _tables(grammar).json("lark"):
        data, memo = _serialized(_tables(grammar))
        # Lark's generated stand-alone parsers call this method; it is neither public nor typed.
        make: Callable[..., lark.Lark] = lark.Lark._load_from_dict  # noqa: SLF001
        plugins = {"ContextualLexer": LeanLexer, "LALR_Parser": kind}
        return make(data, memo, transformer=transformer, _plugins=plugins)
    package = resources.files("uriparse._compiled")
    return lark.Lark(
        package.joinpath(f"{grammar}.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=start,
        maybe_placeholders=False,
        transformer=transformer,
    )


def component_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Return the component tree of a text, or None if the rule does not derive it.

    `rule` is in the RFC's spelling.
    """
    start = start_symbol(grammar, rule)
    try:
        with uncollected(text):
            return cast("ParseTree", parser(grammar, start).parse(text, start=start))
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
    for origin, symbols, _ in cast("list[_Rule]", _tables(grammar).json("rules")):
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


def _serialized(tables: Section) -> tuple[Data, dict[int, Data]]:
    """Convert the tables to the form in which Lark serializes a parser."""
    # Lark refers to terminals and rules by number: terminals first, then rules.
    memo: dict[int, Data] = {}
    for name, pattern, priority, least, most in cast("list[_Terminal]", tables.json("terminals")):
        memo[len(memo)] = {
            "name": name,
            "pattern": {
                "value": pattern,
                "flags": [],
                "raw": None,
                "_width": [least, most],
                "__type__": "PatternRE",
            },
            "priority": priority,
            "__type__": "TerminalDef",
        }
    first_rule = len(memo)
    options: Data = {
        "keep_all_tokens": False,
        "expand1": False,
        "priority": None,
        "template_source": None,
        "empty_indices": (),
        "__type__": "RuleOptions",
    }
    for origin, symbols, order in cast("list[_Rule]", tables.json("rules")):
        memo[len(memo)] = {
            "origin": {"name": origin, "__type__": "NonTerminal"},
            "expansion": [_symbol(name, kind) for name, kind in symbols],
            "order": order,
            "alias": None,
            "options": options,
            "__type__": "Rule",
        }
    starts = cast("dict[str, int]", tables.json("start_states"))
    terminals = [{"@": number} for number in range(first_rule)]
    rules = [{"@": number} for number in range(first_rule, len(memo))]
    data: Data = {
        "parser": {
            "lexer_conf": {
                "terminals": terminals,
                "ignore": [],
                "g_regex_flags": 0,
                "use_bytes": False,
                "lexer_type": "contextual",
                "__type__": "LexerConf",
            },
            "parser_conf": {
                "rules": rules,
                "start": list(starts),
                "parser_type": "lalr",
                "__type__": "ParserConf",
            },
            "parser": _parse_table(tables, first_rule),
            "__type__": "ParsingFrontend",
        },
        "rules": rules,
        "options": {
            "parser": "lalr",
            "lexer": "contextual",
            "start": list(starts),
            "maybe_placeholders": False,
            "propagate_positions": False,
        },
        "__type__": "Lark",
    }
    return data, memo


def _symbol(name: str, kind: int) -> Data:
    if kind:
        return {"name": name, "filter_out": kind == 2, "__type__": "Terminal"}
    return {"name": name, "__type__": "NonTerminal"}


def _parse_table(tables: Section, first_rule: int) -> Data:
    shift, reduce = 0, 1
    tokens: dict[str, int] = {}
    states: dict[int, dict[int, tuple[int, object]]] = {}
    for number, row in enumerate(cast("list[dict[str, int]]", tables.json("states"))):
        states[number] = {
            tokens.setdefault(symbol, len(tokens)): (shift, target)
            if target >= 0
            else (reduce, {"@": first_rule - 1 - target})
            for symbol, target in row.items()
        }
    return {
        "tokens": {number: symbol for symbol, number in tokens.items()},
        "states": states,
        "start_states": tables.json("start_states"),
        "end_states": tables.json("end_states"),
    }
