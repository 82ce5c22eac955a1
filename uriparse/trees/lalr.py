"""A fast lexer and LALR parser for component trees, which run Lark's tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from lark.exceptions import UnexpectedInput
from lark.grammar import NonTerminal, Rule, RuleOptions, Terminal
from lark.lexer import Token
from lark.parse_tree_builder import ParseTreeBuilder
from lark.tree import Tree

if TYPE_CHECKING:
    from uriparse._compiled._packed import Section

    Node: TypeAlias = "Tree[Token] | Token | None"
    """None is a delimiter, which Lark filters out of the tree."""
    Make: TypeAlias = Callable[[list[Node]], Tree[Token]]

Match: TypeAlias = "Callable[[str, int], Lexed | None]"
Made = TypeVar("Made")

_NEVER = "(?!)"
"""Matches nothing: for states that no terminal can follow."""

_END = "$END"
"""Lark's name for the end of the text."""

_LEFT_OUT = "_"
"""The first character in the names of terminals that Lark filters out of trees."""


class StuckError(UnexpectedInput):
    """No terminal continues the text; `uriparse.diagnosis` finds what could have."""


class Lexed(Protocol):
    """A match of an expression whose alternatives are named groups."""

    lastgroup: str

    def end(self) -> int:
        """Return where it ends."""
        raise NotImplementedError


