"""A fast lexer and LALR parser for component trees, which run Lark's tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer, LexerState, LexerThread, TerminalDef, Token
from lark.parsers.lalr_analysis import IntParseTable, Shift

if TYPE_CHECKING:
    from lark.common import LexerConf
    from lark.grammar import Rule
    from lark.parsers.lalr_parser_state import ParserState
    from lark.tree import Tree


# The lexer: Lark's contextual one, without the features that our terminals never use.

Match: TypeAlias = "Callable[[str, int], Terminal | None]"
Made = TypeVar("Made")

_NEVER = "(?!)"
"""Matches nothing: for states that no terminal can follow."""


class Terminal(Protocol):
    """A match of an expression whose alternatives are named groups."""

    lastgroup: str

    def end(self) -> int:
        """Return where it ends."""
        raise NotImplementedError


class LazyTable(dict[int, Made]):
    """A value for each state, computed when it is first used.

    Most texts enter few states: to fill the table in advance would cost more than parsing.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int], Made]) -> None:
        self._make = make

    def __missing__(self, state: int) -> Made:
        """Compute and store it."""
        # setdefault: of two threads that compute a value at once, both get the same one.
        return self.setdefault(state, self._make(state))


class LeanLexer(Lexer):
    """Lark's contextual lexer for grammars without ignored terminals and line numbers.

    Lark's own compiles every terminal once more to validate it, counts lines, makes a token of each
    delimiter, and after a mismatch tries all terminals for its error message. It is a generator,
    too; `LeanParser` calls the expressions itself.
    """

    def __init__(
        self,
        conf: LexerConf,
        states: Mapping[int, Collection[str]],
        always_accept: Collection[str],
    ) -> None:
        del always_accept  # for postlexers, which we do not have
        self._terminals = conf.terminals_by_name
        self._states = states
        self._matches: dict[frozenset[str], Match] = {}

    def matches(self, terminals: frozenset[str]) -> Mapping[int, Match]:
        """Return for each state the function that matches its terminals, among the given ones."""
        return LazyTable(partial(self._match, terminals.intersection(self._terminals)))

    def lex(self, lexer_state: LexerState, parser_state: ParserState[int]) -> Iterator[Token]:
        """Raise NotImplementedError: only `LeanParser` can use this lexer."""
        raise NotImplementedError

    def _match(self, among: frozenset[str], state: int) -> Match:
        """Compile the expression of the terminals that a state allows, in Lark's order."""
        names = among.intersection(self._states[state])
        if names not in self._matches:  # many states allow the same terminals
            terminals = sorted((self._terminals[name] for name in names), key=_rank)
            choices = (f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in terminals)
            expression = re.compile("|".join(choices) or _NEVER)
            self._matches[names] = cast("Match", expression.match)
        return self._matches[names]


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


def _rank(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """Return Lark's sort key of terminals: the first alternative that matches wins."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


# The parser: Lark's tables and node constructors, in a shorter loop.

if TYPE_CHECKING:
    Node: TypeAlias = "Tree[Token] | Token | None"
    """None is a delimiter, which Lark filters out of the tree."""
    Make: TypeAlias = Callable[[list[Node]], Tree[Token]]

_END = "$END"
"""Lark's name for the end of the text."""

_LEFT_OUT = "_"
"""The first character in the names of terminals that Lark filters out of trees."""


class StuckError(UnexpectedInput):
    """No terminal continues the text; `uriparse.diagnosis` finds what could have."""


class _Shift(NamedTuple):
    """Reading a terminal, and making the node that consists of it alone, if there is one.

    state: the next one.
    lexing: the state whose terminals may come next.
    make: makes the node from the terminal's text; None if the terminal has no node.
    kept: whether the text becomes a token.
    """

    state: int
    lexing: int
    make: Make | None
    kept: bool


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

    It calls the lexer itself, and a shift that can only be followed by one reduction is merged with
    it: the leaves of our trees are such nodes. An error has no offset and no expected terminals.

    Start rules share states, so a state may allow terminals that only texts of another start rule
    have. Only terminals that are reachable from the requested start rule are tried.
    """

    makes_tokens: ClassVar[bool] = True
    """Whether terminals become tokens, which know where they are; otherwise they are their text."""

    def __init__(self, table: IntParseTable, callbacks: Mapping[Rule, Make]) -> None:
        self._parse_table = table  # Lark reads the states for the lexer from this name
        self._callbacks = callbacks
        self._states = LazyTable(self._state)
        self._matches: dict[str, Mapping[int, Match]] = {}

    @classmethod
    def deserialize(
        cls,
        data: dict[str, object],
        memo: dict[int, object],
        callbacks: Mapping[Rule, Make],
        debug: bool = False,  # noqa: FBT001, FBT002 - Lark calls it so
    ) -> LeanParser:
        """Load a parser from the form in which Lark stores it."""
        del debug
        load: Callable[..., IntParseTable] = IntParseTable.deserialize  # Lark has no type for it
        return cls(load(data, memo), callbacks)

    def parse(self, thread: LexerThread, start: str) -> Node:
        """Return the tree of a text; StuckError if the text does not match."""
        given, lexer = cast("LexerState", thread.state), cast("LeanLexer", thread.lexer)
        if start not in self._matches:
            self._matches[start] = lexer.matches(self._terminals_of(start))
        text, matches = given.text.text, self._matches[start]
        table, known, piece = self._parse_table, self._states, token if self.makes_tokens else _text
        state = lexing = table.start_states[start]
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
        final = table.end_states[start]
        while state != final:
            state = self._reduce(states, nodes, _END)
        return nodes[-1]

    def _terminals_of(self, start: str) -> frozenset[str]:
        """Return the names of all symbols on the edges that a start state reaches."""
        found: set[str] = set()
        seen, pending = set[int](), [self._parse_table.start_states[start]]
        while pending:
            state = pending.pop()
            if state not in seen:
                seen.add(state)
                row = self._parse_table.states[state]
                edges = {name: after for name, (action, after) in row.items() if action is Shift}
                found.update(edges)
                pending.extend(edges.values())
        return frozenset(found)

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
        for symbol, (action, argument) in self._parse_table.states[number].items():
            if action is not Shift:
                name, size = argument.origin.name, len(argument.expansion)
                made.reduces[symbol] = _Reduce(size, self._callbacks[argument], name)
            elif symbol.isupper():  # how Lark distinguishes terminals from rules
                made.shifts[symbol] = self._shift(number, symbol, argument)
            else:
                made.gotos[symbol] = argument
        return made

    def _shift(self, number: int, terminal: str, after: int) -> _Shift:
        """Return the shift of a terminal, merged with a reduction if nothing else can follow."""
        table = self._parse_table.states
        kept = not terminal.startswith(_LEFT_OUT)
        rules = {rule if action is not Shift else None for action, rule in table[after].values()}
        rule = rules.pop()
        # Merged only if every look-ahead makes the same reduction, of this terminal alone: then the
        # look-ahead need not be known, and no other step can come between.
        if rules or rule is None or len(rule.expansion) != 1:
            return _Shift(after, after, None, kept)
        _, state = table[number][rule.origin.name]
        return _Shift(state, after, self._callbacks[rule], kept)
