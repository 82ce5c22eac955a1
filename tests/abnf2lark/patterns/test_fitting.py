"""What an engine cannot take is changed so that the language stays, or refused."""

import re

import pytest
from brute.expressions import ALPHABET, expressions, language
from brute.judge import ours
from cases import each_case
from hypothesis import given

from abnf2lark.automata import Alphabet, languages
from abnf2lark.ir import Alt, Chars, Rep, Seq, Text
from abnf2lark.patterns.emit_pattern import JAVA, POSTGRESQL, PYTHON, RE2, RUST, pattern
from abnf2lark.patterns.proof import ProofError, in_python, language_of, prove
from abnf2lark.patterns.rule_expression import (
    HALVES,
    FlavourError,
    UnfitError,
    _without_surrogates,
    fitted,
    proved_matcher,
    without_surrogates,
)


@given(expressions)
def test_what_is_fitted_has_the_same_language_and_no_loop_that_gives_back(node):
    try:
        found = fitted(node, JAVA, ALPHABET)
    except UnfitError:
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


SURROGATE = Chars(((0xD7FF, 0xE000),))
WITH_HALVES = {
    "a set": (SURROGATE, Chars(((0xD7FF, 0xD7FF), (0xE000, 0xE000)))),
    "nothing left": (Chars(((0xD800, 0xDFFF),)), None),
    "an alternative": (Alt((Text("\ud800"), Text("b"))), Text("b")),
    "a sequence": (Seq((Text("b"), Chars(((0xDC00, 0xDC00),)))), None),
    "an option": (Seq((Text("b"), Rep(Text("\udfff"), 0, 1))), Seq((Text("b"), Seq(())))),
    "a loop": (Rep(Text("\udfff"), 1, None), None),
}


@each_case("name", WITH_HALVES)
def test_words_with_surrogates_are_left_out(name):
    node, wanted = WITH_HALVES[name]
    found = _without_surrogates(node)
    alphabet = Alphabet([node, HALVES])
    left = without_surrogates(language(node, alphabet), alphabet)
    if wanted is None:
        assert found is None
        assert not left
    else:
        assert language(found, alphabet) == language(wanted, alphabet) == left


def test_what_no_text_can_hold_is_no_part_of_the_expression():
    grammar = ours("a = 1*%x80-10FFFF\n")
    wanted = r"\A[\x{80}-\x{d7ff}\x{e000}-\x{10ffff}]+\z"
    assert proved_matcher(grammar, "a", (), RUST).pattern == wanted
    assert proved_matcher(grammar, "a", (), JAVA).pattern == wanted.replace("+", "++")
    captured = ours("a = 1*%x61-7A b\nb = *%x80-10FFFF\n")
    wanted = r"\A[a-z]++(?P<b>[\x80-\ud7ff\ue000-\U0010ffff]*+)\Z"
    assert proved_matcher(captured, "a", ("b",), PYTHON).pattern == wanted


@each_case(
    ("text", "flavour", "is_refused"),
    [
        ("a = 1000DIGIT\n", RE2, False),
        ("a = 1001DIGIT\n", RE2, True),
        ("a = 1001*DIGIT\n", RE2, True),
        ('a = 20( 2*50DIGIT "." )\n', RE2, False),
        ('a = 20( 2*51DIGIT "." )\n', RE2, True),
        ('a = 1*( 1*1000DIGIT "." )\n', RE2, False),
        ('a = 20( 2*255DIGIT "." )\n', POSTGRESQL, False),
        ("a = 2*256DIGIT\n", POSTGRESQL, True),
        ("a = 2000DIGIT\n", JAVA, False),
    ],
)
def test_counts_are_bounded(text, flavour, is_refused):
    grammar = ours(text)
    if is_refused:
        with pytest.raises(FlavourError, match="at most; write the repetition in parts") as caught:
            proved_matcher(grammar, "a", (), flavour)
        assert caught.value.reason.startswith("it counts to ")
    else:
        assert proved_matcher(grammar, "a", (), flavour)


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
