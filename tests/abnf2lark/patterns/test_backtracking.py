"""No emitted expression backtracks much: counted by a matcher that does nothing else."""

import re
from collections import Counter

import pytest
from brute.expressions import ALPHABET, LETTERS, expressions
from brute.steps import steps
from brute.words import all_words
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet
from abnf2lark.ir import Chars, Rep, Seq, Text, walk
from abnf2lark.patterns.passes import optimize
from abnf2lark.patterns.proof import MAX_WAYS, backtracking
from abnf2lark.patterns.rule_expression import (
    NotLinearError,
    NotRegularError,
    linear,
    proved_matcher,
)

COPIES = 30


@given(expressions, st.sampled_from(all_words(LETTERS, 3)), st.sampled_from(all_words(LETTERS, 3)))
def test_time_is_bounded_at_each_character_where_it_is_said_to_be(node, before, pumped):
    node = linear(optimize(node), ALPHABET)
    text = before + pumped * COPIES
    size = sum(len(part.value) if isinstance(part, Text) else 1 for part in walk(node))
    bound = 100 * MAX_WAYS * size
    assert steps(node, text[:60], bound * 60) < bound * (len(text[:60]) + 1)


def test_random_expressions_that_backtrack_are_found():
    seen = Counter()

    @given(expressions)
    def law(node):
        node = optimize(node)
        why = backtracking(node)
        seen[why is None] += 1
        if why is not None and why.text:
            assert steps(node, why.text, MAX_WAYS) >= MAX_WAYS

    law()
    assert seen[True]


RULES = """
list = *( 1*ALPHA [","] )
phrase = 1*word
word = *WSP 1*ALPHA *WSP
deep = 3*5( 3*5( 3*5( 3*5"a" ) ) )
deeper = 3*5( 3*5( 3*5"ab" ) "c" )
runs = *ALPHA *( ALPHA / DIGIT ) *DIGIT
choice = *( ALPHA / "a" / 1*DIGIT / "1" )
behind = list 2000"!"
"""


@each_case(
    ("rule", "good", "pumped"),
    [
        ("list", "ab,cd,", "a"),
        ("phrase", "a  b", "a "),
        ("deep", "a" * 300, "a"),
        ("deeper", ("ab" * 9 + "c") * 3, "ab"),
        ("runs", "ab12", "a"),
        ("choice", "a11", "a1"),
        ("behind", "ab,c" + "!" * 2000, "a"),
    ],
)
def test_rules_whose_own_expressions_backtrack(grammar, rule, good, pumped):
    made = proved_matcher(grammar(RULES), rule, ())
    assert re.fullmatch(made.pattern, good)
    assert not re.fullmatch(made.pattern, pumped * 5000 + "?")


def test_captures_stay_where_what_backtracks_is_elsewhere(grammar):
    text = 'a = name "=" list\nname = 1*ALPHA\nlist = *( 1*ALPHA [","] )\n'
    made = proved_matcher(grammar(text), "a", ("name",))
    assert made.captures == ("name",)
    assert re.fullmatch(made.pattern, "k=a,b")["name"] == "k"
    assert proved_matcher(grammar(text.replace("list\n", "1*name\n", 1)), "a", ("name",))


def test_what_has_no_linear_expression_is_refused_with_a_text(grammar):
    text = 'a = *( 1*"a" [ "!" 300"b" ] )\n'
    with pytest.raises(NotRegularError) as caught:
        proved_matcher(grammar(text), "a", ())
    assert re.fullmatch(
        r"a has no regular expression that is known to take linear time: "
        r"it backtracks without bound, as after 'a+'",
        str(caught.value),
    )


def test_what_is_too_large_is_not_said_to_be_linear():
    few = Rep(Chars.single("a"), 0, 6000)
    with pytest.raises(NotLinearError, match="too large to find out how far it backtracks"):
        linear(Seq((few, few)), Alphabet([few]))
