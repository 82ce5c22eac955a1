"""The proof of patterns: it reads back what was written, and bounds backtracking."""

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from brute.expressions import ALPHABET, LETTERS, expressions, language
from brute.grammars import STRUCTURES, rules
from brute.judge import ours
from brute.pumps import node_of, pumps
from brute.steps import steps
from brute.words import all_words
from cases import documents, each_case, tables
from hypothesis import example, given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, languages
from abnf2lark.ir import EMPTY, Alt, Chars, Ref, Rep, Seq, Text, seq, walk
from abnf2lark.lark_grammars.component_grammar import lalr_grammar
from abnf2lark.lark_grammars.component_rules import Plan
from abnf2lark.lark_grammars.lalr_tables import NotLalrError
from abnf2lark.patterns import proof, rule_expression
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import optimize

TABLES = tables(__file__)

A, B, C = map(Chars.single, LETTERS)

CALM = replace(PYTHON, possessive=False)

WORDS = all_words(LETTERS, 5)
SPECIAL = (
    "".join(map(chr, range(0x20))) + " \"#$&'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\x80\xff\u2028\U0010ffff"
)
COPIES = 30


@given(expressions)
def test_a_written_pattern_is_read_back_as_the_same_language(node):
    for form in (node, optimize(node)):
        for flavour in (PYTHON, CALM):
            text = pattern(form, flavour)
            found, atomic = proof.read_back(text)
            assert language(found) == language(node)
            assert proof.language_of(text, ALPHABET) == language(node)
            assert len(atomic) == len(re.findall(r"[*+}]\+", text))
            proof.prove("s", text, language(node), ALPHABET)


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
    proof.prove("s", pattern(node, PYTHON), language(node, alphabet), alphabet)


@given(expressions, expressions)
def test_a_pattern_of_another_language_is_refused_with_an_example(node, other):
    wanted, text = language(node), pattern(other, CALM)
    if language(other) == wanted:
        proof.prove("s", text, wanted, ALPHABET)
        return
    with pytest.raises(proof.ProofError, match=r"^the pattern for s (rejects|accepts) '") as caught:
        proof.prove("s", text, wanted, ALPHABET)
    verb, example = re.search(r"(rejects|accepts) '(.*)'$", str(caught.value)).groups()
    example = re.sub(r"\\x00", "\0", example)
    assert wanted.accepts(example, ALPHABET) == (verb == "rejects")
    assert (re.compile(text).fullmatch(example) is None) == (verb == "rejects")


@each_case(("wanted", "text", "message"), TABLES["a_wrong_pattern_is_refused"])
def test_a_wrong_pattern_is_refused(wanted, text, message):
    right = language(proof.read_back(wanted)[0])
    proof.prove("s", wanted, right, ALPHABET)
    with pytest.raises(proof.ProofError, match="^" + re.escape(message)):
        proof.prove("s", text, right, ALPHABET)


@each_case(("text", "sure"), TABLES["a_possessive_loop_that_could_have_to_give_back_is_refused"])
def test_a_possessive_loop_that_could_have_to_give_back_is_refused(text, sure):
    calm = re.sub(r"([*+}])\+", r"\1", text).replace("(?>", "(?:")
    alphabet = Alphabet([A, B, C])
    if sure:
        assert proof.language_of(text, alphabet) == proof.language_of(calm, alphabet)
        assert all(bool(re.fullmatch(text, w)) == bool(re.fullmatch(calm, w)) for w in WORDS)
    else:
        with pytest.raises(proof.ProofError, match="could have to backtrack"):
            proof.language_of(text, alphabet)


@given(expressions)
def test_the_writer_makes_no_loop_possessive_that_the_proof_refuses(node):
    for follow in (Chars(()), A, B, Chars(((97, 99),))):
        assert proof.language_of(pattern(node, PYTHON, follow), ALPHABET, follow) == language(node)


@each_case("guard", [
    *("", r"\Z", "(?=a)", "(?!a)", "(?![^a])", "(?=[ab]c)", r"(?=a\Z)", r"(?=a*+b\Z)"),
    *("(?=a*+b)", r"(?=(?:a|b*+c|\Z))", r"(?=(?:b|\Z)c)", r"(?=(?:a|\Z))", "(?!ab)"),
    *(r"(?!a*\Z)", "(?=)", "(?!)", r"(?=(?:a*|b*+)\Z)"),
])  # fmt: skip
def test_a_guard_lets_pass_what_its_lookahead_does(guard):
    found = proof.guard_language(guard, ALPHABET)
    compiled = re.compile(guard)
    for word in all_words(LETTERS + "x", 4):
        assert found.accepts(word, ALPHABET) == (compiled.match(word) is not None), word


