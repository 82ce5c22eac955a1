"""The tables of exact error messages go exactly as far as some word of the rule does."""

import random
from bisect import bisect_right
from collections import deque
from functools import cache

import pytest
from brute.expressions import ALPHABET, LETTERS, expressions, language
from brute.words import all_words
from bundles import BUNDLES
from hypothesis import given
from marks import by_grammar

from abnf2lark.building.artifacts import RuleLanguages
from abnf2lark.ir import Position, Ref, Rep, Rule, RuleSet, Seq
from abnf2lark.tables.error_automaton import diagnosis
from abnf2lark.tables.packed import ABSENT
from uriparse._compiled._packed import load

pytestmark = pytest.mark.slow

SHIPPED = [name for name in BUNDLES if name != "core"]
RULES = [(name, rule) for name in SHIPPED for rule in BUNDLES[name].public]
assert len(RULES) >= 150
TEXTS = 10  # a rule


@cache
def compiled(name):
    return RuleLanguages(BUNDLES[name])


class Table:
    """Reads a section `diagnosis` as `abnf2lark show` explains it."""

    def __init__(self, name):
        data = load(name, "diagnosis")
        self.starts = data.mapping("starts")
        self.ascii, self.bounds = data.numbers("ascii"), data.numbers("bounds")
        self.classes = data.numbers("classes")
        self.states = [data.grid("states").row(n) for n in range(len(data.grid("states")))]
        self.label_of, self.labels = data.numbers("label_of"), data.lists("labels")
        self.words, self.groups = data.words("words"), data.lists("groups")

    def step(self, state, char):
        code = ord(char)
        if code < 128:
            label = self.ascii[code]
        else:
            label = self.classes[bisect_right(self.bounds, code) - 1]
        after = self.states[state][label]
        return None if after == ABSENT else after

    def label(self, state):
        ended, *groups = self.labels[self.label_of[state]]
        found = [[self.words[word] for word in self.groups[group]] for group in groups]
        return bool(ended), [(component, rule, words) for component, rule, *words in found]


tables = cache(Table)


def reach(rule, text, table):
    state = table.starts[rule]
    for place, char in enumerate(text):
        state = table.step(state, char)
        if state is None:
            return place
    return len(text)


def true_reach(found, text, alphabet):
    """Give the longest prefix with which some word begins, by asking for a word each time."""
    for length in range(len(text), -1, -1):
        state = 0
        for char in text[:length]:
            state = found.edges[state].get(alphabet.class_of(char), -1)
            if state < 0:
                break
        if state >= 0 and found.after(state).witness(alphabet) is not None:
            return length
    return -1


def near_words(found, alphabet, chance):
    """Give texts that follow the words of a language for a while."""
    samples = [alphabet.sample(label) for label in range(alphabet.size)]
    for _ in range(TEXTS):
        state, text = 0, ""
        for _ in range(chance.randrange(1, 12)):
            if chance.random() < 0.1 or not found.edges[state]:
                text += chance.choice(samples)
                break
            label, state = chance.choice(list(found.edges[state].items()))
            text += samples[label]
        yield text + "".join(chance.choices(samples, k=chance.randrange(3)))


@pytest.mark.parametrize("name", by_grammar(SHIPPED))
def test_a_text_reaches_as_far_as_some_word_begins_like_it(name):
    one, table, chance = compiled(name), tables(name), random.Random(name)
    complete = partial = 0
    for rule in BUNDLES[name].public:
        for text in near_words(one.languages[rule], one.alphabet, chance):
            found = reach(rule, text, table)
            assert found == true_reach(one.languages[rule], text, one.alphabet), (rule, text)
            complete += found == len(text)
            partial += 0 < found < len(text)
    assert complete > len(BUNDLES[name].public)
    assert partial > len(BUNDLES[name].public)


@pytest.mark.parametrize("name", by_grammar(SHIPPED))
def test_the_tables_are_the_automata_of_the_rules(name):
    """Walk table and automaton together: everywhere both go on with the same characters."""
    one, table = compiled(name), tables(name)
    samples = [(label, one.alphabet.sample(label)) for label in range(one.alphabet.size)]
    visited = set()
    for rule in BUNDLES[name].public:
        found = one.languages[rule]
        seen = {(table.starts[rule], 0)}
        pending = deque(seen)
        while pending:
            state, known = pending.popleft()
            ended, groups = table.label(state)
            assert ended == (known in found.final)
            assert bool(groups) == bool(found.edges[known])
            for _component, named, words in groups:
                assert named in one.grammar.rules
                assert words
            for label, char in samples:
                goal, target = table.step(state, char), found.edges[known].get(label)
                assert (goal is None) == (target is None), (rule, char)
                if goal is not None and (goal, target) not in seen:
                    seen.add((goal, target))
                    pending.append((goal, target))
        visited.update(state for state, _ in seen)
    assert visited == set(range(len(table.states)))  # and none is there for nothing


@given(expressions, expressions)
def test_random_rules_reach_as_far_as_their_words(inner, outer):
    here = Position(1, 1)
    rules = {
        "s": Rule("s", Seq((outer, Rep(Ref("t"), 0, 2))), "test", here),
        "t": Rule("t", inner, "test", here),
    }
    grammar = RuleSet("test", rules, ("s", "t"))
    known = {"t": language(inner), "s": language(Seq((outer, Rep(inner, 0, 2))))}
    found = diagnosis(grammar, ("s", "t"), frozenset({"t"}), ALPHABET)
    for rule in ("s", "t"):
        for word in all_words(LETTERS, 4):
            state = found.starts[rule]
            place = 0
            while place < len(word):
                goal = found.rows[state].get(ALPHABET.class_of(word[place]))
                if goal is None:
                    break
                state, place = goal, place + 1
            else:
                assert found.labels[state][0] == known[rule].accepts(word, ALPHABET)
            assert place == true_reach(known[rule], word, ALPHABET)
