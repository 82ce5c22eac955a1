"""Every pass keeps the language of an expression, and the text of its captures."""

import re
from dataclasses import replace
from itertools import pairwise

from brute.expressions import LETTERS, capturing, expressions, language, watched
from brute.words import all_words, words
from cases import each_case
from hypothesis import example, given
from hypothesis import strategies as st

from abnf2lark.automata import Language
from abnf2lark.ir import (
    EMPTY,
    Alt,
    Capture,
    Chars,
    Position,
    Ref,
    Rep,
    Rule,
    Seq,
    Text,
    is_nullable,
    optional,
    walk,
)
from abnf2lark.patterns import passes
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import deterministic, one_end

PASSES = ["merge_classes", "flatten_loops", "factor", "fuse", "unroll", "join_text", "optimize"]
A, B, C = map(Chars.single, LETTERS)
WORDS = all_words(LETTERS, 4)
BACKTRACKING = replace(PYTHON, possessive=False)


def star(node):
    return Rep(node, 0, None)


@each_case("name", PASSES)
def test_a_pass_keeps_the_language(name):
    @given(expressions)
    def law(node):
        assert language(getattr(passes, name)(node)) == language(node)

    law()


def rest(node):
    return Capture("rest", node)


# Expressions whose matches come in an order that the identity of a pass would change.
ORDERED = [
    star(Capture("s", Alt((A, Text("ac"), C)))),
    Seq((Alt((B, Text("ac"), A)), rest(optional(C)))),
    Seq((Alt((A, Text("ab"))), rest(optional(B)))),
    Seq((Alt((Seq((star(A), Text("ab"))), star(A))), rest(optional(B)))),
    Seq((star(Seq((B, star(optional(A))))), rest(star(B)))),
    Seq((star(Seq((B, star(Alt((A, EMPTY)))))), rest(star(B)))),
    Seq((star(Alt((Text("ab"), A))), rest(optional(B)))),
]


@each_case("name", PASSES)
def test_a_pass_keeps_the_text_of_captures(name):
    """Inside of what it rewrites, around it and behind it."""

    @given(st.one_of(capturing(), watched()))
    def law(node):
        # Without possessive loops, so that only the pass can make a difference.
        before = re.compile(pattern(node, BACKTRACKING))
        after = re.compile(pattern(getattr(passes, name)(node), BACKTRACKING))
        assert before.groupindex.keys() == after.groupindex.keys()
        for word in WORDS:
            one, two = before.fullmatch(word), after.fullmatch(word)
            assert (one and one.groupdict()) == (two and two.groupdict()), word

    for node in ORDERED:
        law = example(node)(law)
    law()


@given(st.one_of(capturing(), watched()))
def test_possessive_loops_change_neither_verdicts_nor_captures(node):
    node = passes.optimize(node)
    calm, possessive = (re.compile(pattern(node, flavour)) for flavour in (BACKTRACKING, PYTHON))
    for word in WORDS:
        one, two = calm.fullmatch(word), possessive.fullmatch(word)
        assert (one and one.groupdict()) == (two and two.groupdict()), word


@given(expressions)
def test_an_emitted_pattern_matches_the_words_of_its_expression(node):
    compiled = re.compile(pattern(node, PYTHON))
    found = words(node, LETTERS, 4)
    for word in all_words(LETTERS, 4):
        assert (compiled.fullmatch(word) is not None) == (word in found)


@given(expressions)
def test_what_has_one_end_has_no_word_that_begins_another(node):
    if one_end(node):
        found = sorted(words(node, LETTERS, 5))
        assert not any(two.startswith(one) for one, two in pairwise(found))


ONE_END = [
    *(A, Text("ab"), EMPTY, Rep(A, 2, 2), Seq((A, Rep(B, 3, 3))), Capture("x", A)),
    *(Alt((A, Text("ba"))), Rep(Alt((A, Text("bc"))), 2, 2)),
]
MORE_ENDS = [
    *(star(A), optional(A), Rep(A, 1, 2), Alt((A, Text("ab"))), Alt((A, EMPTY))),
    *(Seq((A, star(B))), Rep(optional(A), 2, 2), Capture("x", star(A))),
]


@each_case(("node", "one"), [*((n, True) for n in ONE_END), *((n, False) for n in MORE_ENDS)])
def test_one_end(node, one):
    assert one_end(node) == one


@given(expressions)
def test_nonempty_drops_the_empty_word_and_no_other(node):
    found = passes.nonempty(node)
    if found is None:
        assert language(node) == Language.nothing(language(node).size)
    else:
        assert language(found) == language(node).without_empty()
        assert not is_nullable(found)


