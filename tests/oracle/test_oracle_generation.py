"""The generator is fit to test with: its words are words, all of them, and the same ones again."""

import itertools
import random

import pytest
from oracle.derivatives import derivatives
from oracle.generation import (
    SHORT,
    Deriver,
    choices,
    distinct,
    grammar,
    places,
    reach,
    spoil,
    spoiled,
    words,
)
from oracle.judges import NAME, by_derivatives, source

import uriparse
from abnf2lark.ir import Alt, Chars, Rep

GRAMMARS = uriparse.grammars()
RULES = [(name, rule) for name in GRAMMARS for rule in uriparse.rules(name)]
assert len(RULES) >= 36 + 25 + 67


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_choice_in_a_grammar_is_aimed_at(name):
    """Each alternative, each bound of a repetition, both ends of each range."""
    wanted = {
        (rule.name, path, choice)
        for rule in grammar(name).rules.values()
        for path, node in places(rule.body)
        for choice in choices(node)
    }
    deriver = Deriver(name, random.Random(0))
    aimed = {
        (spot.rule, spot.path, spot.choice)
        for rule in uriparse.rules(name)
        for spot in deriver.spots(rule)
    }
    assert aimed == {spot for spot in wanted if spot[0] in set().union(*reach(name).values())}
    assert {type(node) for rule in grammar(name).rules.values() for _, node in places(rule.body)
            if choices(node)} <= {Alt, Chars, Rep}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rule", "spot_rule", "sign"),
    [
        ("rfc3986", "URI-reference", "IPvFuture", "[v"),
        ("rfc3986", "URI", "port", ":"),
        ("rfc3987", "IRI", "iprivate", "?"),
        ("rfc1738", "url", "ftptype", ";type="),
        ("rfc1738", "url", "gopher-plus-string", "%09"),
    ],
)
def test_a_derivation_goes_through_its_spot(name, rule, spot_rule, sign):
    deriver = Deriver(name, random.Random(1))
    aims = [spot for spot in deriver.spots(rule) if spot.rule == spot_rule]
    assert aims
    assert all(sign in deriver.word(rule, aim).lower() for aim in aims)


def test_an_aimed_repetition_has_that_many_items():
    deriver = Deriver("rfc3986", random.Random(2))
    aims = [spot for spot in deriver.spots("h16") if (spot.rule, spot.path) == ("h16", ())]
    lengths = {aim.choice: len(deriver.word("h16", aim)) for aim in aims}
    assert lengths == {1: 1, 2: 2, 3: 3, 4: 4}


def test_words_are_the_same_for_the_same_seed_alone():
    def some(seed):
        return list(itertools.islice(words("rfc3986", "URI", seed), 50))

    assert some(3) == some(3)
    assert some(3) != some(4)


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_words_are_words_and_short(name, rule):
    for word in distinct(words(name, rule), 5):
        assert by_derivatives(name, rule, word), word
        assert len(word) < SHORT * 6


def test_spoiled_words_differ_by_little():
    chance = random.Random(5)
    for word in itertools.islice(words("rfc3987", "IRI"), 300):
        bad = spoil(word, "rfc3987", chance)
        assert bad != word
        assert len(bad) <= len(word) + 2


def test_spoiled_words_are_of_both_kinds():
    verdicts = [
        by_derivatives("rfc3986", "URI", s) for s in distinct(spoiled("rfc3986", "URI"), 300)
    ]
    assert 30 < sum(verdicts) < 270


def test_derivatives_by_hand():
    judge = derivatives("rfc3986")
    assert judge.accepts("dec-octet", "255")
    assert not judge.accepts("dec-octet", "256")
    assert judge.continuable("dec-octet", "256") == 2
    assert judge.continuable("URI", "http://h/%zz") == 10
    assert judge.continuable("URI", "http://[1:2") == 11
    assert judge.continuable("path-empty", "x") == 0
    for prefix in ("", "a", "http://[1::", "x:%"):
        assert judge.accepts("URI", prefix + judge.completion("URI", prefix))


@pytest.mark.parametrize("name", GRAMMARS)
def test_names_are_told_from_text_in_grammar_files(name):
    found = {match[0] for match in NAME.finditer(source(name)) if match[0][0].isalpha()}
    assert set(grammar(name).own) <= found
    assert found - set(grammar(name).rules) <= {"pchar", "ipchar"}
