"""The suites on parsers that are wrong for certain: all mutants of a rule, one edit and two."""

import random
from functools import cache
from itertools import islice

import pytest
from bundles import BUNDLES
from oracle.mutant_reader import Reader
from oracle.word_graph import graph, misread

from abnf2lark.mutants.mutant_automata import accepted
from abnf2lark.mutants.witnesses import Laboratory
from uriparse.conformance import subject, suite
from uriparse.conformance.rule_automata import identifiers

pytestmark = pytest.mark.oracle

RULES = [("rfc3986", "URI"), ("rfc3987", "IRI"), ("rfc1738", "ftpurl")]
METHODS = ("transition", "hsi", "mutants", "standard")
PAIRS = 300
FIRST = 1_000
"""States among which more are looked for than the rule has, before all are."""


class Trial:
    """The readers of a rule's mutants, and the suites as they read them."""

    def __init__(self, grammar, rule):
        self.laboratory = Laboratory(BUNDLES[grammar].grammar, rule)
        self.own = subject(rule, grammar).automaton
        self._known = {}
        words = {}
        for number, method in enumerate(METHODS):
            for row in suite(rule, grammar=grammar, method=method):
                word = self._word(row.text)
                _, methods = words.get(word, (row.valid, 0))
                assert self._belongs(word) is row.valid, ascii(row.text)
                words[word] = (row.valid, methods | 1 << number)
        self._graph = graph((word, *rest) for word, rest in words.items())
        samples = [chr(spans[0][0]) for spans in self.own.classes]
        tellings = {word for words in identifiers(self.own).values() for word in words}
        self._tellings = [self._word(samples[label] for label in word) for word in tellings]

    def _word(self, text):
        word = tuple(text)
        for character in word:
            if character not in self._known:
                (self._known[character],) = self.laboratory.classes.bits_of(character)
        return tuple(self._known[character] for character in word)

    def _belongs(self, word):
        """Tell by the compiler's automaton whether a word belongs to the rule."""
        own = self.laboratory.own
        return accepted(own, [word])[0]

    def told(self, reader):
        """Tell for each suite whether it has a word on which a reader differs from the rule."""
        found = misread(self._graph, reader)
        return {method: bool(found >> number & 1) for number, method in enumerate(METHODS)}

    def is_equal(self, reader):
        """Tell whether a reader has the automaton of the rule."""
        found, own = reader.minimal(), self.own
        return (found.classes, found.edges, found.final) == (own.classes, own.edges, own.final)

    def is_promised(self, reader):
        """Tell whether a reader needs no more states, and treats characters of a class alike."""
        apart = set()
        for state in islice(reader.states(), FIRST):
            apart.add(tuple(reader.accepts(word, state) for word in self._tellings))
            if len(apart) > len(self.own):
                return False
        found = reader.minimal()
        return len(found) <= len(self.own) and not parts(found, self.own)


def parts(found, own):
    """Tell whether an automaton treats characters otherwise that are in one class of another."""
    ends = sorted(low for spans in found.classes for low, _ in spans)
    for spans in own.classes:
        within = [end for low, high in spans for end in ends if low < end <= high]
        firsts = [low for low, _ in spans]
        if len({found.class_of(chr(code)) for code in (*firsts, *within)}) > 1:
            return True
    return False


trial = cache(Trial)


@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_every_mutant_is_told_and_no_other(grammar, rule, tally):
    """What is told differs, as the text shows; what is not is equal, as its automaton shows."""
    here = trial(grammar, rule)
    counts = dict.fromkeys(("edits", "equal", "promised", *METHODS), 0)
    for mutant in here.laboratory.mutants:
        reader = Reader(here.laboratory, mutant)
        told = here.told(reader)
        counts["edits"] += 1
        for method, says in told.items():
            counts[method] += says
        if not any(told.values()):
            assert here.is_equal(reader), mutant.edit
            counts["equal"] += 1
            continue
        promised = here.is_promised(reader)
        counts["promised"] += promised
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
    counts = dict.fromkeys(("pairs", *METHODS), 0)
    while counts["pairs"] < PAIRS:
        pair = chance.sample(here.laboratory.mutants, 2)
        if pair[0].rule == pair[1].rule:
            continue
        try:
            reader = Reader(here.laboratory, *pair)
        except RecursionError:  # each refers to the other's rule
            continue
        told = here.told(reader)
        if not any(told.values()) and here.is_equal(reader):
            continue
        counts["pairs"] += 1
        for method, says in told.items():
            counts[method] += says
    tally(f"two edits of {rule}, by the suites that tell them", **counts)
    assert counts["standard"] >= 0.99 * PAIRS
