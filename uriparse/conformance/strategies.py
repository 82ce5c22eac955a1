"""Strategies for Hypothesis: words of a rule, and texts that just fail to be.

The only module of the wing that loads Hypothesis; the front does not load it. Examples shrink to a
shortest word.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from uriparse.conformance.automata import DEAD
from uriparse.conformance.characters import stand_ins
from uriparse.conformance.subjects import subject
from uriparse.errors import MissingExtraError

try:
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtraError("test", "drawing examples") from None

if TYPE_CHECKING:
    from uriparse.conformance.automata import Automaton
    from uriparse.conformance.sources import Source
    from uriparse.conformance.subjects import Subject

LONGEST: Final = 80
"""Characters from which on a word makes for its end."""


def from_rule(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw words of a rule: a walk through its automaton that goes where most of it is.

    longest: characters from which on a word takes the shortest way to its end.

    UnknownRuleError if there is no such rule.

    >>> from hypothesis import find
    >>> find(from_rule("URI"), lambda text: True)
    'a:'
    """
    walk = _Walk(subject(rule, grammar), longest)

    @st.composite
    def strategy(draw: st.DrawFn) -> str:
        return walk.word(draw)

    return strategy()


def near_miss(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw texts that do not belong to a rule: a word cut short, or with a character put in.

    The character is one that no text of the rule has there: of its borders or a suspect.

    UnknownRuleError if there is no such rule, ValueError if it refuses no text.

    >>> from hypothesis import find
    >>> find(near_miss("IPv4address"), lambda text: True)
    ''
    """
    found = subject(rule, grammar)
    automaton = found.automaton
    if all(
        state in automaton.final and len(row) == len(automaton.classes)
        for state, row in enumerate(automaton.edges)
    ):
        raise ValueError(f"{found.rule} refuses no text")
    walk = _Walk(found, longest)

    @st.composite
    def strategy(draw: st.DrawFn) -> str:
        return walk.miss(draw)

    return strategy()


class _Walk:
    """Walks through the automaton of a rule, by choices of which the first leads home."""

    def __init__(self, found: Subject, longest: int) -> None:
        automaton = found.automaton
        self._automaton = automaton
        self._home = found.ways.home
        self._longest = longest
        reach = _reach(automaton)
        shown = [stand_ins(spans, "all") for spans in automaton.classes]
        self._steps: list[st.SearchStrategy[int] | None] = []
        self._words: list[st.SearchStrategy[int]] = []
        self._refused: list[st.SearchStrategy[str] | None] = []
        characters: dict[tuple[int, int], list[str]] = {}
        for state, row in enumerate(automaton.edges):
            targets = sorted(set(row.values()), key=lambda after: (len(self._home[after]), after))
            # What much lies behind is taken more often, or nobody would come to an IPv6 address.
            steps = [target for target in targets for _ in range(isqrt(reach[target]))]
            self._steps.append(st.sampled_from(steps) if steps else None)
            self._words.append(st.sampled_from([DEAD, *steps] if self._ends(state) else steps))
            for label, after in row.items():
                characters.setdefault((state, after), []).extend(shown[label])
            refused = [c for label, own in enumerate(shown) if label not in row for c in own]
            self._refused.append(st.sampled_from(refused) if refused else None)
        self._characters = {step: st.sampled_from(own) for step, own in characters.items()}

    def word(self, draw: st.DrawFn) -> str:
        """Draw a word."""
        state, text = 0, ""
        while len(text) < self._longest:
            after = draw(self._words[state])
            if after == DEAD:
                return text
            text += draw(self._characters[state, after])
            state = after
        return text + self._home[state]

    def miss(self, draw: st.DrawFn) -> str:
        """Draw a text that is no word."""
        state, text = 0, ""
        while True:
            refused, steps = self._refused[state], self._steps[state]
            can_stop = refused is not None or not self._ends(state)
            if steps is None or (can_stop and len(text) >= self._longest):
                break
            if can_stop and not draw(_GOES_ON):
                break
            after = draw(steps)
            text += draw(self._characters[state, after])
            state = after
        if refused is None or (not self._ends(state) and not draw(_BOOLEANS)):
            return text
        return text + draw(refused) + self._home[state]

    def _ends(self, state: int) -> bool:
        return state in self._automaton.final


_BOOLEANS: Final = st.booleans()
_GOES_ON: Final = st.sampled_from([False, True, True, True, True])


def _reach(automaton: Automaton) -> list[int]:
    """Count the states that can be come to from each state, itself included."""
    found = []
    for state in range(len(automaton)):
        seen = {state}
        pending = [state]
        while pending:
            for after in automaton.edges[pending.pop()].values():
                if after not in seen:
                    seen.add(after)
                    pending.append(after)
        found.append(len(seen))
    return found
