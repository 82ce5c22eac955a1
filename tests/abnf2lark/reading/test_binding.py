"""Imports: which grammar a name is taken from."""

import pytest
from brute.judge import CORE, ours

from abnf2lark.reading.ir import Chars, Ref

ONE = ours('r = "1"\nq = r\n')
TWO = ours('r = "2"\nq = r\n')


def test_a_wanted_rule_is_taken_although_nothing_refers_to_it():
    grammar = ours('a = "x"\n', take=[(CORE, "bit")])
    assert list(grammar.rules) == ["a", "BIT"]


def test_of_two_grammars_the_first_gives_what_is_not_asked_of_either():
    assert ours("a = r\n", (ONE, TWO)).rules["r"].body == Chars.single("1")
    assert ours("a = r\n", (TWO, ONE)).rules["r"].body == Chars.single("2")


@pytest.mark.parametrize("order", [(ONE, TWO), (TWO, ONE)])
@pytest.mark.parametrize(("owner", "digit"), [(ONE, "1"), (TWO, "2")])
def test_a_rule_comes_from_the_grammar_that_it_is_to_be_taken_from(order, owner, digit):
    grammar = ours("a = R\nb = <r>\n", order, [(owner, "R")])
    assert list(grammar.rules) == ["a", "b", "r"]
    assert grammar.rules["b"].body == Ref("r")
    assert grammar.rules["r"].body == Chars.single(digit)
