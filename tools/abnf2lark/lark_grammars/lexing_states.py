"""The states of a parse table in which a contextual lexer works, and what can come there.

The lexer is asked for a token where one has just been shifted, or at the beginning. It tries the
terminals that the table has an entry for. Which state comes behind the next one depends on the
stack, which is not known here: any that the table can lead to by a token of that name will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.actions import END

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.lark_grammars.actions import Actions


class LexingStates:
    """What a parse table lets come, whatever the stack."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions
        self.tried = [frozenset(actions.tried(state)) for state in range(len(actions.shifts))]
        self._by_name: dict[str, set[int]] = {}
        for row in actions.shifts:
            for name, target in row.items():
                self._by_name.setdefault(name, set()).add(target)
        shifted = {state for targets in self._by_name.values() for state in targets}
        self.lexed: Sequence[int] = sorted(shifted.union(actions.starts))

    def targets(self, name: str) -> Iterable[int]:
        """Return the states that a token of a name leads to."""
        return sorted(self._by_name.get(name, ()))

    def after(self, state: int, name: str) -> Iterable[int]:
        """Return the states that a token can lead to from a state."""
        shifts, reductions = self.actions.shifts[state], self.actions.reductions[state]
        return (shifts[name],) if name in shifts and name not in reductions else self.targets(name)

    def behind(self, name: str) -> frozenset[str]:
        """Return the terminals that can follow one."""
        return frozenset(other for target in self.targets(name) for other in self.tried[target])

    def ends(self, state: int) -> bool:
        """Tell whether the text can end in a state."""
        return END in self.actions.reductions[state]
