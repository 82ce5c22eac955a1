"""The parser of component trees: Lark's tables and lexer, without what our terminals never need."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer, Token
from lark.parsers.lalr_analysis import IntParseTable, Shift

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lark.common import LexerConf
    from lark.grammar import Rule
    from lark.lexer import LexerState, LexerThread, TerminalDef
    from lark.parsers.lalr_parser_state import ParserState
    from lark.tree import Tree


# The lexer of component trees: Lark's contextual one, without what our terminals never need.

Match: TypeAlias = "Callable[[str, int], Terminal | None]"
Made = TypeVar("Made")

_NEVER = "(?!)"
"""Where no terminal may stand."""


class Terminal(Protocol):
    """A match of an expression each of whose alternatives is a group."""

    lastgroup: str

    def end(self) -> int:
        """Tell where it ends."""
        raise NotImplementedError


class Lazily(dict[int, Made]):
    """What there is for each state, made when it is first asked for."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int], Made]) -> None:
        self._make = make

    def __missing__(self, state: int) -> Made:
        """Make it, and keep it."""
        return self.setdefault(state, self._make(state))


class LeanLexer(Lexer):
    """Lark's contextual lexer for terminals such as ours: none is ignored, and lines do not count.

    Lark's own compiles every terminal once more to see that it compiles, counts lines, makes a
    token of each delimiter, and tries all terminals where none matches that may stand there. It
    also is a generator: `LeanParser` asks for the expressions instead.
    """

    def __init__(
        self,
        conf: LexerConf,
        states: Mapping[int, Collection[str]],
        always_accept: Collection[str],
    ) -> None:
        del always_accept  # what a processor of tokens asks for, and here is none
        self._terminals = conf.terminals_by_name
        self._states = states
        self._matches: dict[frozenset[str], Match] = {}

    def matches(self, terminals: frozenset[str]) -> Mapping[int, Match]:
        """Give by state what matches those of some terminals that may stand there."""
        return Lazily(partial(self._match, terminals.intersection(self._terminals)))

    def lex(self, lexer_state: LexerState, parser_state: ParserState[int]) -> Iterator[Token]:
        """Refuse: only `LeanParser` parses with this lexer."""
        raise NotImplementedError

    def _match(self, among: frozenset[str], state: int) -> Match:
        """Compile the expression of the terminals that may stand in a state, in Lark's order."""
        names = among.intersection(self._states[state])
        if names not in self._matches:
            terminals = sorted((self._terminals[name] for name in names), key=_rank)
            choices = (f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in terminals)
            expression = re.compile("|".join(choices) or _NEVER)
            self._matches[names] = cast("Match", expression.match)
        return self._matches[names]


def token(name: str, text: str, start: int, end: int) -> Token:
    """Make the token of a part of a text, all of it one line, in half of the time Lark takes."""
    part = text[start:end]
    made = str.__new__(Token, part)
    made.type, made.value = name, part
    made.start_pos, made.end_pos = start, end
    made.line = made.end_line = 1
    made.column, made.end_column = start + 1, end + 1
    return made


def _rank(terminal: TerminalDef) -> tuple[int, int, int, str]:
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


# The parser of component trees: Lark's tables and makers of nodes, in a loop of fewer steps.

if TYPE_CHECKING:
    Node: TypeAlias = "Tree[Token] | Token | None"
    """None stands for a delimiter, which leaves no trace."""
    Make: TypeAlias = Callable[[list[Node]], Tree[Token]]

_END = "$END"
"""How Lark calls the end of the text."""

_LEFT_OUT = "_"
"""How the names of terminals begin that are left out of trees."""


class StuckError(UnexpectedInput):
    """No terminal goes on with the text; what could have is a matter of `uriparse.diagnosis`."""


class _Shift(NamedTuple):
    """A terminal and the node that it is all of, or none.

    Attributes:
        state: the next one.
        lexing: the state whose terminals may come next.
        make: makes the node of the terminal's text; None where there is none.
        kept: whether the text is kept.

    """

    state: int
    lexing: int
    make: Make | None
    kept: bool


class _Reduce(NamedTuple):
    """What has been read is one node."""

    size: int
    make: Make
    origin: str


class _State(NamedTuple):
    """What can be done in one state, by terminal; and the next states by rule."""

    shifts: dict[str, _Shift]
    reduces: dict[str, _Reduce]
    gotos: dict[str, int]


