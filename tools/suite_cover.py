"""Few texts that together detect every mutant of a rule: the tier "tiny" of uri-test-suite.

The compiler keeps a shortest text for each mutant. Fewer are enough: one valid text can detect many
parsers that reject too much, if it is spliced from several, and one invalid text some of those that
accept too much, if it has the faults that both accept.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple, TypeAlias

from abnf2lark.automata import labels_to
from abnf2lark.config import bundled_directory, load_bundles
from abnf2lark.mutants.mutant_automata import NOWHERE, Fixed, LazyDfa, Row, accepted
from abnf2lark.mutants.witnesses import Laboratory

LONGEST = 80
"""Characters of a spliced text: what fits in a line can still be read."""

TRIES = 60
"""Ways tried to splice a text into another; more found no smaller suite for URI."""

Told: TypeAlias = "dict[str, set[int]]"
"""Texts, each with the mutants that it detects, by number."""


def cover(rule: str, grammar: str, texts: Iterable[str]) -> dict[str, str]:
    """Return few texts that detect each mutant that some given text does, and what for."""
    trials = Trials(rule, grammar)
    told = trials.told(texts, range(len(trials.mutants)))
    valid = {text: told[text] for text in told if trials.is_valid(text)}
    rejecting = set().union(*valid.values())
    invalid = {text: told[text] - rejecting for text in told.keys() - valid.keys()}
    accepting = set().union(*invalid.values())
    invalid |= trials.told(trials.merged(_hardest(invalid, accepting)), accepting)
    chosen = {text: invalid[text] for text in fewest(invalid)}
    missing = rejecting.difference(*(told.get(text, ()) for text in chosen))
    spliced = trials.told(trials.spliced(valid, missing), missing)
    chosen |= {text: spliced[text] for text in fewest(spliced)}
    return {text: trials.words(mutants) for text, mutants in chosen.items()}


def fewest(told: Mapping[str, Collection[int]]) -> list[str]:
    """Return few texts that detect what all do.

    Set cover is NP-hard: the texts are chosen greedily, and those that others have made redundant
    are removed in the end.
    """
    left = {text: set(told[text]) for text in sorted(told, key=lambda text: (len(text), text))}
    chosen: list[str] = []
    while left:
        best = max(left, key=lambda text: len(left[text]))
        found = left.pop(best)
        if not found:
            break
        chosen.append(best)
        left = {text: others - found for text, others in left.items()}
    counts: dict[int, int] = defaultdict(int)
    for text in chosen:
        for mutant in told[text]:
            counts[mutant] += 1
    for text in chosen[::-1]:
        if all(counts[mutant] > 1 for mutant in told[text]):
            chosen.remove(text)
            for mutant in told[text]:
                counts[mutant] -= 1
    return chosen


class Trials:
    """The mutants of a rule, and which of them a text detects."""

    def __init__(self, rule: str, grammar: str) -> None:
        bundle = load_bundles(bundled_directory(), grammar)[grammar]
        self._laboratory = Laboratory(bundle.grammar, rule)
        self.mutants = self._laboratory.mutants
        self._own = self._laboratory.own
        self._classes = self._laboratory.classes
        self._known: dict[int, LazyDfa] = {}

    def is_valid(self, text: str) -> bool:
        """Whether a text belongs to the rule."""
        return accepted(self._own, [self._classes.bits_of(text)])[0]

    def words(self, mutants: Collection[int]) -> str:
        """Name the first of some mutants, and count the others."""
        first = self.mutants[min(mutants)].edit
        return first if len(mutants) == 1 else f"{first}, and {len(mutants) - 1} more edits"

    def told(self, texts: Iterable[str], among: Iterable[int]) -> Told:
        """Return for each text those of some mutants that it detects."""
        found: Told = {text: set() for text in texts}
        # In order, words share what they begin with, and that is walked once.
        pairs = sorted((self._classes.bits_of(text), text) for text in found)
        ordered = [word for word, _ in pairs]
        own = accepted(self._own, ordered)
        for mutant in among:
            theirs = accepted(self._laboratory.lazy_dfa(self.mutants[mutant]), ordered)
            for (_, text), belongs, still in zip(pairs, own, theirs, strict=True):
                if belongs is not still:
                    found[text].add(mutant)
        return found

    def merged(self, mutants: Collection[int]) -> Iterator[str]:
        """Yield a shortest invalid text that two mutants accept, for each two that have one.

        Two edits of one rule are tried, of which there is a quarter as many pairs.
        """
        gained = {one: self._gained(one) for one in sorted(mutants)}
        for one, other in combinations(gained, 2):
            if self.mutants[one].rule == self.mutants[other].rule:
                text = self._common(gained[one], gained[other])
                if text is not None:
                    yield text

    def _gained(self, mutant: int) -> _Gained:
        """Return an automaton of the invalid texts that a mutant accepts."""
        automaton = self._laboratory.lazy_dfa(self.mutants[mutant])
        numbers = {(self._own.start, automaton.start): 0}
        pairs = [*numbers]
        rows: list[list[tuple[int, int]]] = []
        before: dict[int, list[int]] = defaultdict(list)
        final = set()
        for left, right in pairs:
            if right in automaton.final and left not in self._own.final:
                final.add(len(rows))
            row = []
            for bits, target in _together(self._row(left), automaton.row(right)):
                if target not in numbers:
                    numbers[target] = len(pairs)
                    pairs.append(target)
                row.append((bits, numbers[target]))
                before[numbers[target]].append(len(rows))
            rows.append(row)
        alive, pending = set(final), [*final]
        while pending:
            fresh = set(before[pending.pop()]) - alive
            alive |= fresh
            pending += fresh
        return _Gained([tuple(step for step in row if step[1] in alive) for row in rows], final)

    def _row(self, state: int) -> Row:
        return () if state == NOWHERE else self._own.row(state)

    def _common(self, one: _Gained, other: _Gained) -> str | None:
        parents: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {(0, 0): None}
        pending = deque(parents)
        while pending:
            here = pending.popleft()
            if here[0] in one.final and here[1] in other.final:
                return "".join(map(self._classes.sample, labels_to(here, parents)))
            for bits, left in one.rows[here[0]]:
                for others, right in other.rows[here[1]]:
                    if bits & others and (left, right) not in parents:
                        parents[left, right] = (here, bits & others)
                        pending.append((left, right))
        return None

    def spliced(self, valid: Told, missing: Collection[int]) -> Iterator[str]:
        """Yield valid texts that detect some mutants, each grown from the best of the given."""
        left = set(missing)
        while left:
            hardest = _hardest(valid, left)
            told = {text: mutants & hardest for text, mutants in valid.items()}
            text = max(told, key=lambda text: len(told[text]))
            done = told[text]
            others = [other for other in told if told[other] - done]
            while others:
                other = max(others, key=lambda other: len(told[other] - done))
                others.remove(other)
                for child in sorted(self._children(text, other))[:TRIES]:
                    more = self._rejecting(child[-1], told[other] - done)
                    if more and len(kept := self._rejecting(child[-1], done) | more) > len(done):
                        text, done = child[-1], kept
                        others = [other for other in others if told[other] - done]
                        break
            yield text
            left -= self._rejecting(text, left)

    def _children(self, text: str, other: str) -> set[tuple[int, int, int, str]]:
        """Return the valid texts that have a piece of another in place of one of their own.

        The smallest changes are the first: what is lost, what is put in, where, and the text.
        """
        trace = [self._own.start]
        for bit in self._classes.bits_of(text):
            trace.append(_after(self._own, trace[-1], bit))
        bits = self._classes.bits_of(other)
        found = set()
        for start, state in enumerate(trace):
            for first in range(len(bits)):
                here = state
                for last in range(first, len(bits)):
                    here = _after(self._own, here, bits[last])
                    if here == NOWHERE:
                        break
                    for stop in range(start, len(trace)):
                        if trace[stop] == here:
                            child = text[:start] + other[first : last + 1] + text[stop:]
                            if len(child) <= LONGEST:
                                found.add((stop - start, last - first, start, child))
        return found

    def _rejecting(self, text: str, mutants: Collection[int]) -> set[int]:
        word = self._classes.bits_of(text)
        return {one for one in mutants if not accepted(self._automaton(one), [word])[0]}

    def _automaton(self, mutant: int) -> LazyDfa:
        if mutant not in self._known:
            self._known[mutant] = self._laboratory.lazy_dfa(self.mutants[mutant])
        return self._known[mutant]


class _Gained(NamedTuple):
    rows: list[Row]
    final: set[int]


def _together(left: Row, right: Row) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the steps of two rows, where the second has one."""
    for bits, target in right:
        rest = bits
        for others, other in left:
            if both := rest & others:
                yield both, (other, target)
                rest &= ~both
        if rest:
            yield rest, (NOWHERE, target)


def _hardest(told: Told, mutants: Collection[int]) -> set[int]:
    """Return some of the mutants: a text that detects one of these detects each other one."""
    by_mutant: dict[int, set[str]] = {mutant: set() for mutant in mutants}
    for text, known in told.items():
        for mutant in known & by_mutant.keys():
            by_mutant[mutant].add(text)
    found: list[int] = []
    for mutant in sorted(mutants, key=lambda one: (len(by_mutant[one]), one)):
        if not any(by_mutant[one] <= by_mutant[mutant] for one in found):
            found.append(mutant)
    return set(found)


def _after(automaton: Fixed, state: int, bit: int) -> int:
    return next((target for bits, target in automaton.row(state) if bits & bit), NOWHERE)