class LazyTable(dict[int, Made]):
    """A value for each state, computed when it is first used: most texts enter few states."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int], Made]) -> None:
        self._make = make

    def __missing__(self, state: int) -> Made:
        """Compute and store it."""
        # setdefault: of two threads that compute a value at once, both get the same one.
        return self.setdefault(state, self._make(state))


def token(name: str, text: str, start: int, end: int) -> Token:
    """Make the token of a piece of a one-line text, in half of the time Lark takes."""
    # Not by Token(): its constructor handles optional arguments that are always set here.
    part = text[start:end]
    made = str.__new__(Token, part)
    made.type, made.value = name, part
    made.start_pos, made.end_pos = start, end
    made.line = made.end_line = 1
    made.column, made.end_column = start + 1, end + 1
    return made


def _text(name: str, text: str, start: int, end: int) -> Token:
    """Return a piece of a text, where no one asks for more: a tenth of the time of a token."""
    del name
    return text[start:end]  # type: ignore[return-value]  # a str


class _Shift(NamedTuple):
    """Reading a terminal, and making the node that consists of it alone, if there is one."""

    state: int  # the next one
    lexing: int  # the one whose terminals may come next
    make: Make | None  # makes the node from the terminal's text
    kept: bool  # whether the text becomes a token


class _Reduce(NamedTuple):
    """Making a node from the last `size` ones."""

    size: int
    make: Make
    origin: str


class _State(NamedTuple):
    """The actions of a state by terminal, and the next states by rule."""

    shifts: dict[str, _Shift]
    reduces: dict[str, _Reduce]
    gotos: dict[str, int]


class LeanParser:
    """An LALR(1) parser for Lark's tables, four times as fast as Lark's on long texts.

    Its lexer is Lark's contextual one, which also compiles every terminal once more to validate it,
    counts lines, makes a token of each delimiter, and tries all terminals for an error message. A
    shift that can only be followed by one reduction is merged with it, as for leaves. Start rules
    share states: only terminals that are reachable from the requested one are tried.

    tables: the section `lalr` of a grammar; `abnf2lark.lark_grammars.component_grammar` says what
        its parts are.
    transformer: its methods make the nodes, as in `Lark(..., transformer=...)`.
    """

    makes_tokens: ClassVar[bool] = True
    """Whether terminals become tokens, which know where they are; otherwise they are their text."""

    def __init__(self, tables: Section, transformer: object) -> None:
        self._rows = cast("list[dict[str, int]]", tables.json("states"))
        self._first = cast("dict[str, int]", tables.json("start_states"))
        self._last = cast("dict[str, int]", tables.json("end_states"))
        terminals = cast("list[tuple[str, str, int, int, int]]", tables.json("terminals"))
        # In Lark's order: the first alternative that matches wins.
        terminals.sort(key=lambda one: (-one[2], -one[4], -len(one[1]), one[0]))
        self._expressions = {name: expression for name, expression, *_ in terminals}
        self._rules = [
            Rule(NonTerminal(origin), [_symbol(*one) for one in symbols], order, None, _OPTIONS)
            for origin, symbols, order in cast("list[_Rule]", tables.json("rules"))
        ]
        builder: Any = ParseTreeBuilder(self._rules, Tree)  # type: ignore[no-untyped-call]  # Lark's
        self._callbacks: dict[Rule, Make] = builder.create_callback(transformer)
        self._states = LazyTable(self._state)
        self._compiled: dict[frozenset[str], Match] = {}
        self._matches: dict[str, LazyTable[Match]] = {}

    def parse(self, text: str, start: str) -> Node:
        """Return the tree of a text; StuckError if the text does not match."""
        if start not in self._matches:
            self._matches[start] = LazyTable(partial(self._match, self._terminals_of(start)))
        matches, known = self._matches[start], self._states
        piece = token if self.makes_tokens else _text
        state = lexing = self._first[start]
        states = [state]
        nodes: list[Node] = []
        at, end = 0, len(text)
        while at < end:
            match = matches[lexing](text, at)
            if match is None:
                raise StuckError
            name = match.lastgroup
            # The terminal is the look-ahead: reduce until the state can shift it.
            while (shift := known[state].shifts.get(name)) is None:
                state = self._reduce(states, nodes, name)
            # `lexing` is the state before a merged reduction, which Lark's lexer would ask, too.
            state, lexing, make, kept = shift
            stop = match.end()
            leaf = piece(name, text, at, stop) if kept else None
            nodes.append(leaf if make is None else make([leaf]))
            states.append(state)
            at = stop
        final = self._last[start]
        while state != final:
            state = self._reduce(states, nodes, _END)
        return nodes[-1]

    def _match(self, among: frozenset[str], state: int) -> Match:
        """Compile the expression of the terminals that a state allows, in Lark's order."""
        names = among.intersection(self._rows[state])
        if names not in self._compiled:  # many states allow the same terminals
            choices = (f"(?P<{n}>{one})" for n, one in self._expressions.items() if n in names)
            expression = re.compile("|".join(choices) or _NEVER)
            self._compiled[names] = cast("Match", expression.match)
        return self._compiled[names]

    def _terminals_of(self, start: str) -> frozenset[str]:
        """Return the names of the terminals on the edges that a start state reaches."""
        found: set[str] = set()
        seen, pending = set[int](), [self._first[start]]
        while pending:
            state = pending.pop()
            if state not in seen:
                seen.add(state)
                edges = {name: after for name, after in self._rows[state].items() if after >= 0}
                found.update(edges)
                pending.extend(edges.values())
        return frozenset(found & self._expressions.keys())

    def _reduce(self, states: list[int], nodes: list[Node], name: str) -> int:
        """Make a node of the last ones; return the next state."""
        reduce = self._states[states[-1]].reduces.get(name)
        if reduce is None:
            raise StuckError
        size, make, origin = reduce
        children: list[Node] = []
        if size:  # nodes[-0:] would be all of them
            children = nodes[-size:]
            del nodes[-size:], states[-size:]
        nodes.append(make(children))
        states.append(self._states[states[-1]].gotos[origin])
        return states[-1]

    def _state(self, number: int) -> _State:
        """Split the row of a state into shifts, reductions and gotos."""
        made = _State({}, {}, {})
        for symbol, after in self._rows[number].items():
            if after < 0:
                rule = self._rules[-1 - after]
                size, name = len(rule.expansion), rule.origin.name
                made.reduces[symbol] = _Reduce(size, self._callbacks[rule], name)
            elif symbol.isupper():  # how Lark distinguishes terminals from rules
                made.shifts[symbol] = self._shift(number, symbol, after)
            else:
                made.gotos[symbol] = after
        return made

    def _shift(self, number: int, terminal: str, after: int) -> _Shift:
        """Return the shift of a terminal, merged with a reduction if nothing else can follow."""
        kept = not terminal.startswith(_LEFT_OUT)
        first, *others = set(self._rows[after].values())
        # Merged only if every look-ahead makes the same reduction, of this terminal alone: then the
        # look-ahead need not be known, and no other step can come between.
        if others or first >= 0 or len((rule := self._rules[-1 - first]).expansion) != 1:
            return _Shift(after, after, None, kept)
        return _Shift(self._rows[number][rule.origin.name], after, self._callbacks[rule], kept)


_Rule: TypeAlias = "tuple[str, list[tuple[str, int]], int]"
_OPTIONS = RuleOptions()


def _symbol(name: str, kind: int) -> NonTerminal | Terminal:
    return Terminal(name, filter_out=kind == 2) if kind else NonTerminal(name)
