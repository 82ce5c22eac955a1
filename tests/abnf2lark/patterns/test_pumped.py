"""Emitted expressions on texts that are long because of their own loops: the work grows no faster.

The loops are found in the automaton of what was emitted, so nobody has to think of them.
"""

import random
from collections import Counter

from brute.expressions import ALPHABET, expressions
from brute.grammars import STRUCTURES, rules
from brute.pumps import node_of, pumps
from brute.steps import steps
from hypothesis import example, given
from hypothesis import strategies as st

from abnf2lark.ir import Chars, Ref, Rep, alt, seq
from abnf2lark.lark_grammars.component_grammar import NotLalrError, lalr_grammar
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import optimize
from abnf2lark.patterns.rule_expression import linear

SMALL, LARGE = 24, 96
ROOM = 2.0
"""What four times as many characters may take, beside four times as long."""

MANY = 5_000
"""Steps that no small text of a small expression takes."""

A = Chars.single("a")


def superlinear(node, pump):
    """Tell whether four times as long a text takes far more than four times the steps."""
    few = steps(node, pump.text(SMALL), MANY)
    bound = int(ROOM * LARGE / SMALL * (few + SMALL))
    return few >= MANY or steps(node, pump.text(LARGE), bound + 1) > bound


@given(expressions, st.randoms(use_true_random=False))
def test_steps_grow_as_the_text_does(node, chance):
    emitted = node_of(pattern(linear(optimize(node), ALPHABET), PYTHON))
    for pump in pumps(emitted, chance, 8):
        assert not superlinear(emitted, pump), pump


def test_steps_of_terminals_and_their_guards_grow_so_too():
    seen = Counter()

    @given(STRUCTURES, expressions, expressions, st.randoms(use_true_random=False))
    @example(seq([Ref("a"), Ref("b")]), Rep(A, 1, None), Chars.single("b"), random.Random(1))
    def law(structure, first, second, chance):
        grammar = rules(s=structure, a=first, b=second)
        try:
            proved = lalr_grammar(grammar, ("s",), frozenset(grammar.own), frozenset())
        except NotLalrError:
            return
        for name, expression in proved.expressions().items():
            emitted = node_of(expression)
            for pump in pumps(emitted, chance, 4):
                seen["pumps"] += 1
                assert not superlinear(emitted, pump), (name, expression, pump)

    law()
    assert seen["pumps"]


def test_expressions_that_backtrack_are_seen_to():
    chance, seen = random.Random(1), Counter()
    letters = Rep(A, 0, None)
    for node in (
        Rep(seq([letters, letters]), 0, None),
        seq([letters, letters, letters, Chars.single("b")]),
        Rep(seq([Rep(A, 1, None), Rep(Chars.single("b"), 0, 1)]), 0, None),
        Rep(alt([A, seq([A, A])]), 0, None),
        seq([letters, Chars.single("b")]),
    ):
        seen[any(superlinear(node, pump) for pump in pumps(node, chance, 20))] += 1
    assert seen == {True: 4, False: 1}
