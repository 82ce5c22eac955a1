"""The texts of a suite, by the method that they come from."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from uriparse.conformance.automata import DEAD
from uriparse.conformance.characters import stand_ins
from uriparse.conformance.identifiers import identifiers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.subjects import Subject


class Case(NamedTuple):
    """A text, and what it is there for.

    at: the offset of the character that it tests, `len(text)` for the end.
    edit: the edit of a rule that it tells from the rule; `""` for other methods.
    """

    text: str
    at: int
    edit: str = ""


def transition_cases(subject: Subject, characters: str) -> Iterator[Case]:
    """Take each step of the automaton once, and each that it refuses, and see where it leads.

    Behind a step comes nothing, then a shortest way to an end; behind a character that is refused,
    which may be passed over by mistake, the way to an end from the state before it.
    """
    automaton, ways = subject.automaton, subject.ways
    for state, word in enumerate(ways.to):
        yield Case(word, len(word))
        for label, spans in enumerate(automaton.classes):
            target = automaton.edges[state].get(label, DEAD)
            end = ways.home[state if target == DEAD else target]
            for number, character in enumerate(stand_ins(spans, characters)):
                if not number:
                    yield Case(word + character, len(word))
                yield Case(word + character + end, len(word))


def hsi_cases(subject: Subject, characters: str, extra_states: int) -> Iterator[Case]:
    """Take all steps from each state, so many more behind them, and identify where they end."""
    automaton, ways = subject.automaton, subject.ways
    own = {
        state: tuple("".join(ways.samples[label] for label in word) for word in words)
        for state, words in identifiers(automaton).items()
    }
    every = range(len(automaton.classes))
    starts = [*enumerate(ways.to)]
    if (refused := first_refused(subject)) is not None:
        starts.append((DEAD, refused))
    for state, word in starts:
        yield from (Case(word + telling, len(word)) for telling in own[state])
        for length in range(extra_states + 1):
            for label, *rest in product(every, repeat=length + 1):
                tail = "".join(ways.samples[number] for number in rest)
                tellings = own[automaton.after(state, (label, *rest))]
                for character in stand_ins(automaton.classes[label], characters):
                    before = word + character + tail
                    yield from (Case(before + telling, len(word)) for telling in tellings)


def hsi_size(subject: Subject, characters: str, extra_states: int) -> int:
    """Count the cases of `hsi_cases` without making them; some of them have the same text."""
    automaton = subject.automaton
    tellings = {state: len(words) for state, words in identifiers(automaton).items()}
    dead_end = first_refused(subject) is not None
    widths = [len(stand_ins(spans, characters)) for spans in automaton.classes]
    here = dict.fromkeys(range(len(automaton)), 1)
    if dead_end:
        here[DEAD] = 1
    total = sum(tellings[state] for state in here)
    for length in range(extra_states + 1):
        after: dict[int, int] = {}
        for state, count in here.items():
            for label in range(len(automaton.classes)):
                target = automaton.after(state, (label,))
                times = count if length else count * widths[label]
                after[target] = after.get(target, 0) + times
        here = after
        total += sum(tellings[state] * count for state, count in here.items())
    return total


def mutant_cases(subject: Subject) -> Iterator[Case]:
    """Give the texts that tell the rule from each that one edit makes of its grammar."""
    for text, edit in subject.source.witnesses(subject.rule).texts:
        offset, _ = subject.automaton.read(text)
        yield Case(text, offset, edit)


def first_refused(subject: Subject) -> str | None:
    """Give a shortest text that no text of the rule begins with; None if there is none."""
    automaton, ways = subject.automaton, subject.ways
    found = (
        word + ways.samples[label]
        for state, word in enumerate(ways.to)
        for label in range(len(automaton.classes))
        if label not in automaton.edges[state]
    )
    return min(found, key=len, default=None)