def test_a_guard_whose_loop_could_have_to_give_back_is_refused():
    with pytest.raises(proof.ProofError, match="could have to backtrack"):
        proof.guard_language(r"(?=a*+a)", ALPHABET)


@given(expressions)
def test_guards_of_any_expression(node):
    found = proof.guard_language(f"(?=(?:{pattern(node, CALM)})\\Z)", ALPHABET)
    assert found == language(node)
    ahead = proof.guard_language(f"(?!{pattern(Alt((node, EMPTY)), CALM)})", ALPHABET)
    assert not ahead


def test_matchers_are_proved_as_they_are_made(monkeypatch):
    grammar = ours('s = 1*("a" / "bb")\n')
    alphabet = Alphabet(rule.body for rule in grammar.rules.values())
    found = languages(grammar.rules, alphabet, ["s"])
    (made,) = rule_expression.make_matchers(grammar, ("s",), {}, found, alphabet)
    assert re.fullmatch(made.pattern, "aBbA")
    monkeypatch.setattr("abnf2lark.patterns.passes.optimize", lambda node: node.item)
    with pytest.raises(proof.ProofError, match=r"the pattern for test s rejects 'aa'"):
        rule_expression.make_matchers(grammar, ("s",), {}, found, alphabet)


@given(expressions, st.sampled_from(all_words(LETTERS, 3)), st.sampled_from(all_words(LETTERS, 3)))
def test_time_is_bounded_at_each_character_where_it_is_said_to_be(node, before, pumped):
    node = rule_expression.linear(optimize(node), ALPHABET)
    text = before + pumped * COPIES
    size = sum(len(part.value) if isinstance(part, Text) else 1 for part in walk(node))
    bound = 100 * proof.MAX_WAYS * size
    assert steps(node, text[:60], bound * 60) < bound * (len(text[:60]) + 1)


def test_random_expressions_that_backtrack_are_found():
    seen = Counter()

    @given(expressions)
    def law(node):
        node = optimize(node)
        why = proof.backtracking(node)
        seen[why is None] += 1
        if why is not None and why.text:
            assert steps(node, why.text, proof.MAX_WAYS) >= proof.MAX_WAYS

    law()
    assert seen[True]


RULES = documents(__file__)["RULES"]


@pytest.mark.slow
@each_case(("rule", "good", "pumped"), TABLES["rules_whose_own_expressions_backtrack"])
def test_rules_whose_own_expressions_backtrack(grammar, rule, good, pumped):
    made = rule_expression.proved_matcher(grammar(RULES), rule, ())
    assert re.fullmatch(made.pattern, good)
    assert not re.fullmatch(made.pattern, pumped * 5000 + "?")


def test_what_has_no_linear_expression_is_refused_with_a_text(grammar):
    text = 'a = *( 1*"a" [ "!" 300"b" ] )\n'
    with pytest.raises(rule_expression.NoExpressionError) as caught:
        rule_expression.proved_matcher(grammar(text), "a", ())
    assert not isinstance(caught.value, rule_expression.NotRegularError)  # the rule is regular
    assert re.fullmatch(
        r"a has no regular expression that is known to take linear time: "
        r"it backtracks without bound, as after 'a+'",
        str(caught.value),
    )


def test_what_is_too_large_is_not_said_to_be_linear():
    few = Rep(Chars.single("a"), 0, 6000)
    with pytest.raises(proof.NotLinearError, match="too large to find out how far it backtracks"):
        rule_expression.linear(Seq((few, few)), Alphabet([few]))


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
    try:
        linearized = rule_expression.linear(optimize(node), ALPHABET)
    except proof.NotLinearError:  # of some none is found, which is said
        return
    emitted = node_of(pattern(linearized, PYTHON))
    for pump in pumps(emitted, chance, 8):
        assert not superlinear(emitted, pump), pump


@pytest.mark.slow
def test_steps_of_terminals_and_their_guards_grow_so_too():
    seen = Counter()

    @given(STRUCTURES, expressions, expressions, st.randoms(use_true_random=False))
    @example(seq([Ref("a"), Ref("b")]), Rep(A, 1, None), Chars.single("b"), random.Random(1))
    def law(structure, first, second, chance):
        grammar = rules(s=structure, a=first, b=second)
        try:
            proved = lalr_grammar(Plan(grammar, ("s",), frozenset(grammar.own)))
        except NotLalrError:
            return
        for name, expression in proved.expressions().items():
            emitted = node_of(expression)
            for pump in pumps(emitted, chance, 4):
                seen["pumps"] += 1
                assert not superlinear(emitted, pump), (name, expression, pump)

    law()
    assert seen["pumps"]
