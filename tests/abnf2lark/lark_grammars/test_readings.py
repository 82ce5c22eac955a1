"""Readings of tokens: where they end, and what is lost where one replaces another."""

from collections import Counter

import lark
import pytest
from brute.expressions import ALPHABET, expressions, language
from brute.grammars import STRUCTURES, recursive_grammars, rules
from brute.tables import Table
from brute.words import all_words, rule_words, words
from cases import each_case, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from abnf2lark.automata import Language, TooLargeError, limited
from abnf2lark.ir import Ref, alt, seq
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.lark_grammars.conflicts import priorities
from abnf2lark.lark_grammars.kept_tokens import kept_names, parting
from abnf2lark.lark_grammars.lalr_tables import Analyzer, ConflictError, NotLalrError, loaded
from abnf2lark.lark_grammars.readings import TokenRests
from abnf2lark.lark_grammars.recursive_grammar import RecursiveLexing
from abnf2lark.reading.recursion import cycle

TABLES = tables(__file__)

WORDS = all_words("abc", 4)
LISTS = 's = "(" s ")" / x *( "," x )\nx = 1*"x"\n'
OPTIONAL = 's = "(" s ")" / t u\nt = "a" [ "b" ]\nu = "b" / "c"\n'
MARKED = 's = "[" s "]" / a "!" / b "?"\na = 1*"x"\nb = 1*"x"\n'
WITHIN = 's = "[" s "]" / a / b\na = 1*"x"\nb = 1*"x" [ "?" ]\n'
BEHIND = 's = "[" s "]" / a s2 / b "?"\ns2 = "?" / "(" s ")"\na = 1*"x"\nb = 1*"x"\n'


def test_there_is_an_end_though_every_token_can_go_on():
    endless = Language([{0: 1}, {0: 1}], {1}, 3)
    rests = TokenRests({"X": endless})
    assert rests.edges[rests.done] == {}


def ends(table, text):
    """Tell whether some reading of a text ends with it."""
    readings = {table.start}
    for label in table.labels(text):
        here = frozenset({label})
        steps = [table.readings.steps(one, here) for one in readings]
        readings = {reading for step in steps for reading in step.get(label, ())}
    return any(map(table.readings.ends, readings))


def ends_as_decided(table, text):
    """Tell whether a reading in which all is as decided ends, and the rest is as it says."""
    readings = {table.start}
    for label in table.labels(text):
        here = frozenset({label})
        steps = [table.readings.steps(one, here, decided=True) for one in readings]
        readings = {reading for step in steps for reading in step.get(label, ())}
    return any(map(table.readings.ends, readings))


@pytest.mark.slow
@given(recursive_grammars())
def test_readings_in_all_ways_end_with_the_texts_of_the_grammar(grammar):
    if cycle(grammar, ("s",)):
        return
    table = Table(grammar)
    known = rule_words(grammar.rules, "abc", 4)["s"]
    for word in WORDS:
        assert ends(table, word) == (word in known), word


@pytest.mark.slow
def test_readings_as_decided_end_with_them_too_where_that_is_proved():
    proved = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(recursive_grammars())
    def law(grammar):
        if cycle(grammar, ("s",)):
            return
        table = Table(grammar)
        try:
            with limited(200_000):
                found = priorities(table.actions, table.replacements, list(table.components.rules))
                table.replacements.decide(found)
                RecursiveLexing(table.components, table.replacements).solve()
        except (ConflictError, NotLalrError, TooLargeError):
            return
        known = rule_words(grammar.rules, "abc", 4)["s"]
        for word in WORDS:
            assert ends_as_decided(table, word) == (word in known), word
        proved["of some words" if known else "of none"] += 1

    law()
    assert proved["of some words"] >= 2, proved


A, B, C = range(3)  # the classes of an alphabet of three


@each_case(("text", "taken", "meant", "lost"), [
    (LISTS, "X", "X", None),  # what follows is not a part of it
    (OPTIONAL, "T", "T", "ab"), (MARKED, "A", "A", None), (MARKED, "A", "B", "x?"),
    (MARKED, "B", "A", "x!"), (WITHIN, "A", "B", "x?"), (WITHIN, "B", "A", None),
    (BEHIND, "A", "B", None),  # since behind that there is all that is behind the other
    (BEHIND, "B", "A", "x("),
])  # fmt: skip
def test_tokens(grammar, text, taken, meant, lost):
    table = Table(grammar(text))
    state = table.actions.starts[0]
    assert table.replacements.refute_token(state, taken, meant, table.anything) == lost
    inside = table.behind(next(name for name in table.languages if name.startswith("_L")))
    assert table.replacements.refute_token(inside, taken, meant, table.anything) == lost


