"""The lexer of component trees: Lark's contextual one, without what our terminals never need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lark.common import LexerConf
    from lark.lexer import LexerState, TerminalDef
    from lark.parsers.lalr_parser_state import ParserState

Match: TypeAlias = "Callable[[str, int], re.Match[str] | None]"

_LEFT_OUT = "_"
"""How the names of terminals begin that are left out of trees."""

_NEVER = "(?!)"
"""Where no terminal may stand."""


class StuckError(UnexpectedInput):
    """No terminal goes on with the text; what could have is a matter of `uriparse.diagnosis`."""


class LeanLexer(Lexer):
    """Lark's contextual lexer for terminals such as ours: none has a line end or is ignored.

    Lark's own compiles every terminal once more to see that it compiles, counts lines, makes a
    token of each delimiter, and tries all terminals where none matches that may stand there: with
    all that, long texts would take twice the time.
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
        self._delimiters = {
            name: Token(name, name) for name in self._terminals if name.startswith(_LEFT_OUT)
        }
        self._matches: dict[frozenset[str], Match] = {}
        self._by_state: dict[int, Match] = {}

    def lex(self, lexer_state: LexerState, parser_state: ParserState[int]) -> Iterator[Token]:
        """Yield the token that the parser's state allows, and so on to the end of the text."""
        text = lexer_state.text.text
        delimiters, known = self._delimiters, self._by_state
        at, end = 0, len(text)
        while at < end:
            state = parser_state.position
            match = (known.get(state) or self._match(state))(text, at)
            if match is None:
                raise StuckError
            name = str(match.lastgroup)
            behind = match.end()
            yield delimiters.get(name) or Token(
                name, text[at:behind], at, 1, at + 1, 1, behind + 1, behind
            )
            at = behind

    def _match(self, state: int) -> Match:
        """Compile the expression of the terminals that may stand in a state, in Lark's order."""
        names = frozenset(self._terminals).intersection(self._states[state])
        if names not in self._matches:
            terminals = sorted((self._terminals[name] for name in names), key=_rank)
            choices = (f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in terminals)
            self._matches[names] = re.compile("|".join(choices) or _NEVER).match
        self._by_state[state] = self._matches[names]
        return self._by_state[state]


def _rank(terminal: TerminalDef) -> tuple[int, int, int, str]:
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name
