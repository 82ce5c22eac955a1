"""The states of a parse table in which a contextual lexer works, and what can come there.

The lexer is asked for a token where one has just been shifted, or at the beginning. It tries the
terminals that the table has an entry for. Which state comes behind the next one depends on the
stack, which is not known here: any that the table can lead to by a token of that name will do.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from abnf2lark.lark_grammars.tokens import ConflictError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHIFTED = "a shift has been preferred to a reduction"


class LexingStates:
    """What a parse table lets come, whatever the stack."""

    def __init__(self, lark_text: str, starts: Sequence[str]) -> None:
        import lark  # noqa: PLC0415 - imported where it is used, like `abnf`
        from lark.exceptions import GrammarError  # noqa: PLC0415 - same
        from lark.parsers.lalr_analysis import Shift  # noqa: PLC0415 - same

        with _Overheard() as log:
            try:
                parser = lark.Lark(
                    lark_text,
                    parser="lalr",
                    lexer="contextual",
                    start=list(starts),
                    maybe_placeholders=False,
                )
            except GrammarError as error:
                raise ConflictError(str(error)) from error
        if any("conflict" in message for message in log.messages):
            raise ConflictError(SHIFTED)
        table = parser.parser.parser._parse_table  # noqa: SLF001 - the table is not public
        terminals = {terminal.name for terminal in parser.terminals}
        self.tried: dict[int, frozenset[str]] = {}
        self._shifts: dict[int, dict[str, int]] = {}
        self._ends: set[int] = set()
        self._by_name: dict[str, set[int]] = {}
        for state, row in table.states.items():
            self.tried[state] = frozenset(name for name in row if name in terminals)
            if "$END" in row:
                self._ends.add(state)
            for name, (action, argument) in row.items():
                if action is Shift and name in terminals:
                    self._by_name.setdefault(name, set()).add(argument)
                    self._shifts.setdefault(state, {})[name] = argument
        starting = set(table.start_states.values())
        shifted = {state for targets in self._by_name.values() for state in targets}
        self.lexed = sorted(starting | shifted)

    def targets(self, name: str) -> Iterable[int]:
        """Return the states that a token of a name leads to."""
        return sorted(self._by_name.get(name, ()))

    def after(self, state: int, name: str) -> Iterable[int]:
        """Return the states that a token can lead to from a state."""
        shifted = self._shifts.get(state, {}).get(name)
        return self.targets(name) if shifted is None else (shifted,)

    def behind(self, name: str) -> frozenset[str]:
        """Return the terminals that can follow one."""
        return frozenset(other for target in self.targets(name) for other in self.tried[target])

    def ends(self, state: int) -> bool:
        """Tell whether the text can end in a state."""
        return state in self._ends


class _Overheard(logging.Handler):
    """What Lark logs; it tells of shifts that it prefers to reductions in no other way."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage().lower())

    def __enter__(self) -> Self:
        import lark  # noqa: PLC0415 - imported where it is used, like `abnf`

        self._before = lark.logger.level, lark.logger.handlers
        lark.logger.handlers = [self]
        lark.logger.setLevel(logging.DEBUG)
        return self

    def __exit__(self, *error: object) -> None:
        import lark  # noqa: PLC0415 - imported where it is used, like `abnf`

        level, lark.logger.handlers = self._before
        lark.logger.setLevel(level)