def test_a_proof_that_would_not_end_is_given_up(grammar):
    table = Table(grammar('s = "a" s "b" / "a" s "c" / x\nx = 1*"x"\n'))
    with pytest.raises(TooLargeError), limited(10):
        table.replacements.refute_token(table.actions.starts[0], "X", "X", table.anything)


def parser_of(made):
    return lark.Lark(made.text, parser=made.parser, start=made.starts[0])


@pytest.mark.slow
@each_case("recursive", [False, True])
def test_two_texts_have_two_trees(recursive):
    seen = Counter()

    @given(STRUCTURES, expressions, expressions)
    def law(structure, first, second):
        if recursive:
            first = alt([first, seq([Ref("s"), Ref("s")])])
        grammar = rules(s=structure, a=first, b=second)
        texts = sorted(words(structure, "abc", 4, grammar.rules)) if not recursive else []
        made = compile_grammar(grammar, ("s",), max_steps=100_000)
        parser = parser_of(made)
        trees = {}
        for text in texts or all_words("abc", 3):
            try:
                tree = parser.parse(text)
            except lark.UnexpectedInput:
                assert not texts, text
                continue
            assert trees.setdefault(tree, text) == text
        seen[made.parser] += len(trees)

    law()
    assert seen["earley"] + seen["lalr"] > 20


@each_case(("rules", "texts"), TABLES["what_is_optional_or_tells_alternatives_apart_is_kept"])
def test_what_is_optional_or_tells_alternatives_apart_is_kept(grammar, rules, texts):
    made = grammar(rules)
    parser = parser_of(compile_grammar(made, (made.own[0],)))
    assert len({parser.parse(text) for text in texts}) == len(texts)


def test_what_is_the_same_wherever_it_stands_is_left_out(grammar):
    made = grammar('call = name "(" [ name *( "," name ) ] ")"\nname = 1*ALPHA\n')
    found = parser_of(compile_grammar(made, ("call",))).parse("f(x,y)")
    assert [child.data for child in found.children] == ["name"] * 3


@given(expressions, st.sets(st.sampled_from("abc"), min_size=1))
def test_words_part_at_a_hidden_letter_if_two_are_the_same_without(node, letters):
    hidden = {ALPHABET.class_of(letter) for letter in letters}
    found = parting(language(node), hidden)
    assert found <= hidden
    shown = Counter(
        "".join(letter for letter in word if letter not in letters)
        for word in words(node, "abc", 5)
    )
    if max(shown.values(), default=0) > 1:
        assert found


def test_of_parts_that_are_nested_too_deeply_all_texts_are_kept():
    rules = {"s": Ref("_p0")} | {
        f"_p{n}": seq([Ref(f"_T{n}"), Ref(f"_p{n + 1}")]) for n in range(1_000)
    }
    rules["_p1000"] = Ref("_T1000")
    shown = kept_names(rules, dict.fromkeys(rules, "s"))
    assert shown.keys() == {f"_T{n}" for n in range(1_001)}


def test_texts_that_part_in_too_many_ways_are_all_kept():
    rules = {"s": alt([seq([Ref(f"_T{n}"), Ref(f"A{n}")]) for n in range(100)])}
    assert not kept_names(rules, {"s": "s"})
    with limited(5_000):
        shown = kept_names(rules, {"s": "s"})
    assert shown.keys() == {f"_T{n}" for n in range(100)}


def steps(text, start, most=4_000_000):
    with limited(most) as left:
        Analyzer(loaded(text, [start]).rules, [start]).compute_lalr()
    return most - left[0]


def test_what_lark_reads_is_what_its_parsers_have():
    text = 'start: a ["," start] | "(" start ")"\na: /[a-z]+/ | b?\nb: "!"\nUNUSED: "?"\n'
    parser = lark.Lark(text, parser="lalr", maybe_placeholders=False)
    assert loaded(text, ["start"]).rules == parser.rules
    found = {terminal.name: terminal.pattern for terminal in loaded(text, ["start"]).terminals}
    assert {one.name: one.pattern for one in parser.terminals}.items() <= found.items()
