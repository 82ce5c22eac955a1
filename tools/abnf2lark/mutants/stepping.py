"""Automata that are made deterministic only where they are walked.

A mutant may have five times the states of its rule, of which most are never asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.mutants.fixed import Fixed, Row
    from abnf2lark.mutants.undetermined import Undetermined

NOWHERE = -1


class Stepping:
    """An automaton whose states are sets of states of an undetermined one, by number."""

    def __init__(self, automaton: Undetermined) -> None:
        self._automaton = automaton
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._rows: dict[int, Row] = {}
        self.final: set[int] = set()
        self.start = self._number(automaton.start)

    @property
    def size(self) -> int:
        """How many states have been come to."""
        return len(self._sets)

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        found = self._rows.get(state)
        if found is None:
            by_target: dict[int, int] = {}
            for bits, states in self._automaton.ahead(self._sets[state]):
                number = self._number(states)
                by_target[number] = by_target.get(number, 0) | bits
            found = tuple((bits, number) for number, bits in by_target.items())
            self._rows[state] = found
        return found

    def _number(self, states: frozenset[int]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
            if self._automaton.end in states:
                self.final.add(number)
        return number


def accepted(automaton: Fixed | Stepping, words: Iterable[Sequence[int]]) -> list[bool]:
    """Tell which words are accepted; they are walked fastest in order, as they begin alike."""
    found: list[bool] = []
    states = [automaton.start]
    known: Sequence[int] = ()
    for word in words:
        depth = _alike(known, word)
        del states[depth + 1 :]
        state = states[-1]
        for bit in word[depth:]:
            state = _step(automaton, state, bit)
            states.append(state)
        found.append(state in automaton.final)
        known = word
    return found


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _step(automaton: Fixed | Stepping, state: int, bit: int) -> int:
    if state != NOWHERE:
        for bits, target in automaton.row(state):
            if bits & bit:
                return target
    return NOWHERE
