"""Component grammars: empty components, counts, names, and lexing that is proved."""

import json
import re
from collections import Counter
from pathlib import Path

import lark
import pytest
from brute.expressions import expressions
from brute.grammars import STRUCTURES, rules
from brute.judge import judge, ours, parses
from brute.words import all_words, words
from cases import tables
from hypothesis import example, given, settings
from hypothesis import strategies as st
from marks import some_slow
from oracle.first_match import derivations, first_derivation

from abnf2lark.ir import Ref, Rep, is_nullable, references, walk
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.lark_grammars.component_grammar import lalr_grammar
from abnf2lark.lark_grammars.component_rules import Plan
from abnf2lark.lark_grammars.lalr_tables import NotLalrError
from abnf2lark.lark_grammars.lexing import prove_expressions
from abnf2lark.patterns.proof import ProofError
from uriparse._compiled._packed import load

TABLES = tables(__file__)


# What means something to Lark, to Python's strings or to its expressions.
CHARACTERS = "\\\"'/[]^-&~|.*+?(){}$# \t\n\r\0xuUnNrZd5ca\x7f\x85\u2028\ufeff\U0001f600"


def tables(name):
    return load(name, "lalr").json


def compiled(abnf, leaves=()):
    """Compile a grammar whose every rule is a node; give a function from texts to trees."""
    grammar = ours(abnf)
    found = lalr_grammar(
        Plan(grammar, ("s",), frozenset(grammar.own) - {*leaves}, frozenset(leaves))
    )
    names = found.components.abnf_names
    parser = lark.Lark(
        found.text({}), parser="lalr", lexer="contextual", start=found.components.starts["s"],
        maybe_placeholders=False,
    )  # fmt: skip

    def shown(tree):
        if isinstance(tree, lark.Token):
            return str(tree)
        return f"{names.get(tree.data, tree.data)}({' '.join(map(shown, tree.children))})"

    def read(text):
        try:
            return shown(parser.parse(text))
        except lark.UnexpectedInput:
            return None

    return read


# What a grammar makes of texts, of the empty components in them above all.


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two", "three", "trees"), [
    pytest.param(*case[1:], id=case[0]) for case in TABLES["trees"]
])  # fmt: skip
def test_empty_components_and_counts(one, two, three, trees):
    abnf = f"{one}\n{two}\n{three}\n"
    read, accepts = compiled(abnf), judge(abnf)
    assert {text: read(text) for text in trees} == trees
    for word in all_words(sorted(set("".join(trees)) | set("x"))[:4], 6):
        assert (read(word) is not None) == accepts("s", word), word


def test_a_leaf_keeps_its_text_together_though_it_has_rules_inside():
    abnf = 's = a "/" a\na = b "." b\nb = 1*DIGIT\n'
    assert compiled(abnf)("1.2/3.4") == "s(a(b(1) b(2)) a(b(3) b(4)))"
    assert compiled(abnf, ["a"])("1.2/3.4") == "s(a(1.2) a(3.4))"


CASES = json.loads((Path(__file__).parent / "lexing_cases.json").read_text(encoding="ascii"))

CASES = [pytest.param(case, id=case["id"]) for case in CASES]

assert CASES


def lexed_grammar(grammar):
    return lalr_grammar(Plan(grammar, ("s",), frozenset(grammar.own)))


def parser(lexed):
    return lark.Lark(
        lexed.text({}), parser="lalr", lexer="contextual", start=lexed.components.starts["s"],
        maybe_placeholders=False,
    )  # fmt: skip


def shape(tree, grammar, names):
    """Give the components of a tree: nodes, and the text of those that hold no other."""
    name = names.get(tree.data, tree.data)
    parts = [child for child in tree.children if isinstance(child, lark.Tree)]
    if any(ref.name in grammar.own for ref in references(grammar.rules[name].body)):
        return name, [shape(part, grammar, names) for part in parts]
    return name, text_of(tree)


def text_of(node):
    if isinstance(node, lark.Tree):
        return "".join(map(text_of, node.children))
    return str(node)


def tree(lark_parser, word):
    try:
        return lark_parser.parse(word)
    except lark.UnexpectedInput:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_lark_grammar_reads_the_texts_of_the_abnf_as_its_first_alternatives(case):
    abnf = "\n".join(case["abnf"]) + "\n"
    grammar, accepts = ours(abnf), judge(abnf)
    lexed = lexed_grammar(grammar)
    spelled = dict(re.findall(r"^(\w+)(?:\.\d+)?: (/.*/)$", lexed.text({}), re.MULTILINE))
    assert {name: spelled[name] for name in case["terminals"]} == case["terminals"]
    lark_parser, names = parser(lexed), lexed.components.abnf_names
    verdicts = Counter()
    for word in all_words(case["letters"], case.get("limit", 6)):
        found = tree(lark_parser, word)
        assert (found is not None) == accepts("s", word), word
        verdicts[found is not None] += 1
        if found is not None:
            first = first_derivation(grammar.rules, "s", word)
            assert shape(found, grammar, names) == shape(first, grammar, {}), word
    assert min(verdicts[True], verdicts[False]) > 0
    assert accepts("s", case["good"])
    assert not accepts("s", case["bad"])


