"""Whether texts belong to rules, whoever wrote the grammar."""

import pytest
from cases import each_case

import uriparse
from uriparse.conformance import read_abnf
from uriparse.grammar.automata import longest_prefix

HALVES = "\ud800\udbff\udc00\udfff"


@pytest.mark.slow
@each_case("grammar", uriparse.grammars())
def test_no_rule_takes_halves_of_utf_16(grammar):
    for rule in uriparse.rules(grammar):
        for half in HALVES:
            assert not uriparse.is_valid(half, rule, grammar=grammar), rule
            assert longest_prefix(half, rule, grammar).offset == 0, rule


@each_case("body", ["*%x0-10FFFF", "*%x80-10FFFF", "*%xD800-DFFF", "*%xD800.DC00"])
def test_no_rule_of_a_user_takes_them_either(body):
    own = read_abnf(f"a = {body}")
    for text in (*HALVES, "\ud800\udc00"):
        assert not own.explain(text, "a").matches