@given(expressions)
def test_optimizing_twice_changes_no_language_and_captures_nothing(node):
    once = passes.optimize(node)
    assert language(passes.optimize(once)) == language(node)
    assert not passes.has_capture(once)
    assert not any(isinstance(part, Rep) and part.item == EMPTY for part in walk(once))


IDENTITIES = [
    ("merge_classes", Alt((A, B)), Chars(((97, 98),))),
    ("merge_classes", Alt((A, Text("cc"), B)), Alt((Chars(((97, 98),)), Text("cc")))),
    ("merge_classes", Alt((A, Text("bc"), B)), Alt((Chars(((97, 98),)), Text("bc")))),
    (
        "merge_classes",
        Seq((Alt((A, Text("bc"), B)), rest(C))),
        Seq((Alt((A, Text("bc"), B)), rest(C))),
    ),
    (
        "merge_classes",
        Seq((Alt((A, Text("cc"), B)), rest(C))),
        Seq((Alt((Chars(((97, 98),)), Text("cc"))), rest(C))),
    ),
    ("merge_classes", Alt((A, Capture("x", C), B)), Alt((A, Capture("x", C), B))),
    ("flatten_loops", star(star(A)), star(A)),
    ("flatten_loops", star(optional(A)), star(A)),
    ("flatten_loops", star(Rep(A, 1, None)), star(A)),
    ("flatten_loops", optional(optional(A)), optional(A)),
    ("flatten_loops", optional(Rep(A, 1, 3)), Rep(A, 0, 3)),
    ("flatten_loops", star(Rep(A, 2, None)), star(Rep(A, 2, None))),
    ("flatten_loops", star(Capture("x", star(A))), star(Capture("x", star(A)))),
    ("factor", Alt((Seq((A, B)), Seq((A, C)))), Seq((A, Alt((B, C))))),
    ("factor", Alt((A, Seq((A, B)))), Seq((A, optional(B)))),
    ("factor", Seq((Alt((A, Seq((A, B)))), rest(C))), Seq((A, Alt((EMPTY, B)), rest(C)))),
    ("factor", Seq((Alt((Seq((A, B)), A)), rest(C))), Seq((A, optional(B), rest(C)))),
    ("factor", Alt((Text("ab"), Text("ac"))), Seq((A, Alt((B, C))))),
    ("factor", Alt((Text("ab"), Seq((A, B)))), Seq((A, B))),
    ("factor", Alt((Seq((A, B)), C, Seq((A, C)))), Alt((Seq((A, B)), C, Seq((A, C))))),
    ("fuse", star(Seq((A, star(B)))), optional(Seq((A, star(Alt((B, A))))))),
    ("fuse", Rep(Seq((A, star(B))), 1, None), Seq((A, star(Alt((B, A)))))),
    ("fuse", Seq((star(B), star(Seq((A, star(B)))))), star(Alt((B, A)))),
    ("fuse", Seq((Rep(B, 1, None), star(Seq((A, star(B)))))), Seq((B, star(Alt((B, A)))))),
    ("unroll", star(Alt((A, Text("bc")))), Seq((star(A), star(Seq((Text("bc"), star(A))))))),
    ("unroll", star(Alt((A, Capture("x", B)))), star(Alt((A, Capture("x", B))))),
    (
        "unroll",
        Seq((star(Alt((Text("bc"), A))), rest(C))),
        Seq((star(A), star(Seq((Text("bc"), star(A)))), rest(C))),
    ),
    ("join_text", Seq((A, B, star(C), B, Text("ca"))), Seq((Text("ab"), star(C), Text("bca")))),
]


@each_case(("name", "before", "after"), IDENTITIES)
def test_the_identity_is_applied(name, before, after):
    assert getattr(passes, name)(before) == after


@each_case("before", [before for _, before, _ in IDENTITIES])
def test_optimizing_leaves_loops_that_need_not_give_back(before):
    found = passes.optimize(before)
    loops = [node for node in walk(found) if isinstance(node, Rep)]
    if not passes.has_capture(before) and before != star(Rep(A, 2, None)):
        assert all(deterministic(loop, Chars(())) for loop in loops)


def test_inlining_captures_the_outermost_rule_wanted():
    here = Position(1, 1)
    rules = {
        "s": Rule("s", Seq((Ref("host"), star(Ref("part")))), "test", here),
        "host": Rule("host", Rep(Ref("part"), 1, 2), "test", here),
        "part": Rule("part", Alt((A, Ref("last"))), "test", here),
        "last": Rule("last", B, "test", here),
    }
    part = Alt((A, B))
    assert passes.inline(Ref("s"), rules, {}) == Seq((Rep(part, 1, 2), star(part)))
    assert passes.inline(Ref("s"), rules, {"host": "h", "last": "l"}) == Seq(
        (Capture("h", Rep(part, 1, 2)), star(Alt((A, Capture("l", B)))))
    )