def guards(case):
    """Give the guards in the grammar of a case."""
    (abnf,) = (known.values[0]["abnf"] for known in CASES if known.id == case)
    return {lexed.guard for lexed in lexed_grammar(ours("\n".join(abnf) + "\n")).lexed.values()}


def test_the_weakest_guard_that_does_is_taken():
    assert guards("no-guard") == {""}
    assert guards("next-character") == {"", "(?=:)", r"\Z"}
    assert "(?=:[Xx]++@)" in guards("next-token")
    assert any("[Ww]" in guard and "[Yy]" in guard for guard in guards("unbounded"))
    assert any(guard.count("[Vv]") == 4 for guard in guards("whole-rest"))


def refusal(abnf):
    with pytest.raises(NotLalrError) as caught:
        lexed_grammar(ours(abnf))
    return caught.value


def test_a_grammar_without_a_proof_names_the_terminals_and_rules():
    found = refusal('s = 1*entry\nentry = key "=" value\nkey = 1*"x"\nvalue = *"x"\n')
    assert isinstance(found.__context__, NotLalrError)
    assert str(found) == "no guard keeps VALUE apart (rules: value); for example before 'x'"


def repeats_what_can_be_empty(grammar):
    nullable = {name for name in "ab" if is_nullable(grammar.rules[name].body)}
    return any(
        isinstance(node, Rep) and node.high != 1 and is_nullable(node.item, nullable)
        for rule in grammar.rules.values()
        for node in walk(rule.body)
    )


def shapes(grammar, word):
    """Give the shapes of all derivations of a word."""
    found = derivations(Ref("s"), word, 0, grammar.rules)
    return [shape(children[0], grammar, {}) for end, children in found if end == len(word)]


@pytest.mark.slow
def test_random_grammars_are_read_as_their_rules_say_or_refused():
    outcomes = Counter()

    @given(STRUCTURES, expressions, expressions)
    def law(structure, first, second):
        grammar = rules(s=structure, a=first, b=second)
        try:
            lexed = lexed_grammar(grammar)
        except NotLalrError:
            outcomes["refused"] += 1
            return
        outcomes["proved"] += 1
        lark_parser, names = parser(lexed), lexed.components.abnf_names
        right = words(structure, "abc", 4, grammar.rules)
        plain = not repeats_what_can_be_empty(grammar)
        for word in all_words("abc", 4):
            found = tree(lark_parser, word)
            assert (found is not None) == (word in right), word
            if found is not None and plain:
                # Where a text can be cut into tokens in several ways, it is cut in one of them.
                assert shape(found, grammar, names) in shapes(grammar, word), word

    law()
    assert outcomes["proved"] >= settings.default.max_examples // 8, outcomes


def spelled(characters):
    return " / ".join(f"%x{ord(char):X}" for char in characters)


@pytest.mark.parametrize(
    "rules", some_slow(["s = *({}) ; LALR", EARLEY := "s = ({0}) [ s ] [ s ] ; Earley"], EARLEY)
)
@given(characters=st.sets(st.sampled_from(CHARACTERS), min_size=1))
@example(characters={"\\", '"'})
@example(characters={"\\"})
def test_a_set_of_characters_is_the_same_to_lark(grammar, rules, characters):
    made = compile_grammar(grammar(rules.format(spelled(sorted(characters))) + "\n"), ("s",))
    assert made.parser == rules.partition("; ")[2].lower()
    parser = lark.Lark(made.text, parser=made.parser, start=made.starts[0])
    for char in CHARACTERS:
        assert parses(parser, char) is (char in characters), char


@given(text=st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=6))
@example(text='\\"')
@example(text='"\\"\\\\""')
def test_a_text_is_the_same_to_lark(grammar, text):
    codes = ".".join(f"{ord(char):X}" for char in text)
    made = compile_grammar(grammar(f"s = %x{codes}\n"), ("s",))
    parser = lark.Lark(made.text, parser="lalr", start=made.starts[0])
    assert parses(parser, text)
    for place in range(len(text)):
        assert not parses(parser, text[:place] + text[place + 1 :])


def test_another_reading_is_no_proof():
    with pytest.raises(ProofError, match="Lark reads"):
        prove_expressions('start: A\nA: /[\\\\"]/\n', ["start"], {"A": '[\\\\"]'})
