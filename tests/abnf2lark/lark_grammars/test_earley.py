"""Earley grammars: the same texts as the rules derive, and rules too large for Lark."""

from collections import Counter

import lark
import pytest
from brute.expressions import expressions
from brute.grammars import RECURSIVE, STRUCTURES, rules
from brute.judge import judge, parses
from brute.words import all_words, rule_words
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from marks import some_slow

import abnf2lark
from abnf2lark.charts import States, read
from abnf2lark.ir import Ref
from abnf2lark.lark_grammars import rule_parts
from abnf2lark.lark_grammars.compiling import default_nodes
from abnf2lark.lark_grammars.component_rules import Plan
from abnf2lark.lark_grammars.earley import MAX_STEPS, earley_grammar
from abnf2lark.lark_grammars.rule_parts import MAX_WAYS

TABLES = tables(__file__)

WORDS = all_words("abc", 4)

A = Ref("A")
NESTED = 's = 1*4HEXDIG *7( ":" *4HEXDIG )\n'
LISTS = 's = 1*40a "-" 1*40b *6( ( a "." / b ) [ b ] )\na = "a" *"!"\nb = "b" *"?"\n'


def parser_of(grammar, start="s", *, nodes=None, leaves=(), max_steps=MAX_STEPS):
    kept = default_nodes(grammar) if nodes is None else frozenset(nodes)
    plan = Plan(grammar, (start,), kept - {*leaves}, frozenset(leaves))
    made = earley_grammar(plan, max_steps=max_steps)
    return lark.Lark(made.text({}), parser="earley", start=made.components.starts[start])


def tokens(tree):
    return [str(token) for token in tree.scan_values(lambda _: True)]


def is_long(terminal):
    return terminal.pattern.max_width > terminal.pattern.min_width


@pytest.mark.slow
@each_case("max_steps", [MAX_STEPS, 0])
def test_random_grammars_are_read_as_their_rules_say(max_steps):
    seen = Counter()

    @given(
        STRUCTURES,
        st.one_of(RECURSIVE, expressions),
        expressions,
        st.sets(st.sampled_from("ab")),
        st.sets(st.sampled_from("ab")),
    )
    def law(structure, first, second, nodes, leaves):
        grammar = rules(s=structure, a=first, b=second)
        known = rule_words(grammar.rules, "abc", 4)["s"]
        parser = parser_of(grammar, nodes={"s", *nodes}, leaves=leaves, max_steps=max_steps)
        trees = {}
        for word in WORDS:
            assert parses(parser, word) == (word in known), word
            if word in known:
                assert trees.setdefault(parser.parse(word), word) == word
        seen.update(["long"] if any(map(is_long, parser.terminals)) else [])

    law()
    assert bool(seen["long"]) == bool(max_steps)


@each_case(("text", "word", "found"), TABLES["tokens_are_as_long_as_they_can_be"])
def test_tokens_are_as_long_as_they_can_be(grammar, text, word, found):
    assert tokens(parser_of(grammar(text)).parse(word)) == found


@pytest.mark.slow
@each_case(("text", "letters"), TABLES["no_text_is_lost_to_a_token_that_takes_more"])
def test_no_text_is_lost_to_a_token_that_takes_more(grammar, text, letters):
    made = grammar(text)
    parser, chart = parser_of(made), States(made)
    found = Counter()
    for word in all_words(letters, 8 if len(letters) < 3 else 6):
        expected = read(chart, "s", word).matches
        assert parses(parser, word) == expected, word
        found[expected] += 1
    assert found[True] >= 3


OPTIONAL = "s = " + " ".join(f"[ {x} ]" for x in "abcdefghijkl") + "\n"

OPTIONAL += "".join(f'{x} = "{x}" 1*DIGIT\n' for x in "abcdefghijkl")


CASES = {
    "optional parts": (OPTIONAL, ["a1", "a1b2l3", "", "b2a1", "a1a1", "k0l99", "a"]),
    "repetitions in repetitions": (NESTED, ["a", "a:b", "a" + ":f" * 7, "a" + ":" * 8, "aaaaa"]),
    "of rules": (LISTS, ["a-b", "aaa!-b?", "aa-bba.ba.", "a", "a-" + "b" * 41, "a-baa"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(CASES, "of rules"))
@pytest.mark.parametrize("leaves", [(), ("s",)])
def test_what_is_split_is_read_as_before(name, leaves):
    text, words = CASES[name]
    parser = abnf2lark.load(text).lark("s", leaves=leaves)
    assert len(parser.rules) < 20 * MAX_WAYS
    accepts = judge(text)
    verdicts = set()
    for word in words:
        try:
            tree = parser.parse(word)
        except lark.UnexpectedInput:
            tree = None
        assert (tree is not None) == accepts("s", word), word
        verdicts.add(tree is not None)
        if tree is not None:
            assert not [node for node in tree.iter_subtrees() if "part" in node.data]
    assert verdicts == {True, False}


@pytest.mark.parametrize("nodes", ["s", "sa"])
def test_counts_in_counts_are_not_written_out(monkeypatch, nodes):
    monkeypatch.setattr(rule_parts, "MAX_LENGTH", 10)
    rules = abnf2lark.load('s = 2(2(2(2(2(a)))))\na = "a" / "b"\n').known
    text = earley_grammar(Plan(rules, ("s",), frozenset(nodes))).text({})
    parser = lark.Lark(text, start="s")
    assert max(len(rule.expansion) for rule in parser.rules) <= 10
    parser.parse("a" * 32)
    for number in (31, 33):
        with pytest.raises(lark.UnexpectedInput):
            parser.parse("a" * number)


@pytest.mark.parametrize("item", ["b c", "[ b ] [ c ]"])
def test_long_sequences_are_cut(monkeypatch, item):
    monkeypatch.setattr(rule_parts, "MAX_IN_A_ROW", 4)
    rules = abnf2lark.load(f's = {" ".join([item] * 7)} "."\nb = "b"\nc = "c"\n').known
    made = earley_grammar(Plan(rules, ("s",), frozenset("sbc")))
    parser = lark.Lark(made.text({}), start="s")
    assert max(len(rule.expansion) for rule in parser.rules) <= 5  # and what the rest is
    parser.parse("bc" * 7 + ".")
    with pytest.raises(lark.UnexpectedInput):
        parser.parse("bc" * 8 + ".")
