"""Passes keep the language of an expression, the text of its captures, and the longest match."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from brute.expressions import ALPHABET, LETTERS, capturing, classes, expressions, language, watched
from brute.judge import ours
from brute.words import all_words, words
from cases import each_case
from hypothesis import example, given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, Language, languages
from abnf2lark.ir import (
    EMPTY,
    MAX_CODE_POINT,
    Alt,
    Capture,
    Chars,
    Rep,
    Seq,
    Text,
    is_nullable,
    optional,
    walk,
)
from abnf2lark.patterns import passes
from abnf2lark.patterns.emit_pattern import JAVA, PYTHON, in_python, pattern
from abnf2lark.patterns.passes import NO_CHARS, deterministic, factored, one_end
from abnf2lark.patterns.proof import ProofError, language_of, prove, takes_longest
from abnf2lark.patterns.rule_expression import FlavourError, fitted, proved_matcher

PASSES = ["merge_classes", "flatten_loops", "factor", "fuse", "unroll", "join_text", "optimize"]

A, B, C = map(Chars.single, LETTERS)

WORDS = all_words(LETTERS, 4)

BACKTRACKING = replace(PYTHON, possessive=False)
ANYTHING = Chars(((0, MAX_CODE_POINT),))
TEXTS = all_words("abc", 4)


def star(node):
    return Rep(node, 0, None)


@pytest.mark.slow
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
    star(Capture("s", Alt((A, Text("ac"), C)))), Seq((Alt((B, Text("ac"), A)), rest(optional(C)))),
    Seq((Alt((A, Text("ab"))), rest(optional(B)))),
    Seq((Alt((Seq((star(A), Text("ab"))), star(A))), rest(optional(B)))),
    Seq((star(Seq((B, star(optional(A))))), rest(star(B)))),
    Seq((star(Seq((B, star(Alt((A, EMPTY)))))), rest(star(B)))),
    Seq((star(Alt((Text("ab"), A))), rest(optional(B)))),
]  # fmt: skip


@pytest.mark.slow
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
    ("merge_classes", Seq((Alt((A, Text("bc"), B)), rest(C))),
     Seq((Alt((A, Text("bc"), B)), rest(C)))),
    ("merge_classes", Seq((Alt((A, Text("cc"), B)), rest(C))),
     Seq((Alt((Chars(((97, 98),)), Text("cc"))), rest(C)))),
    ("merge_classes", Alt((A, Capture("x", C), B)), Alt((A, Capture("x", C), B))),
    ("flatten_loops", star(star(A)), star(A)), ("flatten_loops", star(optional(A)), star(A)),
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
    ("unroll", Seq((star(Alt((Text("bc"), A))), rest(C))),
     Seq((star(A), star(Seq((Text("bc"), star(A)))), rest(C)))),
    ("join_text", Seq((A, B, star(C), B, Text("ca"))), Seq((Text("ab"), star(C), Text("bca")))),
]  # fmt: skip


@each_case(("name", "before", "after"), IDENTITIES)
def test_the_identity_is_applied(name, before, after):
    assert getattr(passes, name)(before) == after


A, B, C = map(Chars.single, "abc")


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


@given(expressions)
def test_what_is_put_together_is_the_same(node):
    assert language(factored(node)) == language(node)


@given(expressions)
def test_what_is_fitted_has_the_same_language_and_no_loop_that_gives_back(node):
    try:
        found = fitted(node, "r", JAVA, ALPHABET)
    except FlavourError:
        return
    text = pattern(found, JAVA)
    assert not re.search(r"\)(?:[*+]|\{\d+,\})(?!\+)", text)
    assert language_of(in_python(text), ALPHABET) == language(node)


def test_loops_that_would_give_back_are_read_from_an_automaton_anew():
    """A label ends with no hyphen: by its rule, that is known only behind it."""
    grammar = ours('label = "a" [ *( "a" / "-" ) "a" ]\nname = label *( "." label )\n')
    for flavour in (JAVA, PYTHON):
        found = re.compile(
            proved_matcher(grammar, "name", (), flavour).pattern.replace("\\z", "\\Z")
        )
        assert found.search("a-a.a--aa.a")
        assert not found.search("a-a.a-.a")
    text = proved_matcher(grammar, "name", (), JAVA).pattern
    assert re.search(r"\)(?:[*+]|\{\d+,\})(?!\+)", text) is None


def test_a_pattern_of_another_flavour_is_read_back_too():
    """A wrong character in braces is found as one that Python spells."""
    grammar = ours("a = 1*%xE9-EF\n")
    alphabet = Alphabet(rule.body for rule in grammar.rules.values())
    wanted = languages(grammar.rules, alphabet, ["a"])["a"]
    prove("a", in_python(r"[\x{e9}-\x{ef}]+"), wanted, alphabet)
    prove("a", in_python(r"[\u{e9}-\u{ef}]+"), wanted, alphabet)
    with pytest.raises(ProofError, match="accepts ''"):
        prove("a", in_python(r"[\x{e9}-\x{ef}]*"), wanted, alphabet)
    with pytest.raises(ProofError, match="not one of the grammar"):
        prove("a", in_python(r"[\x{e9}-\x{ee}]+"), wanted, alphabet)
