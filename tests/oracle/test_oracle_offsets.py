"""What an error says is so: how far the text could go on, and what could have followed there.

Both are searched for by brute force, by derivatives of the rule's own text.
"""

import itertools
import re

import pytest
from marks import by_grammar
from oracle.derivatives import derivatives
from oracle.deriving import HOSTILE, characters
from oracle.generation import distinct, spoiled, words
from oracle.generation import grammar as grammar_of

import uriparse
from uriparse import URISyntaxError, is_valid, parse, parse_tree
from uriparse.conformance import suite

ALL = [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
assert len(ALL) >= 36 + 25 + 67
MAIN = [
    ("rfc3986", "URI"), ("rfc3986", "URI-reference"), ("rfc3986", "absolute-URI"),
    ("rfc3986", "relative-ref"), ("rfc3987", "IRI"), ("rfc3987", "IRI-reference"),
    ("rfc1738", "url"), ("rfc1738", "ftpurl"), ("rfc1738", "gopherurl"), ("rfc3986", "IPv6address"),
]  # fmt: skip
CHARACTERS = {name: {*characters(name), *HOSTILE} for name in uriparse.grammars()}


def offset_of(text, rule, grammar):
    """Give the offset of the error, or None where there is none."""
    try:
        parse_tree(text, rule, grammar=grammar)
    except URISyntaxError as error:
        return error.offset
    return None


def wrong_offsets(texts, rule, grammar):
    """Compare offsets with the brute force; count the texts that are invalid."""
    judge = derivatives(grammar)
    invalid, wrong = 0, []
    for text in texts:
        found = offset_of(text, rule, grammar)
        if judge.accepts(rule, text):
            if found is not None:
                wrong.append((text, found, None))
            continue
        invalid += 1
        longest = judge.continuable(rule, text)
        if found != longest:
            wrong.append((text, found, longest))
        prefix = text[:longest]
        assert is_valid(prefix + judge.completion(rule, prefix), rule, grammar=grammar)
    return invalid, wrong


@pytest.mark.parametrize(
    "count", [pytest.param(60, id="few"), pytest.param(2_000, id="many", marks=pytest.mark.oracle)]
)
@pytest.mark.parametrize(("grammar", "rule"), MAIN)
def test_offsets(grammar, rule, count, seed, tally):
    invalid, wrong = wrong_offsets(distinct(spoiled(grammar, rule, seed), count), rule, grammar)
    tally("offsets of errors", spoiled_and_invalid=invalid, wrong=len(wrong))
    assert not wrong
    assert invalid > count / 5


@pytest.mark.oracle
@pytest.mark.parametrize(("grammar", "rule"), by_grammar(ALL))
def test_offsets_of_every_rule(grammar, rule, seed, tally):
    invalid, wrong = wrong_offsets(distinct(spoiled(grammar, rule, seed), 60), rule, grammar)
    tally("offsets of errors", spoiled_and_invalid=invalid, wrong=len(wrong))
    assert not wrong


@pytest.mark.parametrize(
    "count", [pytest.param(5, id="few"), pytest.param(200, id="many", marks=pytest.mark.oracle)]
)
@pytest.mark.parametrize(("grammar", "rule"), MAIN)
def test_every_prefix_of_a_valid_text_can_be_continued_to_its_end(
    grammar, rule, count, seed, tally
):
    prefixes = {
        word[:length]
        for word in itertools.islice(words(grammar, rule, seed), count)
        for length in range(len(word))
    }
    _, wrong = wrong_offsets(sorted(prefixes), rule, grammar)
    tally("offsets of errors", prefixes=len(prefixes), wrong=len(wrong))
    assert not wrong
    assert all(
        offset_of(prefix, rule, grammar) in (None, len(prefix)) for prefix in sorted(prefixes)[:50]
    )


@pytest.mark.oracle
@pytest.mark.parametrize(("grammar", "rule"), MAIN)
def test_offsets_after_every_transition(grammar, rule, tally):
    """Offsets come from an automaton: each of its steps is taken, and those into nothing."""
    texts = set(suite(rule, grammar=grammar, method="transition", characters="borders").texts)
    invalid, wrong = wrong_offsets(texts, rule, grammar)
    tally("offsets of errors", after_transitions=invalid, wrong=len(wrong))
    assert not wrong


@pytest.mark.parametrize("text", ["", "http://h/%zz", "http://[1::1.2.3.444]", "a:b c", "1:2"])
def test_parse_says_the_same(text):
    with pytest.raises(URISyntaxError) as tree:
        parse_tree(text, "URI")
    with pytest.raises(URISyntaxError) as record:
        parse(text, "URI")
    assert str(tree.value) == str(record.value)
    assert tree.value.offset == record.value.offset


def beginnings(word, grammar):
    """Give the characters that what an ABNF word stands for can begin with."""
    if word.startswith('"'):
        return {word[1].lower(), word[1].upper()}
    if values := re.fullmatch(r"%x([0-9A-F]+)-([0-9A-F]+)", word):
        return {chr(code) for code in range(int(values[1], 16), int(values[2], 16) + 1)}
    rule = grammar_of(grammar).find(word).name
    judge = derivatives(grammar)
    return {char for char in CHARACTERS[grammar] if judge.continuable(rule, char)}


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        pytest.param(*each, marks=() if each in MAIN else pytest.mark.oracle, id="-".join(each))
        for each in ALL
    ],
)
def test_what_is_expected_is_just_what_can_follow(grammar, rule, seed, tally):
    judge = derivatives(grammar)
    errors = 0
    for text in distinct(spoiled(grammar, rule, seed + 3), 20):
        if judge.accepts(rule, text):
            continue
        with pytest.raises(URISyntaxError) as refused:
            parse_tree(text, rule, grammar=grammar)
        error = refused.value
        prefix = text[: error.offset]
        assert ("end" in error.expected) is judge.accepts(rule, prefix), text
        follow = {
            char
            for char in CHARACTERS[grammar]
            if judge.continuable(rule, prefix + char) > len(prefix)
        }
        words = [word for word in error.expected if word != "end"]
        found = set().union(*(beginnings(word, grammar) for word in words))
        assert found & CHARACTERS[grammar] == follow, text
        errors += 1
    tally("what errors expect", errors=errors, wrong=0)
