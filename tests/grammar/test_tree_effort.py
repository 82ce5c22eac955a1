"""The cost of a component tree depends on its nodes, not on the length of the text."""

import random
import sys
from functools import partial

import pytest
from marks import by_grammar
from oracle.deriving import Deriver

from uriparse import grammars, is_valid, parse_tree, rules

FIRST = 60
"""Calls for a tree, however small."""

EACH = 12
"""Calls for each node and token of it, and each delimiter between them."""


def calls(function, *arguments):
    """Count the called functions, and return the result of the first."""
    events = []
    sys.setprofile(lambda _, event, __: events.append(event))
    try:
        made = function(*arguments)
    finally:
        sys.setprofile(None)
    return events.count("call") + events.count("c_call"), made


def parts(tree):
    return sum(1 + sum(isinstance(c, str) for c in node.children) for node in tree.iter_subtrees())


def cost(text, rule, grammar):
    """Return the number of calls for a tree, and of its parts."""
    make = partial(parse_tree, grammar=grammar)
    make(text, rule)  # what is made once, is
    counts, tree = calls(make, text, rule)
    return counts, parts(tree)


def pumped(grammar, rule, chance):
    """Yield texts of a rule in which one part is repeated."""
    deriver = Deriver(grammar, chance)
    for _ in range(40):
        word = deriver.word(rule)
        start, end = sorted(chance.choices(range(len(word) + 1), k=2))
        unit = word[start : min(end, start + 6)]
        text = word[:start] + unit * 300 + word[start + len(unit) :]
        if unit and is_valid(text, rule, grammar=grammar):
            yield text


FEW = {"core": 5, **dict.fromkeys(("rfc6570", "rfc2392", "rfc7565", "rfc7064", "rfc6694"), 50)}
"""The number of texts with a repeated part, for grammars that have few."""


@pytest.mark.slow
@pytest.mark.parametrize("grammar", by_grammar(grammars()))
def test_a_tree_costs_its_nodes(grammar):
    long = 0
    for rule in rules(grammar):
        for text in pumped(grammar, rule, random.Random(f"{grammar} {rule}")):
            counts, made = cost(text, rule, grammar)
            assert counts <= FIRST + EACH * made, (rule, text)
            long += 1
    assert long > FEW.get(grammar, 100)


def test_fields_cost_the_same_each():
    few, many = (
        cost("prospero://h/a" + ";a=b" * times, "prosperourl", "rfc1738") for times in (100, 400)
    )
    assert many[1] - few[1] == 300 * 5
    assert (many[0] - few[0]) / (many[1] - few[1]) < EACH
