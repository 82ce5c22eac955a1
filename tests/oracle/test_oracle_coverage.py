"""Coverage of every shipped rule: the text for each thing that is missing does what is said."""

import random

import pytest
from conformance.first_choices import first_choices
from conformance.test_derivations import derivations, touched
from marks import by_grammar
from oracle.generation import distinct, spoiled, words

import uriparse
from uriparse.conformance import coverage, subject
from uriparse.conformance.coverage import shortest_texts

pytestmark = pytest.mark.oracle

RULES = [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
LONGEST = 12  # characters, beyond which plain backtracking takes too long


@pytest.mark.parametrize(("grammar", "rule"), by_grammar(RULES))
def test_missing_texts_are_accepted_or_refused_as_said(grammar, rule, tally):
    missing = coverage(rule, grammar=grammar).missing
    for item in missing:
        assert uriparse.is_valid(item.text, rule, grammar=grammar) is item.accepted
    assert coverage(rule, [item.text for item in missing], grammar=grammar).missing == ()
    tally("coverage", missing=len(missing))


@pytest.mark.parametrize(("grammar", "rule"), by_grammar(RULES))
def test_the_text_for_a_choice_comes_to_it(grammar, rule, tally):
    known = subject(rule, grammar).source.expressions
    found = derivations(rule, known)
    choices = found.unfolding.choices
    texts = shortest_texts(found, (1 << len(choices)) - 1)
    numbers = {number: key for key, number in found.unfolding.numbers.items()}
    judged = 0
    for number, text in texts.items():
        if len(text) <= LONGEST:
            kind = choices[number].kind
            component, home, way, value = numbers[number]
            named = (kind, component, home, () if kind == "rule" else way, value)
            assert named in first_choices(text, rule, known)
            judged += 1
    tally("coverage", choices=len(choices), judged=judged, unreachable=len(choices) - len(texts))


@pytest.mark.parametrize(("grammar", "rule"), by_grammar(RULES))
def test_first_choices_are_those_of_backtracking(grammar, rule, seed, tally):
    known = subject(rule, grammar).source.expressions
    drawn = distinct(words(grammar, rule, seed), 60) + distinct(spoiled(grammar, rule, seed), 60)
    short = [text for text in drawn if len(text) <= LONGEST]
    random.Random(seed).shuffle(short)
    found = derivations(rule, known)
    expected: set[object] = set()
    for text in short[:40]:
        choices = first_choices(text, rule, known)
        assert found.derive(found.alphabet.labels(text)) is (choices is not None)
        expected |= choices or set()
    assert touched(found) == expected
    tally("coverage", derived=len(short))
