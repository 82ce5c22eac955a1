"""The proof of emitted patterns: it reads back what was written and refuses what is wrong."""

import re
from dataclasses import replace

import pytest
from brute.expressions import ALPHABET, LETTERS, expressions, language
from brute.judge import ours
from brute.words import all_words
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, languages
from abnf2lark.ir import EMPTY, Alt, Chars, Rep, Seq, Text
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import optimize
from abnf2lark.patterns.proof import ProofError, guard_language, language_of, prove, read_back
from abnf2lark.patterns.rule_expression import make_matchers

A, B, C = map(Chars.single, LETTERS)
CALM = replace(PYTHON, possessive=False)
WORDS = all_words(LETTERS, 5)


@given(expressions)
def test_a_written_pattern_is_read_back_as_the_same_language(node):
    for form in (node, optimize(node)):
        for flavour in (PYTHON, CALM):
            text = pattern(form, flavour)
            found, atomic = read_back(text)
            assert language(found) == language(node)
            assert language_of(text, ALPHABET) == language(node)
            assert len(atomic) == len(re.findall(r"[*+}]\+", text))
            prove("s", text, language(node), ALPHABET)


SPECIAL = (
    "".join(map(chr, range(0x20))) + " \"#$&'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\x80\xff\u2028\U0010ffff"
)


@given(st.lists(st.sampled_from(SPECIAL), min_size=1, max_size=8, unique=True))
def test_characters_with_a_meaning_in_patterns_are_spelled_so_that_they_have_none(chars):
    node = Seq(
        (
            Chars.of([(ord(char), ord(char)) for char in chars]),
            Text("".join(chars) * 2),
            Rep(Chars.single(chars[0]), 1, None),
        )
    )
    alphabet = Alphabet([node])
    prove("s", pattern(node, PYTHON), language(node, alphabet), alphabet)


@given(expressions, expressions)
def test_a_pattern_of_another_language_is_refused_with_an_example(node, other):
    wanted, text = language(node), pattern(other, CALM)
    if language(other) == wanted:
        prove("s", text, wanted, ALPHABET)
        return
    with pytest.raises(ProofError, match=r"^the pattern for s (rejects|accepts) '") as caught:
        prove("s", text, wanted, ALPHABET)
    verb, example = re.search(r"(rejects|accepts) '(.*)'$", str(caught.value)).groups()
    example = re.sub(r"\\x00", "\0", example)
    assert wanted.accepts(example, ALPHABET) == (verb == "rejects")
    assert (re.compile(text).fullmatch(example) is None) == (verb == "rejects")


WRONG = [
    ("ab*", r"ab+", "the pattern for s rejects 'a'"),
    ("ab*", r"a[bc]*", "the pattern for s accepts 'ac'"),
    ("ab*", r"ab*c?", "the pattern for s accepts 'ac'"),
    ("ab*", r"", "the pattern for s rejects 'a'"),
    ("ab*", r"[a-b]b*", "the pattern for s accepts 'b'"),
    ("ab*", r"a[^b]*", "the pattern for s rejects 'ab'"),
    ("ab*", r"a.*", "ANY is not expected in an emitted pattern"),
    ("ab*", r"\Aab*", "AT is not expected in an emitted pattern"),
    ("ab*", r"ab*$", "AT is not expected in an emitted pattern"),
    ("ab*", r"ab*?", "MIN_REPEAT is not expected in an emitted pattern"),
    ("ab*", r"(?>ab*)", "ATOMIC_GROUP is not expected in an emitted pattern"),
    ("ab*", r"(?i:a)b*", "SUBPATTERN is not expected in an emitted pattern"),
    ("ab*", r"ab*(?=\Z)", "ASSERT is not expected in an emitted pattern"),
    ("ab*", r"(a)\1", "GROUPREF is not expected in an emitted pattern"),
    ("ab*", r"\wb*", "CATEGORY is not expected in a character class"),
    ("ab*", r"ax*", "an emitted set is not one of the grammar"),
    ("ab*", r"a[b-d]*", "an emitted set is not one of the grammar"),
]


@each_case(("wanted", "text", "message"), WRONG)
def test_a_wrong_pattern_is_refused(wanted, text, message):
    right = language(read_back(wanted)[0])
    prove("s", wanted, right, ALPHABET)
    with pytest.raises(ProofError, match="^" + re.escape(message)):
        prove("s", text, right, ALPHABET)


