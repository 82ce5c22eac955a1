"""The automaton of a rule: what a suite walks, what coverage counts, what a parser is held to."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from uriparse.grammar.automata import Group

Spans: TypeAlias = "tuple[tuple[int, int], ...]"
Edges: TypeAlias = "tuple[Mapping[int, int], ...]"

DEAD: Final = -1
"""Stands for the state from which no text goes on."""


class Stop(NamedTuple):
    """Where the reading of a text stops.

    offset: characters that can stand, the longest prefix that some text of the rule continues.
    state: the state behind them.
    """

    offset: int
    state: int


class Automaton:
    """A deterministic automaton in which every state leads to an end.

    Attributes:
        classes: characters that it never tells apart, as ranges of code points in order; every
            code point is in one class.
        edges: for each state the next one by the number of the class; a class that cannot follow
            is not there. State 0 is the first.
        final: the states in which a text may end.
        groups: for each state what the rules under way expect; empty where nothing is said of it.

    """

    __slots__ = ("_beginnings", "_labels", "classes", "edges", "final", "groups")

    def __init__(
        self,
        classes: Sequence[Spans],
        edges: Sequence[Mapping[int, int]],
        final: AbstractSet[int],
        groups: Sequence[tuple[Group, ...]] = (),
    ) -> None:
        self.classes: tuple[Spans, ...] = tuple(classes)
        self.edges: Edges = tuple(edges)
        self.final = frozenset(final)
        self.groups = tuple(groups)
        begun = sorted((low, label) for label, spans in enumerate(self.classes) for low, _ in spans)
        self._beginnings = [low for low, _ in begun]
        self._labels = [label for _, label in begun]

    def __len__(self) -> int:
        """Count the states, that from which no text goes on left out."""
        return len(self.edges)

    def class_of(self, character: str) -> int:
        """Give the class of a character."""
        return self._labels[bisect_right(self._beginnings, ord(character)) - 1]

    def step(self, state: int, character: str) -> int:
        """Give the state behind a character, `DEAD` if it cannot stand there."""
        return DEAD if state == DEAD else self.edges[state].get(self.class_of(character), DEAD)

    def read(self, text: str, state: int = 0) -> Stop:
        """Read on from a state as far as the text can go on; linear in time."""
        for offset, character in enumerate(text):
            after = self.edges[state].get(self.class_of(character), DEAD)
            if after == DEAD:
                return Stop(offset, state)
            state = after
        return Stop(len(text), state)

    def accepts(self, text: str) -> bool:
        """Tell whether a text belongs to the rule."""
        offset, state = self.read(text)
        return offset == len(text) and state in self.final

    def after(self, state: int, labels: Sequence[int]) -> int:
        """Give the state behind characters of some classes, `DEAD` if they cannot stand there."""
        for label in labels:
            if state == DEAD:
                break
            state = self.edges[state].get(label, DEAD)
        return state
