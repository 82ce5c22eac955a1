"""Whether texts belong to rules, whoever wrote the grammar."""

import pytest
from cases import each_case

import uriparse
from uriparse.conformance import read_abnf
from uriparse.grammar.rule_sources import Verdict, membership

HALVES = "\ud800\udbff\udc00\udfff"


@pytest.mark.slow
@each_case("grammar", uriparse.grammars())
def test_no_rule_takes_halves_of_utf_16(grammar):
    for rule in uriparse.rules(grammar):
        judge = membership(rule, grammar)
        assert {judge.judge(half) for half in HALVES} == {Verdict(matches=False, offset=0)}, rule


@each_case("body", ["*%x0-10FFFF", "*%x80-10FFFF", "*%xD800-DFFF", "*%xD800.DC00"])
def test_no_rule_of_a_user_takes_them_either(body):
    judge = membership("a", read_abnf(f"a = {body}"))
    assert {judge.judge(half).matches for half in HALVES} == {False}
    assert not judge.judge("\ud800\udc00").matches
