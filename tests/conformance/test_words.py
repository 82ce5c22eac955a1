"""Random words: uniform of a length, and examples of Hypothesis that shrink to the shortest."""

from collections import Counter
from itertools import islice, product

import pytest
from cases import each_case
from hypothesis import Phase, find, given, settings

import uriparse
from uriparse.conformance import count_words, read_abnf, subject, words
from uriparse.conformance.strategies import from_rule, near_miss

RULES = [(grammar, rule) for grammar in uriparse.grammars() for rule in uriparse.rules(grammar)]
SMALL = "ab:/"
PHASES = (Phase.generate, Phase.shrink)
SHRUNK = [("rfc3986", "URI"), ("rfc3986", "h16"), ("rfc1738", "ftpurl")]


@each_case("length", range(6))
def test_words_of_a_length_are_counted(length):
    own = read_abnf(
        'x = *( "a" / "b" ) [ ":" 1*"/" ]'.replace('"a"', '%s"a"').replace('"b"', '%s"b"')
    )
    found = {
        word
        for word in map("".join, product(SMALL, repeat=length))
        if subject("x", own).automaton.accepts(word)
    }
    assert count_words("x", length, grammar=own) == len(found)
    drawn = set(islice(words("x", length=length, grammar=own), 60 * len(found)))
    assert drawn == found


@pytest.mark.slow
def test_words_of_a_length_are_drawn_uniformly():
    total = count_words("dec-octet", 3)
    drawn = Counter(islice(words("dec-octet", length=3), 200 * total))
    assert len(drawn) == total
    assert max(drawn.values()) < 2 * min(drawn.values())


def test_the_same_words_for_the_same_seed_alone():
    def some(seed):
        return list(islice(words("URI", length=20, seed=seed), 20))

    assert some(1) == some(1)
    assert some(1) != some(2)


def test_a_length_that_no_word_has_is_told():
    with pytest.raises(ValueError, match="dec-octet has no word of 4 characters"):
        next(words("dec-octet", length=4))
    with pytest.raises(ValueError, match="no word has -1 characters"):
        count_words("URI", -1)


@pytest.mark.slow
@each_case(("grammar", "rule"), [*SHRUNK, ("rfc3987", "IRI")])
def test_examples_of_a_rule_belong_to_it_and_near_misses_do_not(grammar, rule):
    @given(from_rule(rule, grammar=grammar), near_miss(rule, grammar=grammar))
    def holds(word, miss):
        assert uriparse.is_valid(word, rule, grammar=grammar)
        assert not uriparse.is_valid(miss, rule, grammar=grammar)

    holds()


@each_case(("grammar", "rule"), SHRUNK)
def test_examples_shrink_to_a_shortest_word(grammar, rule):
    quick = settings(max_examples=50, database=None, phases=PHASES, derandomize=True)
    shortest = len(subject(rule, grammar).cover.suffixes[0])
    assert len(find(from_rule(rule, grammar=grammar), lambda _: True, settings=quick)) == shortest
    assert len(find(near_miss(rule, grammar=grammar), lambda _: True, settings=quick)) <= 1


def test_words_of_a_recursive_rule_are_derived():
    own = read_abnf('nest = "(" nest ")" nest / ""')
    quick = settings(max_examples=200, database=None, phases=PHASES, derandomize=True)
    assert find(from_rule("nest", grammar=own), lambda text: len(text) > 3, settings=quick) in (
        "(())",
        "()()",
    )


def test_what_refuses_no_text_has_no_near_misses():
    with pytest.raises(ValueError, match="all refuses no text"):
        near_miss("all", grammar=read_abnf("all = *( %x0-10FFFF / %xD800-DFFF )"))