class LeanParser:
    """Lark's LALR parser for lexers that never change their mind.

    It takes turns with the lexer itself, and where a state can do nothing but make the terminal
    before it a node, it takes both steps at once: the leaves of our trees are such nodes. Long
    texts take a quarter of the time. What is not read is not told: a refusal names no place.

    Start rules share states, and what may follow in a text of one is mixed there with what may in
    texts of another: tried are the terminals of the rule that is started with.
    """

    def __init__(self, table: IntParseTable, callbacks: Mapping[Rule, Make]) -> None:
        self._parse_table = table  # whence Lark takes the states for the lexer
        self._callbacks = callbacks
        self._states = Lazily(self._state)
        self._matches: dict[str, Mapping[int, Match]] = {}

    @classmethod
    def deserialize(
        cls,
        data: dict[str, object],
        memo: dict[int, object],
        callbacks: Mapping[Rule, Make],
        debug: bool = False,  # noqa: FBT001, FBT002 - Lark calls it so
    ) -> LeanParser:
        """Be made of what Lark has stored."""
        del debug
        load: Callable[..., IntParseTable] = IntParseTable.deserialize  # Lark has no type for it
        return cls(load(data, memo), callbacks)

    def parse(self, thread: LexerThread, start: str) -> Node:
        """Give the tree of a text; StuckError if there is none."""
        given, lexer = cast("LexerState", thread.state), cast("LeanLexer", thread.lexer)
        if start not in self._matches:
            self._matches[start] = lexer.matches(self._terminals_of(start))
        text, matches = given.text.text, self._matches[start]
        table, known = self._parse_table, self._states
        state = lexing = table.start_states[start]
        states = [state]
        nodes: list[Node] = []
        at, end = 0, len(text)
        while at < end:
            match = matches[lexing](text, at)
            if match is None:
                raise StuckError
            name = match.lastgroup
            while (shift := known[state].shifts.get(name)) is None:
                state = self._reduce(states, nodes, name)
            state, lexing, make, kept = shift
            behind = match.end()
            leaf = token(name, text, at, behind) if kept else None
            nodes.append(leaf if make is None else make([leaf]))
            states.append(state)
            at = behind
        final = table.end_states[start]
        while state != final:
            state = self._reduce(states, nodes, _END)
        return nodes[-1]

    def _terminals_of(self, start: str) -> frozenset[str]:
        """Name what can be read on the ways from a start: terminals, and nodes."""
        found: set[str] = set()
        seen, pending = set[int](), [self._parse_table.start_states[start]]
        while pending:
            state = pending.pop()
            if state not in seen:
                seen.add(state)
                row = self._parse_table.states[state]
                ways = {name: after for name, (action, after) in row.items() if action is Shift}
                found.update(ways)
                pending.extend(ways.values())
        return frozenset(found)

    def _reduce(self, states: list[int], nodes: list[Node], name: str) -> int:
        """Make a node of the last ones; return the state behind it."""
        reduce = self._states[states[-1]].reduces.get(name)
        if reduce is None:
            raise StuckError
        size, make, origin = reduce
        children: list[Node] = []
        if size:
            children = nodes[-size:]
            del nodes[-size:], states[-size:]
        nodes.append(make(children))
        states.append(self._states[states[-1]].gotos[origin])
        return states[-1]

    def _state(self, number: int) -> _State:
        """Sort what a state can do."""
        made = _State({}, {}, {})
        for symbol, (action, argument) in self._parse_table.states[number].items():
            if action is not Shift:
                made.reduces[symbol] = self._reduction(argument)
            elif symbol.isupper():
                made.shifts[symbol] = self._shift(number, symbol, argument)
            else:
                made.gotos[symbol] = argument
        return made

    def _reduction(self, rule: Rule) -> _Reduce:
        return _Reduce(len(rule.expansion), self._callbacks[rule], rule.origin.name)

    def _shift(self, number: int, terminal: str, behind: int) -> _Shift:
        """Say where a terminal leads from a state, and whether it is a node by itself."""
        table = self._parse_table.states
        kept = not terminal.startswith(_LEFT_OUT)
        rules = {rule if action is not Shift else None for action, rule in table[behind].values()}
        rule = rules.pop()
        if rules or rule is None or len(rule.expansion) != 1:
            return _Shift(behind, behind, None, kept)
        _, state = table[number][rule.origin.name]
        return _Shift(state, behind, self._callbacks[rule], kept)
