"""Component trees are full trees with all but the components left out, and lose no text."""

import pytest
from abnf import Rule
from abnf.parser import LiteralNode
from lark import Token, Tree
from marks import by_grammar, one_in
from oracle.first_match import first_derivation, joined
from oracle.generation import distinct, grammar, words
from oracle.pruning import differences, text_of
from paths import ROOT

import uriparse
from uriparse import parse_tree

RULES = [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
assert len(RULES) >= 36 + 25 + 67

FEW = pytest.param(2, id="few")
MANY = pytest.param(60, id="many", marks=pytest.mark.oracle)

LONGEST = 60  # characters of a text whose derivations are searched through by backtracking


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize(("name", "rule"), one_in(4, by_grammar(RULES)))
def test_component_trees_are_pruned_full_trees(name, rule, count, seed, tally):
    found = distinct(words(name, rule, seed), count)
    for text in found:
        component = parse_tree(text, rule, grammar=name)
        full = parse_tree(text, rule, grammar=name, detail="full")
        assert component.data == full.data == rule
        assert text_of(full) == text
        assert not list(differences(component, full, name)), text
        ends = 0
        for token in component.scan_values(lambda value: isinstance(value, Token)):
            assert ends <= token.start_pos
            ends = token.end_pos
            assert text[token.start_pos : ends] == token
    tally("component trees and full trees", pairs=len(found))


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize(("name", "rule"), one_in(4, by_grammar(RULES)))
def test_full_trees_are_the_first_derivation(name, rule, count, seed, tally):
    source = (word for word in words(name, rule, seed + 7) if len(word) <= LONGEST)
    found = distinct(source, count)
    for text in found:
        full = parse_tree(text, rule, grammar=name, detail="full")
        assert full == first_derivation(grammar(name).rules, rule, text), text
    tally("full trees and first derivations", pairs=len(found))


class Judge(Rule):
    """The rules of RFC 3986 as the `abnf` package reads them."""


Judge.from_file(ROOT / "grammar" / "rfc3986.abnf")


def as_tree(node):
    children = (c.value if isinstance(c, LiteralNode) else as_tree(c) for c in node.children)
    return Tree(node.name, joined([child for child in children if child != ""]))


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize("rule", uriparse.rules())
def test_full_trees_are_those_of_another_implementation(rule, count, seed):
    source = (word for word in words("rfc3986", rule, seed) if len(word) <= LONGEST)
    for text in distinct(source, count):
        assert parse_tree(text, rule, detail="full") == as_tree(Judge(rule).parse_all(text)), text


def test_first_derivation_by_hand():
    rules = grammar("rfc3986").rules
    tree = first_derivation(rules, "dec-octet", "25")
    assert tree == Tree("dec-octet", ["2", Tree("DIGIT", ["5"])])
    assert first_derivation(rules, "dec-octet", "256") is None
    assert first_derivation(rules, "host", "1.2.3.4").children[0].data == "IPv4address"
