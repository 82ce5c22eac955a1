"""Texts that put each component to the test, also where the rule goes on alike in several.

The smallest automaton has one state for what a path and a query go on with; parsers have code for
each. So the texts of a suite are made of its steps, and those of a trial of all places as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.conformance.automata import DEAD
from uriparse.conformance.characters import stand_ins
from uriparse.conformance.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.subjects import Subject


def component_texts(subject: Subject, characters: str = "all") -> Iterator[str]:
    """Yield texts for each state of the automaton that tells components apart.

    Each character, taken or refused, and behind it the way to an end; behind one that is refused
    also a step that could be taken before it, as in `[::%0]`.
    """
    automaton = subject.telling
    ways = Ways(automaton)
    for state, word in enumerate(ways.to):
        yield word
        row = automaton.edges[state]
        for label, spans in enumerate(automaton.classes):
            target = row.get(label, DEAD)
            end = ways.home[state if target == DEAD else target]
            for number, character in enumerate(stand_ins(spans, characters)):
                yield word + character + end
                if target == DEAD and not number:
                    yield from (
                        word + character + ways.samples[next_one] + ways.home[after]
                        for next_one, after in sorted(row.items())[:1]
                    )
