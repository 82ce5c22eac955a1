"""Rules that Lark would write out as too many sequences."""

import lark
import pytest
from brute.judge import judge
from marks import some_slow

import abnf2lark
from abnf2lark.ir import EMPTY, Ref, Rep, alt, seq
from abnf2lark.lark_grammars import unfolding
from abnf2lark.lark_grammars.earley import earley_grammar
from abnf2lark.lark_grammars.unfolding import MAX_WAYS, ways

A = Ref("A")

OPTIONAL = "s = " + " ".join(f"[ {x} ]" for x in "abcdefghijkl") + "\n"
OPTIONAL += "".join(f'{x} = "{x}" 1*DIGIT\n' for x in "abcdefghijkl")
NESTED = 's = 1*4HEXDIG *7( ":" *4HEXDIG )\n'
LISTS = 's = 1*40a "-" 1*40b *6( ( a "." / b ) [ b ] )\na = "a" *"!"\nb = "b" *"?"\n'

CASES = {
    "optional parts": (OPTIONAL, ["a1", "a1b2l3", "", "b2a1", "a1a1", "k0l99", "a"]),
    "repetitions in repetitions": (NESTED, ["a", "a:b", "a" + ":f" * 7, "a" + ":" * 8, "aaaaa"]),
    "of rules": (LISTS, ["a-b", "aaa!-b?", "aa-bba.ba.", "a", "a-" + "b" * 41, "a-baa"]),
}


@pytest.mark.parametrize("name", some_slow(CASES, "of rules"))
@pytest.mark.parametrize("leaves", [(), ("s",)])
def test_what_is_split_is_read_as_before(name, leaves):
    text, words = CASES[name]
    parser = abnf2lark.load(text).lark("s", leaves=leaves)
    assert len(parser.rules) < 20 * MAX_WAYS
    accepts = judge(text)
    verdicts = set()
    for word in words:
        try:
            tree = parser.parse(word)
        except lark.UnexpectedInput:
            tree = None
        assert (tree is not None) == accepts("s", word), word
        verdicts.add(tree is not None)
        if tree is not None:
            assert not [node for node in tree.iter_subtrees() if "part" in node.data]
    assert verdicts == {True, False}


@pytest.mark.parametrize("nodes", ["s", "sa"])
def test_counts_in_counts_are_not_written_out(monkeypatch, nodes):
    monkeypatch.setattr(unfolding, "MAX_LENGTH", 10)
    rules = abnf2lark.load('s = 2(2(2(2(2(a)))))\na = "a" / "b"\n').known
    text = earley_grammar(rules, ["s"], frozenset(nodes), frozenset()).text({})
    parser = lark.Lark(text, start="s")
    assert max(len(rule.expansion) for rule in parser.rules) <= 10
    parser.parse("a" * 32)
    for number in (31, 33):
        with pytest.raises(lark.UnexpectedInput):
            parser.parse("a" * number)


@pytest.mark.parametrize("item", ["b c", "[ b ] [ c ]"])
def test_long_sequences_are_cut(monkeypatch, item):
    monkeypatch.setattr(unfolding, "MAX_IN_A_ROW", 4)
    rules = abnf2lark.load(f's = {" ".join([item] * 7)} "."\nb = "b"\nc = "c"\n').known
    made = earley_grammar(rules, ["s"], frozenset("sbc"), frozenset())
    parser = lark.Lark(made.text({}), start="s")
    assert max(len(rule.expansion) for rule in parser.rules) <= 5  # and what the rest is
    parser.parse("bc" * 7 + ".")
    with pytest.raises(lark.UnexpectedInput):
        parser.parse("bc" * 8 + ".")


def test_sequences_of_any_length_are_cut(monkeypatch):
    counted = 0
    original = unfolding.ways

    def counting(node):
        nonlocal counted
        counted += 1
        return original(node)

    monkeypatch.setattr(unfolding, "ways", counting)
    rules = {"s": seq([Rep(A, 0, 1)] * 5_000)}
    unfolding.unfolded(rules, {"s": "s"})
    assert counted < 10 * 5_000
    assert len(rules) > 800  # each but the first a part


def test_ways_are_those_that_lark_writes_out():
    twice = alt([A, Ref("B")])
    bodies = [
        seq([Rep(A, 0, 1), Rep(A, 0, 1), twice]),
        Rep(twice, 1, 3),
        seq([Rep(A, 2, 4), Rep(twice, 2, 2)]),
        Rep(A, 1, None),
        Rep(A, 0, None),
        Rep(seq([Rep(A, 0, 1), A]), 0, 2),
        seq([twice, EMPTY]),
    ]
    from abnf2lark.lark_grammars.component_rules import rule_line

    for body in bodies:
        text = rule_line("s", body) + "\nA: /a/\nB: /b/\nC: /c/\n"
        rules = [rule for rule in lark.Lark(text, start="s").rules if rule.origin.name == "s"]
        assert len(rules) <= ways(body) <= 2 * len(rules), text
