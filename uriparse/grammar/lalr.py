"""The parser of component trees: Lark's tables and makers of nodes, in a loop of fewer steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from lark.exceptions import UnexpectedInput
from lark.parsers.lalr_analysis import IntParseTable, Shift

from uriparse.grammar.lexer import Lazily, token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lark.grammar import Rule
    from lark.lexer import LexerState, LexerThread, Token
    from lark.tree import Tree

    from uriparse.grammar.lexer import LeanLexer, Match

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
