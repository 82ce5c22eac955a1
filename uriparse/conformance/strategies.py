"""Strategies for Hypothesis: words of a rule, and texts that just fail to be.

The only module of the wing that loads Hypothesis; the front does not load it. Examples shrink to a
shortest word.
"""

from collections.abc import Mapping
from functools import cache
from math import isqrt
from typing import Final, NamedTuple

from uriparse.conformance.generation import compiled
from uriparse.conformance.rule_automata import stand_ins
from uriparse.conformance.suites import Subject, subject
from uriparse.errors import MissingExtraError
from uriparse.grammar.rule_sources import DEAD, NotRegularError, Source, reached, source_of

try:
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtraError("hypothesis", "drawing examples") from None


LONGEST: Final = 80
"""Characters from which on a word makes for its end."""


def from_rule(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw words of a rule: a walk through its automaton that goes where most of it is.

    Words of a rule that is recursive are derived.

    longest: characters from which on a word takes the shortest way to its end.

    UnknownRuleError for an unknown rule.

    >>> from hypothesis import find
    >>> find(from_rule("URI"), lambda text: True)
    'a:'
    """
    try:
        walk = _Walk(subject(rule, grammar), longest)
    except NotRegularError:
        from abnf2lark.library.generating import Deriver  # noqa: PLC0415 - slow to load
        from abnf2lark.library.strategies import derived  # noqa: PLC0415 - same

        source = source_of(grammar)
        return derived(Deriver(compiled(source)), source.rule_name(rule), longest)

    @st.composite
    def strategy(draw: st.DrawFn) -> str:
        return walk.word(draw)

    return strategy()


def near_miss(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw texts that do not belong to a rule: a word cut short, or with a character put in.

    The character is one that no text of the rule has there: of its borders or a suspect.

    UnknownRuleError for an unknown rule, ValueError if it refuses no text.

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


class _Here(NamedTuple):
    """What can be done in a state; the first of each is the nearest to home, None is nothing."""

    ends: st.SearchStrategy[int]
    steps: st.SearchStrategy[int] | None
    characters: Mapping[int, st.SearchStrategy[str]]
    refused: st.SearchStrategy[str] | None


class _Walk:
    """Walks through the automaton of a rule, by choices of which the first leads to an end."""

    def __init__(self, found: Subject, longest: int) -> None:
        self._automaton = found.automaton
        self._home = found.cover.suffixes
        self._longest = longest
        self._here = cache(self._looked_at)
        self._reach = cache(lambda state: len(reached(self._automaton.edges, state)))

    def _looked_at(self, state: int) -> _Here:
        row = self._automaton.edges[state]
        targets = sorted(set(row.values()), key=lambda after: (len(self._home[after]), after))
        # Steps that lead to many states are more frequent, else few IPv6 addresses would be drawn.
        steps = [target for target in targets for _ in range(isqrt(self._reach(target)))]
        characters: dict[int, list[str]] = {}
        refused: list[str] = []
        for label, spans in enumerate(self._automaton.classes):
            own = characters.setdefault(row[label], []) if label in row else refused
            own.extend(stand_ins(spans, "all"))
        return _Here(
            st.sampled_from([DEAD, *steps] if self._ends(state) else steps),
            st.sampled_from(steps) if steps else None,
            {after: st.sampled_from(own) for after, own in characters.items()},
            st.sampled_from(refused) if refused else None,
        )

    def word(self, draw: st.DrawFn) -> str:
        """Draw a word."""
        state, text = 0, ""
        while len(text) < self._longest:
            here = self._here(state)
            after = draw(here.ends)
            if after == DEAD:
                return text
            text += draw(here.characters[after])
            state = after
        return text + self._home[state]

    def miss(self, draw: st.DrawFn) -> str:
        """Draw a text that does not belong to the rule."""
        state, text = 0, ""
        while True:
            _, steps, characters, refused = self._here(state)
            can_stop = refused is not None or not self._ends(state)
            if steps is None or (can_stop and len(text) >= self._longest):
                break
            if can_stop and not draw(_GOES_ON):
                break
            after = draw(steps)
            text += draw(characters[after])
            state = after
        if refused is None or (not self._ends(state) and not draw(_BOOLEANS)):
            return text
        return text + draw(refused) + self._home[state]

    def _ends(self, state: int) -> bool:
        return state in self._automaton.final


_BOOLEANS: Final = st.booleans()
_GOES_ON: Final = st.sampled_from([False, True, True, True, True])
