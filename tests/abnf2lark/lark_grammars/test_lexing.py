"""Lark grammars whose lexing is proved: they accept and build what the ABNF says.

The abnf package judges the texts, a plain backtracking search gives the trees.
"""

import json
import re
from collections import Counter
from pathlib import Path

import lark
import pytest
from brute.expressions import expressions
from brute.grammars import STRUCTURES, rules
from brute.judge import judge, ours
from brute.words import all_words, words
from hypothesis import given, settings
from oracle.first_match import derivations, first_derivation

from abnf2lark.ir import (
    Ref,
    Rep,
    is_nullable,
    references,
    walk,
)
from abnf2lark.lark_grammars.component_grammar import NotLalrError, lalr_grammar
from abnf2lark.lark_grammars.lexing import UnprovableError

CASES = json.loads((Path(__file__).parent / "lexing_cases.json").read_text(encoding="ascii"))
CASES = [pytest.param(case, id=case["id"]) for case in CASES]
assert CASES


def compiled(grammar):
    return lalr_grammar(grammar, ("s",), frozenset(grammar.own), frozenset())


def parser(lexed):
    return lark.Lark(
        lexed.text({}),
        parser="lalr",
        lexer="contextual",
        start=lexed.components.starts["s"],
        maybe_placeholders=False,
    )


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


@pytest.mark.parametrize("case", CASES)
def test_a_lark_grammar_reads_the_texts_of_the_abnf_as_its_first_alternatives(case):
    abnf = "\n".join(case["abnf"]) + "\n"
    grammar, accepts = ours(abnf), judge(abnf)
    lexed = compiled(grammar)
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
    return {lexed.guard for lexed in compiled(ours("\n".join(abnf) + "\n")).lexed.values()}


def test_the_weakest_guard_that_does_is_taken():
    assert guards("no-guard") == {""}
    assert guards("next-character") == {"", "(?=:)", r"\Z"}
    assert "(?=:[Xx]++@)" in guards("next-token")
    assert any("[Ww]" in guard and "[Yy]" in guard for guard in guards("unbounded"))
    assert any(guard.count("[Vv]") == 4 for guard in guards("whole-rest"))


def refusal(abnf):
    with pytest.raises(NotLalrError) as caught:
        compiled(ours(abnf))
    return caught.value


def test_a_grammar_without_a_proof_names_the_terminals_and_rules():
    found = refusal('s = 1*entry\nentry = key "=" value\nkey = 1*"x"\nvalue = *"x"\n')
    assert isinstance(found.__context__, UnprovableError)
    assert str(found) == "no guard keeps VALUE apart (rules: value); for example before 'x'"


def test_an_unbounded_guard_inside_a_loop_is_refused():
    abnf = 's = {}(k c "y" / m c "z")\nk = "x"\nm = "x"\nc = *"w"\n'
    assert compiled(ours(abnf.format("1")))
    assert compiled(ours(abnf.format("1*").replace('*"w"', '"w" *3"v"')))
    found = refusal(abnf.format("1*"))
    assert isinstance(found.__context__, UnprovableError)
    assert re.match(r"no guard keeps K and M apart \(rules: k, m\)", str(found))


def test_conflicts_are_named_in_words_of_the_abnf():
    assert str(refusal('s = "(" s ")" / "x" s "x" / "x"\n')) == (
        "not LALR(1): s can end or go on before \"x\"; only one of these goes on with 'x)'; "
        "it is recursive, s → s"
    )
    assert str(refusal('s = one "!" / two "!"\none = "x" t\ntwo = "x" t\nt = "y"\n')) == (
        'not LALR(1): one and two can both end before "!"'
    )


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


def test_random_grammars_are_read_as_their_rules_say_or_refused():
    outcomes = Counter()

    @given(STRUCTURES, expressions, expressions)
    def law(structure, first, second):
        grammar = rules(s=structure, a=first, b=second)
        try:
            lexed = compiled(grammar)
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
