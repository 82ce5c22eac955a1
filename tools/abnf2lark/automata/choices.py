"""Read texts with all alternatives of a choice at once, to see which of them come first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata.limits import MAX_STATES, TooLargeError, spend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.automata.language import Language

# Alternatives with their states, and the first one that matches a beginning of the text.
_State: TypeAlias = "tuple[tuple[tuple[int, int], ...], int]"


@dataclass(slots=True)
class FirstWords:
    """What is to be seen of alternatives in their order, each known by its place.

    ``chosen`` are those that match a text which none before them matches; ``shadowed`` lead to the
    shortest of such texts a part of which is matched before, as classes.
    """

    chosen: set[int] = field(default_factory=set)
    shadowed: dict[int, tuple[int, ...]] = field(default_factory=dict)


def first_words(languages: Sequence[Language]) -> FirstWords:
    """Walk all states that the alternatives can be in together, the shortest texts first."""
    found = FirstWords()
    none = len(languages)
    start: _State = (tuple((place, 0) for place, one in enumerate(languages) if one), none)
    seen = {start}
    # How each state was come to: from which, by its number, and by which label.
    ways: list[tuple[int, int]] = [(0, 0)]
    pending = deque([(start, 0)])
    while pending:
        (states, before), here = pending.popleft()
        first = next((place for place, one in states if one in languages[place].final), none)
        if first < none:
            found.chosen.add(first)
            if before < first and first not in found.shadowed:
                found.shadowed[first] = _labels(here, ways)
        taken = min(first, before)
        moves: dict[int, list[tuple[int, int]]] = {}
        for place, one in states:
            for label, target in languages[place].edges[one].items():
                moves.setdefault(label, []).append((place, target))
        spend(sum(map(len, moves.values())))
        for label in sorted(moves):
            there = (tuple(moves[label]), taken)
            if there not in seen:
                seen.add(there)
                if len(seen) > MAX_STATES:
                    raise TooLargeError
                pending.append((there, len(ways)))
                ways.append((here, label))
    return found


def _labels(number: int, ways: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    found: list[int] = []
    while number:
        number, label = ways[number]
        found.append(label)
    return tuple(reversed(found))