def test_a_part_of_a_set_is_not_the_set():
    """Characters that the grammar treats alike must be treated alike by the pattern."""
    alphabet = Alphabet([Chars(((97, 122),))])
    wanted = language(Chars(((97, 122),)), alphabet)
    prove("s", "[a-z]", wanted, alphabet)
    for text in ("[a-y]", "[b-z]", "a", "[a-z0]", "[^0]"):
        with pytest.raises(ProofError, match="set is not one of the grammar"):
            prove("s", text, wanted, alphabet)


POSSESSIVE = [
    ("a*+b", True),
    ("a*+a", False),
    ("a*+[ab]", False),
    ("(?:ab)*+c", True),
    ("(?:ab)*+a", False),
    ("(?:a|ab)*+c", False),
    ("(?:a(?:|b))*+c", False),
    ("(?:a(?:b|))*+c", True),
    ("(?:a(?:c*|b))*+", False),
    ("(?:a(?:b|c*))*+", True),
    ("(?:a*b)*+c", True),
    ("(?:a*b)*+a", False),
    ("(?:ab?)*+c", True),
    ("(?:ab?)*+b", False),
    ("(?:ab?)*+(?:b|c)", False),
    ("(?:a*+)*+", False),
    ("a{1,3}+b", True),
    ("a{1,3}+a", False),
    ("a++(?:c?b)?", True),
    ("a++(?:c?a)?", False),
    ("a++c?a", False),
    ("(?:a++b)*c", True),
    ("(?:ba++)*c", True),
    ("(?:b?a++)*c", False),
    ("(?:a++|b)*c", False),
]


@each_case(("text", "sure"), POSSESSIVE)
def test_a_possessive_loop_that_could_have_to_give_back_is_refused(text, sure):
    calm = re.sub(r"([*+}])\+", r"\1", text)
    alphabet = Alphabet([A, B, C])
    if sure:
        assert language_of(text, alphabet) == language_of(calm, alphabet)
        assert all(bool(re.fullmatch(text, w)) == bool(re.fullmatch(calm, w)) for w in WORDS)
    else:
        with pytest.raises(ProofError, match="could have to give back"):
            language_of(text, alphabet)


def test_what_follows_a_pattern_counts_for_its_loops():
    assert language_of("a*+", ALPHABET, B) == language(Rep(A, 0, None))
    with pytest.raises(ProofError, match="could have to give back"):
        language_of("a*+", ALPHABET, A)


@given(expressions)
def test_the_writer_makes_no_loop_possessive_that_the_proof_refuses(node):
    for follow in (Chars(()), A, B, Chars(((97, 99),))):
        assert language_of(pattern(node, PYTHON, follow), ALPHABET, follow) == language(node)


GUARDS = [
    *("", r"\Z", "(?=a)", "(?!a)", "(?![^a])", "(?=[ab]c)", r"(?=a\Z)", r"(?=a*+b\Z)"),
    *("(?=a*+b)", r"(?=(?:a|b*+c|\Z))", r"(?=(?:b|\Z)c)", r"(?=(?:a|\Z))", "(?!ab)"),
    *(r"(?!a*\Z)", "(?=)", "(?!)", r"(?=(?:a*|b*+)\Z)"),
]


@each_case("guard", GUARDS)
def test_a_guard_lets_pass_what_its_lookahead_does(guard):
    found = guard_language(guard, ALPHABET)
    compiled = re.compile(guard)
    for word in all_words(LETTERS + "x", 4):
        assert found.accepts(word, ALPHABET) == (compiled.match(word) is not None), word


def test_a_guard_whose_loop_could_have_to_give_back_is_refused():
    with pytest.raises(ProofError, match="could have to give back"):
        guard_language(r"(?=a*+a)", ALPHABET)


@given(expressions)
def test_guards_of_any_expression(node):
    found = guard_language(f"(?=(?:{pattern(node, CALM)})\\Z)", ALPHABET)
    assert found == language(node)
    ahead = guard_language(f"(?!{pattern(Alt((node, EMPTY)), CALM)})", ALPHABET)
    assert not ahead


def test_matchers_are_proved_as_they_are_made(monkeypatch):
    grammar = ours('s = 1*("a" / "bb")\n')
    alphabet = Alphabet(rule.body for rule in grammar.rules.values())
    found = languages(grammar.rules, alphabet, ["s"])
    (made,) = make_matchers(grammar, ("s",), {}, found, alphabet)
    assert re.fullmatch(made.pattern, "aBbA")
    monkeypatch.setattr("abnf2lark.patterns.passes.optimize", lambda node: node.item)
    with pytest.raises(ProofError, match=r"the pattern for test s rejects 'aa'"):
        make_matchers(grammar, ("s",), {}, found, alphabet)
