"""Finished automata, their steps over sets of classes as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from abnf2lark.automata import Language
    from abnf2lark.mutants.classes import Classes

Row: TypeAlias = "tuple[tuple[int, int], ...]"
"""Classes as bits, and the state behind them; no class in two of them."""


class Fixed:
    """A finished automaton; state 0 is the first."""

    def __init__(self, language: Language, classes: Classes) -> None:
        self.start = 0
        self.final: AbstractSet[int] = language.final
        self.rows = [_by_target(row, classes) for row in language.edges]
        self.single = self._single()
        """The classes of a language of single characters, else 0."""

    def _single(self) -> int:
        if 0 in self.final or any(self.rows[1:]):
            return 0
        return sum(bits for bits, target in self.rows[0] if target in self.final)

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        return self.rows[state]


def _by_target(row: Mapping[int, int], classes: Classes) -> Row:
    found: dict[int, int] = {}
    for label, target in row.items():
        found[target] = found.get(target, 0) | classes.bit[label]
    return tuple(
        sorted(((bits, target) for target, bits in found.items()), key=lambda s: s[0] & -s[0])
    )
