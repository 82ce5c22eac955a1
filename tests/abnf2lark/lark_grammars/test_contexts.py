"""Rules written once for each set of tokens that can follow: the same texts, and told apart."""

import pytest
from brute.grammars import recursive_grammars
from brute.tables import Table
from brute.words import rule_words
from hypothesis import given

from abnf2lark.automata import TooLargeError
from abnf2lark.ir import Grammar, Position, Rule
from abnf2lark.lark_grammars import recursive_grammar
from abnf2lark.lark_grammars.recursive_grammar import by_follower
from abnf2lark.reading.recursion import cycle


def texts(components, limit=4):
    """Give the texts of the first start, short ones, as rules and terminals derive them."""
    bodies = components.rules | {one.name: one.node for one in components.terminals.values()}
    here = Position(1, 1)
    rules = {name: Rule(name, body, "test", here) for name, body in bodies.items()}
    grammar = Grammar("test", rules, (*rules,))
    [start] = components.starts.values()
    return rule_words(grammar.rules, "abc", limit)[start]


@given(recursive_grammars())
def test_components_read_what_the_rules_do(grammar):
    if not cycle(grammar, ("s",)):
        components = Table(grammar).components
        known = rule_words(grammar.rules, "abc", 4)["s"]
        assert texts(components) == known
        assert texts(by_follower(components)) == known


VALUES = """
s = "[" v ws "]" / t
t = "{" v "}" / "{" s ws "}"
v = 1*"x"
ws = *" "
"""


def test_a_rule_is_written_for_each_place(grammar):
    made = by_follower(Table(grammar(VALUES), inlined=("ws",)).components)
    assert sorted(made.rules) == ["s", "s__2", "t", "t__2", "v", "v__2"]
    assert made.abnf_names["s__2"] == "s"
    # Within one rule places share a copy: ways that begin alike go on so.
    one = by_follower(
        Table(grammar('s = "[" v "]" / "{" v "}" / "(" s ")"\nv = 1*"x"\n')).components
    )
    assert sorted(one.rules) == ["s", "s__2", "v"]


def test_where_nothing_differs_nothing_is_written_twice(grammar):
    components = Table(grammar('s = "[" v "]" / "(" v "]" / "x"\nv = 1*"x" [ s ]\n')).components
    made = by_follower(components)
    assert [name for name, own in made.abnf_names.items() if own == "v"] == ["v"]


def test_rules_without_end_are_not_written(grammar, monkeypatch):
    monkeypatch.setattr(recursive_grammar, "MAX_RULES", 1)
    with pytest.raises(TooLargeError):
        by_follower(Table(grammar(VALUES)).components)
