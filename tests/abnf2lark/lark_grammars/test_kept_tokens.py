"""Trees remember their texts: two texts have one tree only if they differ in letter case."""

from collections import Counter

import lark
from brute.expressions import ALPHABET, expressions, language
from brute.grammars import STRUCTURES, rules
from brute.words import all_words, words
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import limited
from abnf2lark.ir import Ref, alt, seq
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.lark_grammars.kept_tokens import kept_names, parting


def parser_of(made):
    return lark.Lark(made.text, parser=made.parser, start=made.starts[0])


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


@each_case(
    ("rules", "texts"),
    [
        ('number = [ minus ] int\nminus = "-"\nint = 1*DIGIT\n', ["-1", "1"]),
        ('tag = "{#" name "}" / "{/" name "}"\nname = 1*ALPHA\n', ["{#a}", "{/a}"]),
        ('t = [ "!" ] ( e / "(" t ")" )\ne = 1*DIGIT\n', ["!1", "1", "!(!1)", "(!1)", "!(1)"]),
        ('r = *"-" n\nn = "1"\n', ["-1", "--1", "1"]),
        ('l = i *( "," i ) *( ";" i )\ni = 1*DIGIT\n', ["1,2;3", "1;2;3", "1,2,3"]),
        ('d = [ "a" ] [ x ]\nx = [ "b" ]\n', ["a", "", "b", "ab"]),
    ],
)
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
