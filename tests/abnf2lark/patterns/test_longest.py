"""The first match is the longest where that is said; and alternatives that are put together."""

import re
from collections import Counter

from brute.expressions import ALPHABET, classes, expressions, language
from brute.words import all_words, words
from cases import each_case
from hypothesis import given

from abnf2lark.ir import EMPTY, MAX_CODE_POINT, Chars, Rep, Text, alt, optional, seq
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS, deterministic, factored
from abnf2lark.patterns.proof import takes_longest

A, B, C = map(Chars.single, "abc")
ANYTHING = Chars(((0, MAX_CODE_POINT),))
TEXTS = all_words("abc", 4)


def longest(known, text, followed):
    """Give the end of the longest word that a text begins with and one of some characters follows.

    ``followed`` may be ``None``: then anything does, or nothing.
    """
    for end in range(len(text), -1, -1):
        if text[:end] in known and (
            followed is None or ord(text[end : end + 1] or "-") in followed
        ):
            return end
    return None


def test_the_first_match_is_the_longest_where_that_is_said():
    outcomes = Counter()

    @given(expressions, classes)
    def law(node, followed):
        said = takes_longest(node, language(node), ALPHABET)
        outcomes[said] += 1
        if deterministic(node, NO_CHARS):
            outcomes["decided"] += 1
        elif not said:
            return
        known = words(node, "abc", 4)
        alone = re.compile(f"(?:{pattern(node, PYTHON, ANYTHING)})")
        guard = PYTHON.char_class(followed.ranges)
        guarded = re.compile(f"(?:{pattern(node, PYTHON, followed)})(?={guard})")
        for text in TEXTS:
            found = alone.match(text)
            assert (found and found.end()) == longest(known, text, None), text
            found = guarded.match(text)
            assert (found and found.end()) == longest(known, text, followed), text

    law()
    assert min(outcomes[True], outcomes[False], outcomes["decided"]) >= 1, outcomes


@each_case(
    ("node", "said"),
    [
        (Rep(A, 0, None), True),
        (alt([A, Text("ab")]), False),  # the shorter one comes first
        (alt([Text("ab"), A]), True),
        (alt([Text("ab"), A, Text("abc")]), False),
        (seq([optional(A), optional(Text("ab"))]), False),  # ab: the first takes the a
        (seq([Rep(A, 0, None), optional(Text("ab"))]), False),
        (seq([Rep(A, 0, None), optional(Text("bc"))]), True),
        (Rep(alt([A, Text("ab")]), 0, None), False),
        (Rep(optional(A), 0, None), False),  # matchers differ in what they do then
    ],
)
def test_which_expressions_take_the_longest(node, said):
    assert takes_longest(node, language(node), ALPHABET) == said


@given(expressions)
def test_what_is_put_together_is_the_same(node):
    assert language(factored(node)) == language(node)


@each_case(
    ("node", "made"),
    [
        (alt([Text("ab"), Text("ac")]), seq([A, alt([B, C])])),
        (alt([A, Text("ab")]), seq([A, optional(B)])),
        (alt([EMPTY, Text("ab"), A]), optional(seq([A, optional(B)]))),
        (alt([seq([Rep(A, 1, None), B]), Rep(A, 1, None)]), seq([Rep(A, 1, None), optional(B)])),
        (alt([Text("abc"), B, Text("aba")]), alt([seq([A, B, alt([C, A])]), B])),
        (Rep(alt([Text("ab"), Text("ac")]), 2, 3), Rep(seq([A, alt([B, C])]), 2, 3)),
    ],
)
def test_alternatives_part_where_their_words_do(node, made):
    assert factored(node) == made
