"""A rule that takes in what comes behind it leaves the texts as they are."""

from collections import Counter

from brute.expressions import expressions
from brute.grammars import LETTER, STRUCTURES, rules
from brute.words import rule_words
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.ir import Chars, Ref, Rep, alt, children, optional, rebuild, seq
from abnf2lark.lark_grammars.recursive_grammar import with_follower

A, B, C = Ref("a"), Ref("b"), Chars.single("c")
HIDDEN = Ref("_a")
ENDING = st.one_of(
    st.builds(lambda mark, inner: alt([inner, seq([mark, A])]), LETTER, expressions),
    st.builds(lambda mark, inner: seq([inner, mark, optional(A)]), LETTER, expressions),
    st.builds(lambda first, last: alt([seq([first, A]), last, A]), LETTER, expressions),
)


def behind(node, end):
    """Put an end behind each reference to the rule."""
    parts = children(node)
    if node in (A, optional(A)):
        return seq([node, end])
    return rebuild(node, [behind(part, end) for part in parts]) if parts else node


def test_random_rules_are_read_as_before():
    outcomes = Counter()

    @given(STRUCTURES, ENDING, expressions)
    def law(structure, ending, other):
        grammar = rules(s=behind(structure, B), a=ending, b=other)
        made = with_follower(grammar, "a")
        outcomes[made is not None] += 1
        if made is not None:
            assert "a" in grammar.rules
            assert rule_words(made.rules, "abc", 4)["s"] == rule_words(grammar.rules, "abc", 4)["s"]

    law()
    assert outcomes[True] >= 2, outcomes


@each_case(("body", "own", "made", "taken"),
    [
        (seq([A, C]), seq([B, A]), HIDDEN, seq([B, HIDDEN])),
        (seq([B, A, C]), alt([B, seq([B, A])]), seq([B, HIDDEN]),
         alt([seq([B, C]), seq([B, HIDDEN])])),
        (seq([optional(A), C]), seq([B, optional(A)]), alt([HIDDEN, C]),
         seq([B, alt([HIDDEN, C])])),
        (alt([seq([A, C]), seq([B, A, C, B])]), seq([B, A]), alt([HIDDEN, seq([B, HIDDEN, B])]),
         seq([B, HIDDEN])),
    ])  # fmt: skip
def test_what_is_behind_is_taken_in(body, own, made, taken):
    found = with_follower(rules(s=body, a=own, b=Chars.single("b")), "a")
    assert found.rules["s"].body == made
    assert found.rules["_a"].body == taken


@each_case(
    ("body", "own"),
    [
        (seq([A, C]), seq([A, B])),  # does not end with itself
        (seq([A, C]), seq([A, B, A])),  # stands in itself, too
        (seq([B, A]), seq([B, A])),  # nothing comes behind it
        (alt([seq([A, C]), seq([A, B])]), seq([B, A])),  # this or that comes behind it
        (seq([Rep(A, 1, None), C]), seq([B, A])),  # it comes behind itself
    ],
)
def test_what_cannot_be_taken_in_is_left(body, own):
    assert with_follower(rules(s=body, a=own, b=Chars.single("b")), "a") is None
