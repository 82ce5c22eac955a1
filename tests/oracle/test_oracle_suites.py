"""The suites on parsers that are wrong for certain: all mutants of a rule, one edit and two."""

import random
from functools import cache

import pytest
from bundles import BUNDLES

from abnf2lark.mutants.stepping import NOWHERE
from abnf2lark.mutants.telling import difference
from abnf2lark.mutants.witnesses import Laboratory
from uriparse.conformance import Automaton, subject, suite
from uriparse.conformance.minimal import minimal

pytestmark = pytest.mark.oracle

RULES = [("rfc3986", "URI"), ("rfc3987", "IRI"), ("rfc1738", "ftpurl")]
PAIRS = 300

laboratory = cache(lambda grammar, rule: Laboratory(BUNDLES[grammar].grammar, rule))


class Reader:
    """A parser that reads by a grammar with an edit in it."""

    def __init__(self, stepping, bits):
        self.stepping = stepping
        self.bits = bits
        self.rows = {}

    def accepts(self, word):
        state = self.stepping.start
        for bit in word:
            row = self.rows.get(state)
            if row is None:
                row = self.rows[state] = self.row(state)
            state = row.get(bit, NOWHERE)
            if state == NOWHERE:
                return False
        return state in self.stepping.final

    def row(self, state):
        pairs = self.stepping.row(state)
        return {bit: after for bit in self.bits for both, after in pairs if both & bit}

    def minimal(self, alphabet):
        """Give the smallest automaton of the language."""
        edges = []
        number = {self.stepping.start: 0}
        for state in (order := [self.stepping.start]):
            row = self.row(state)
            for after in row.values():
                if number.setdefault(after, len(number)) == len(order):
                    order.append(after)
            edges.append(row)
        label = {bit: index for index, bit in enumerate(self.bits)}
        rows = [{label[bit]: number[after] for bit, after in row.items()} for row in edges]
        final = {number[state] for state in order if state in self.stepping.final}
        spans = [alphabet.chars([name]).ranges for name in self.bits.values()]
        return minimal(Automaton(spans, rows, final)).automaton


class Trial:
    """The readers of a rule's mutants, and the suites as they read them."""

    def __init__(self, grammar, rule):
        self.laboratory = laboratory(grammar, rule)
        self.alphabet = self.laboratory.classes.alphabet
        self.bits = {bit: label for label, bit in self.laboratory.classes.bit.items()}
        self.own = subject(rule, grammar).automaton
        self.suites = {}
        for method in ("transition", "hsi", "mutants", "standard"):
            rows = list(suite(rule, grammar=grammar, method=method))
            known = {}
            self.suites[method] = [(self.word(row.text, known), row.valid) for row in rows]
            random.Random(1).shuffle(self.suites[method])  # so that the first errors come soon

    def word(self, text, known):
        for character in text:
            if character not in known:
                (known[character],) = self.laboratory.classes.bits_of(character)
        return [known[character] for character in text]

    def reader(self, *mutants):
        return Reader(self.laboratory.stepping(*mutants), self.bits)

    def tells(self, method, reader):
        return any(reader.accepts(word) is not valid for word, valid in self.suites[method])

    def same(self, found):
        own = self.own
        return (found.classes, found.edges, found.final) == (own.classes, own.edges, own.final)

    def is_promised(self, found):
        """Whether an automaton has no more states, and treats the characters of a class alike."""
        ends = {span[0] for spans in found.classes for span in spans}
        parted = any(
            len({found.class_of(chr(end)) for end in (low, *(e for e in ends if low < e <= high))})
            > 1
            for spans in self.own.classes
            for low, high in spans
        ) or any(
            len({found.class_of(chr(low)) for low, _ in spans}) > 1 for spans in self.own.classes
        )
        return len(found) <= len(self.own) and not parted


trial = cache(Trial)


@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_every_mutant_is_told_and_no_other(grammar, rule, tally):
    here = trial(grammar, rule)
    counts = dict.fromkeys(("edits", "equal", "promised", *here.suites), 0)
    for mutant in here.laboratory.mutants:
        reader = here.reader(mutant)
        found = reader.minimal(here.alphabet)
        told = {method: here.tells(method, reader) for method in here.suites}
        counts["edits"] += 1
        if here.same(found):
            counts["equal"] += 1
            assert not any(told.values()), mutant.edit
            continue
        promised = here.is_promised(found)
        counts["promised"] += promised
        for method, says in told.items():
            counts[method] += says
        assert told["mutants"], mutant.edit
        assert told["standard"], mutant.edit
        assert told["hsi"] or not promised, mutant.edit
    tally(f"one edit of {rule}, by the suites that tell it", **counts)
    kept = subject(rule, grammar).source.witnesses(rule)
    assert (kept.mutants, kept.equal) == (counts["edits"], counts["equal"])


@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_two_edits_are_told(grammar, rule, tally):
    here = trial(grammar, rule)
    chance = random.Random(f"{grammar} {rule}")
    counts = dict.fromkeys(("pairs", *here.suites), 0)
    while counts["pairs"] < PAIRS:
        pair = chance.sample(here.laboratory.mutants, 2)
        if pair[0].rule == pair[1].rule:
            continue
        try:
            reader = here.reader(*pair)
        except RecursionError:  # each refers to the other's rule
            continue
        lost, gained = difference(
            here.laboratory.own,
            reader.stepping,
            here.laboratory.classes,
            may_lose=True,
            may_gain=True,
        )
        if lost is gained is None:
            assert not here.tells("standard", reader)
            continue
        counts["pairs"] += 1
        for method in here.suites:
            counts[method] += here.tells(method, reader)
    tally(f"two edits of {rule}, by the suites that tell them", **counts)
    assert counts["standard"] >= 0.99 * PAIRS
