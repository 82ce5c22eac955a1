"""The lexer of component trees: Lark's contextual one, without what our terminals never need."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from lark.lexer import Lexer, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lark.common import LexerConf
    from lark.lexer import LexerState, TerminalDef
    from lark.parsers.lalr_parser_state import ParserState

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
