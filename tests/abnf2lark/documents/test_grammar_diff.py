"""`abnf2lark diff A B`: what became of each rule, judged by every short text."""

import itertools
import json

import pytest
from cases import documents

import abnf2lark
from abnf2lark.automata.comparison import compare_grammars

LEFT = documents(__file__)["LEFT"]
RIGHT = documents(__file__)["RIGHT"]
EXPECTED = {
    "same": "equal", "wide": "wider", "narrow": "narrower", "over": "overlapping",
    "apart": "disjoint", "old-name": "renamed", "gone": "removed", "more": "added",
    "loop": "equal", "loops": "unknown",
}  # fmt: skip


@pytest.fixture(scope="module")
def pair():
    return abnf2lark.load(LEFT), abnf2lark.load(RIGHT)


def test_each_rule_has_its_relation(pair):
    found = compare_grammars(*(one.known for one in pair))
    assert {one.left or one.right: one.relation for one in found} == EXPECTED


def test_the_texts_are_shortest_by_trying_all_of_them(pair):
    left, right = pair
    texts = ["".join(word) for size in range(4) for word in itertools.product("abc", repeat=size)]
    for one in compare_grammars(left.known, right.known):
        if one.left is None or one.right is None or one.left.startswith("loop"):
            continue
        ours = {text for text in texts if left.matches(text, one.left)}
        theirs = {text for text in texts if right.matches(text, one.right)}
        for only, expected in ((one.only_left, ours - theirs), (one.only_right, theirs - ours)):
            assert (only is None) == (not expected)
            if only is not None:
                assert only in expected
                assert len(only) == min(map(len, expected))


def test_the_command_prints_a_line_for_each_rule(abnf2lark):
    done = abnf2lark("diff", "l.abnf", "r.abnf", l=LEFT, r=RIGHT)
    assert done.code == 1
    assert done.out.splitlines()[:6] == [
        "equal       same -> SAME", 'wider       wide                 only r.abnf matches ""',
        'narrower    narrow               only l.abnf matches ""',
        'overlapping over                 only l.abnf matches "a", only r.abnf matches "c"',
        'disjoint    apart                only l.abnf matches "a", only r.abnf matches "b"',
        "renamed     old-name -> new-name",
    ]  # fmt: skip
    assert abnf2lark("diff", "l.abnf", "l.abnf").code == 0
    read = json.loads(abnf2lark("diff", "l.abnf", "r.abnf", "--json").out)
    assert read[1] == {
        "relation": "wider", "left": "wide", "right": "wide", "only_left": None, "only_right": "",
    }  # fmt: skip
    assert abnf2lark("diff", "l.abnf:same", "r.abnf").code == 2
