"""The generator is fit to test with: its words are words, all of them, and the same ones again."""

import pytest
from grammar_nodes import Alt, Chars, Rep, children, reachable, walk
from marks import by_grammar, one_in
from oracle.derivatives import derivatives
from oracle.deriving import SHORT, choice_points, choices
from oracle.generation import distinct, grammar, spoiled, words
from oracle.judges import by_derivatives

import uriparse
from abnf2lark.tables.error_automaton import nested

GRAMMARS = uriparse.grammars()
RULES = [(name, rule) for name in GRAMMARS for rule in uriparse.rules(name)]
assert len(RULES) >= 36 + 25 + 67


@pytest.mark.parametrize("name", by_grammar(GRAMMARS))
def test_every_choice_in_a_grammar_is_aimed_at(name):
    """Each alternative, each bound of a repetition, both ends of each range."""
    reached = reachable(grammar(name), list(uriparse.rules(name)))
    wanted = {
        (rule, type(node), choice)
        for rule in reached
        for node in walk(grammar(name).rules[rule].body)
        for choice in choices(nested(node))
    }
    assert {kind for _, kind, _ in wanted} <= {Alt, Chars, Rep}
    aimed = {
        (point.home, point.choice)
        for rule in uriparse.rules(name)
        for point in choice_points(rule, name)
    }
    found = {(home, type(node_at(name, home, way)), choice) for (home, way), choice in aimed}
    assert found == wanted


def node_at(name, rule, way):
    node = grammar(name).rules[rule].body
    for number in way:
        node = children(node)[number]
    return node


@pytest.mark.parametrize(("name", "rule"), one_in(4, by_grammar(RULES)))
def test_words_are_words_and_short(name, rule):
    for word in distinct(words(name, rule), 2):
        assert by_derivatives(name, rule, word), word
        assert len(word) < SHORT * 6


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
