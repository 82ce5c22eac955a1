"""Expressions give the verdicts of `is_valid` in the engines that they are written for."""

import pytest
from engines.judges import JUDGES
from engines.texts import long_texts, texts

from uriparse import is_valid, pattern

RULES = (("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IRI-reference", "rfc3987"))
NAMES = list(JUDGES)
FIRST, *OTHERS = RULES


def differences(judge, rule, grammar, among):
    """The texts that an engine judges otherwise than `is_valid`, shortened."""
    held = [text for text in among if judge.holds(text)]
    expression = pattern(rule, flavour=judge.flavour, grammar=grammar)
    verdicts = judge.verdicts(expression, held)
    wanted = [is_valid(text, rule, grammar=grammar) for text in held]
    assert {True, False} == set(wanted)
    pairs = zip(held, verdicts, wanted, strict=True)
    return [text[:100] for text, verdict, right in pairs if verdict is not right]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rule", "grammar"), [FIRST, *(pytest.param(*rule, marks=pytest.mark.slow) for rule in OTHERS)]
)
def test_an_engine_judges_as_the_grammar_does(name, rule, grammar):
    among = texts(rule, grammar, corruptions=1_000)
    assert differences(JUDGES[name], rule, grammar, among) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("rule", "grammar"), RULES)
def test_an_engine_judges_long_texts(name, rule, grammar):
    among = long_texts(rule, grammar, kinds=20)
    assert differences(JUDGES[name], rule, grammar, among) == []


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("rule", "grammar"), RULES)
def test_an_engine_judges_all_corruptions(name, rule, grammar):
    among = texts(rule, grammar, corruptions=100_000, seed=1)
    assert differences(JUDGES[name], rule, grammar, among) == []
