"""Membership by Lark agrees with the automata where there are any, and with brackets counted."""

from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, languages
from abnf2lark.lark_grammars.membership import lark_membership
from abnf2lark.reading.binding import load
from abnf2lark.reading.config import core_grammar
from abnf2lark.reading.problems import Source

TEXT = """\
list  = "(" *( list / item ) ")"
item  = 1*( "a" / %s"b" )
flat  = [ item ] *( ":" item )
"""
GRAMMAR, PROBLEMS = load(Source("t.abnf", TEXT), "t", (core_grammar(),))
assert not PROBLEMS
LIST = lark_membership(GRAMMAR, "list")
FLAT = lark_membership(GRAMMAR, "flat")
ALPHABET = Alphabet(rule.body for rule in GRAMMAR.rules.values())
LANGUAGE = languages(GRAMMAR.rules, ALPHABET, ["flat"])["flat"]


def balanced(text):
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth < 0 or (depth == 0 and place + 1 < len(text)):
            return False
    return text[:1] == "(" and depth == 0 and set(text) <= set("()aAb")


@given(st.text("()aAbB", max_size=8))
def test_a_recursive_rule(text):
    assert LIST(text) == balanced(text)


@given(st.text("aAbB:", max_size=8))
def test_a_regular_rule(text):
    assert FLAT(text) == LANGUAGE.accepts(text, ALPHABET)


def test_nesting_may_be_deep():
    assert LIST("(" * 300 + ")" * 300)
    assert not LIST("(" * 300 + ")" * 299)
