"""Readings end where their texts do: in all ways, and in those alone that are decided on."""

from collections import Counter

import pytest
from brute.grammars import recursive_grammars
from brute.tables import Table
from brute.words import all_words, rule_words
from hypothesis import given, settings

from abnf2lark.automata import Language, TooLargeError, limited
from abnf2lark.lark_grammars.conflicts import priorities
from abnf2lark.lark_grammars.lalr_tables import ConflictError, DeeperError, LexingStates
from abnf2lark.lark_grammars.lexing import UnprovableError
from abnf2lark.lark_grammars.readings import TokenRests, constraint
from abnf2lark.lark_grammars.recursive_grammar import RecursiveLexing
from abnf2lark.reading.recursion import cycle

WORDS = all_words("abc", 4)


def ends(table, text):
    """Tell whether some reading of a text ends with it."""
    readings = {table.start}
    for label in table.labels(text):
        here = frozenset({label})
        steps = [table.readings.steps(one, here) for one in readings]
        readings = {reading for step in steps for reading in step.get(label, ())}
    return any(map(table.readings.ends, readings))


def ends_as_decided(table, text):
    """Tell whether a reading in which all is as decided ends, and the rest is as it says."""
    readings = {table.start}
    for label in table.labels(text):
        here = frozenset({label})
        steps = [table.readings.steps(one, here, decided=True) for one in readings]
        readings = {reading for step in steps for reading in step.get(label, ())}
    return any(map(table.readings.ends, readings))


@given(recursive_grammars())
def test_readings_in_all_ways_end_with_the_texts_of_the_grammar(grammar):
    if cycle(grammar, ("s",)):
        return
    table = Table(grammar)
    known = rule_words(grammar.rules, "abc", 4)["s"]
    for word in WORDS:
        assert ends(table, word) == (word in known), word


def test_readings_as_decided_end_with_them_too_where_that_is_proved():
    proved = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(recursive_grammars())
    def law(grammar):
        if cycle(grammar, ("s",)):
            return
        table = Table(grammar)
        try:
            with limited(200_000):
                found = priorities(table.actions, table.replacements, list(table.components.rules))
                table.replacements.decide(found)
                RecursiveLexing(
                    table.components,
                    LexingStates(table.actions),
                    table.replacements,
                    table.languages,
                    table.alphabet,
                ).solve()
        except (ConflictError, UnprovableError, TooLargeError):
            return
        known = rule_words(grammar.rules, "abc", 4)["s"]
        for word in WORDS:
            assert ends_as_decided(table, word) == (word in known), word
        proved["of some words" if known else "of none"] += 1

    law()
    assert proved["of some words"] >= 2, proved


def test_a_stack_of_which_too_little_is_known_says_so(grammar):
    table = Table(grammar('s = "(" s ")" / x\nx = 1*"x"\n'))
    inside = (table.behind("_LPAREN", "X"),)
    [closing] = table.labels(")")
    with pytest.raises(DeeperError):
        table.readings.steps((inside, table.readings.rests.done), frozenset({closing}))
    [label] = table.labels("x")
    steps = table.readings.steps((inside, table.readings.rests.first("X")), frozenset({label}))
    [(stack, rest)] = steps[label]
    assert stack == inside
    assert rest in table.readings.rests.final


def test_tokens_are_tried_in_one_order_always(grammar):
    table = Table(grammar('s = "(" [ s ] ")" / "a" / "b" / "c" / "d"\n'))
    for state in range(len(table.actions.shifts)):
        assert list(table.actions.tried(state)) == sorted(table.actions.tried(state))


A, B, C = range(3)  # the classes of an alphabet of three
SIZE = 3


def of(*words):
    """Give the language of some words."""
    edges, final = [{}], set()
    for word in words:
        state = 0
        for label in word:
            if label not in edges[state]:
                edges[state][label] = len(edges)
                edges.append({})
            state = edges[state][label]
        final.add(state)
    return Language(edges, final, SIZE)


def test_two_tokens_that_leave_the_same_have_one_rest():
    rests = TokenRests({"X": of([A], [A, B]), "Y": of([C], [C, B]), "Z": of([B])})
    assert rests.first("X") != rests.first("Y")
    behind = rests.edges[rests.first("X")][A]
    assert rests.edges[rests.first("Y")][C] == behind
    assert behind in rests.final
    assert rests.edges[behind] == {B: rests.done}
    assert rests.first("Z") not in rests.final


def test_there_is_an_end_though_every_token_can_go_on():
    endless = Language([{A: 1}, {A: 1}], {1}, SIZE)
    rests = TokenRests({"X": endless})
    assert rests.edges[rests.done] == {}


def test_a_constraint_is_forgotten_where_it_says_no_more():
    everything = Language.everything(SIZE)
    assert constraint(everything) is None
    not_ab = everything - (of([A, B]) + everything)
    assert constraint(not_ab) == (not_ab, 0)
    assert not_ab.edges[0].keys() == {A, B, C}
    assert constraint(not_ab, not_ab.edges[0][C]) is None
    behind = not_ab.edges[0][A]
    assert constraint(not_ab, behind) == (not_ab, behind)
    assert not_ab.edges[behind].keys() == {A, C}
