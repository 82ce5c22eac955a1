"""Many texts read by one automaton, and what of it they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.conformance.automata import DEAD

if TYPE_CHECKING:
    from uriparse.conformance.alphabet import Alphabet
    from uriparse.conformance.automata import Automaton


class Traversal:
    """Reads texts, and remembers which steps of its automaton they take.

    Attributes:
        automaton: which one.
        steps: the pairs of a state and a class of characters read there, those among them that
            are refused.
        endings: the states in which a text has ended.

    """

    def __init__(self, automaton: Automaton, alphabet: Alphabet) -> None:
        self.automaton = automaton
        self.steps: set[tuple[int, int]] = set()
        self.endings: set[int] = set()
        self._class_of = {
            label: automaton.class_of(character) for label, character in alphabet.samples.items()
        }
        self._states = {state: _State(self, state) for state in (DEAD, *range(len(automaton)))}

    def read(self, labels: str) -> bool:
        """Read a text, given by the labels of its characters; tell whether it is accepted."""
        here = self._states[0]
        for label in labels:
            here = here[label]
        self.endings.add(here.state)
        return here.state in self.automaton.final

    def step(self, state: int, label: str) -> _State:
        """Take a step for the first time."""
        if state == DEAD:
            return self._states[DEAD]
        read = self._class_of[label]
        self.steps.add((state, read))
        return self._states[self.automaton.edges[state].get(read, DEAD)]


class _State(dict[str, "_State"]):
    """A state; the next one by the label of a character, once it has been read."""

    __slots__ = ("_owner", "state")

    def __init__(self, owner: Traversal, state: int) -> None:
        super().__init__()
        self.state = state
        self._owner = owner

    def __missing__(self, label: str) -> _State:
        self[label] = found = self._owner.step(self.state, label)
        return found
