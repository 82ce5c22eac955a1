"""Of several trees of a text all engines give one: that of a judge that tries what comes first."""

from itertools import islice

import pytest
from brute.judge import ours
from brute.words import rule_words
from cases import tables
from lark import Tree

import abnf2lark
from abnf2lark.ir import Alt, Chars, Ref, Rep, Seq, Text

TABLES = tables(__file__)
AMBIGUOUS, CYCLIC = TABLES["AMBIGUOUS"], TABLES["CYCLIC"]
LENGTH, TEXTS = 7, 80


class Judge:
    """Derives a text in the order of alternatives; nodes, in lower case, are as long as can be."""

    def __init__(self, rules, words, text):
        self.rules, self.words, self.text = rules, words, text

    def node(self, name, begin, end):
        """Give a node, which is known to derive its part of the text."""
        inside = next(made for stop, made in self.ways(self.rules[name].body, begin) if stop == end)
        return name, begin, end, tuple(self.node(*one) for one in inside)

    def ways(self, node, begin):
        """Yield where a part can end, the preferred end first, with the nodes in it."""
        match node:
            case Chars(ranges):
                here = self.text[begin : begin + 1]
                if here and any(low <= ord(here) <= high for low, high in ranges):
                    yield begin + 1, ()
            case Text(value):
                if self.text[begin : begin + len(value)].lower() == value.lower():
                    yield begin + len(value), ()
            case Ref(name) if name.isupper():
                yield from self.ways(self.rules[name].body, begin)
            case Ref(name):
                for end in range(len(self.text), begin - 1, -1):
                    if self.text[begin:end] in self.words[name]:
                        yield end, ((name, begin, end),)
            case Alt(items):
                for item in items:
                    yield from self.ways(item, begin)
            case Seq(()):
                yield begin, ()
            case Seq((first, *others)):
                for middle, inside in self.ways(first, begin):
                    for end, more in self.ways(Seq(tuple(others)), middle):
                        yield end, inside + more
            case Rep(item, low, high):
                if high != 0:
                    again = Rep(item, max(low - 1, 0), None if high is None else high - 1)
                    for middle, inside in self.ways(item, begin):
                        if middle > begin:
                            for end, more in self.ways(again, middle):
                                yield end, inside + more
                if low == 0:
                    yield begin, ()


def nested(tree):
    """Give the nodes of a Lark tree as the judge does, without those of nothing."""
    meta = tree.meta
    inside = (nested(one) for one in tree.children if isinstance(one, Tree))
    return (str(tree.data), *((0, 0) if meta.empty else (meta.start_pos, meta.end_pos))), [
        one for one in inside if one[0][1] < one[0][2]
    ]


def judged(node):
    return node[:3], [judged(one) for one in node[3] if one[1] < one[2]]


def check(abnf):
    rules = ours(abnf).rules
    letters = "".join(sorted({one for part in abnf.split('"')[1::2] for one in part}))
    words = rule_words(rules, letters, LENGTH)
    grammar = abnf2lark.load(abnf)
    start = grammar.rules[0]
    parser = grammar.lark(remember=False, propagate_positions=True)
    texts = sorted((one for one in words[start] if one), key=lambda one: (len(one), one))
    for text in islice(texts, TEXTS):
        meant = judged(Judge(rules, words, text).node(start, 0, len(text)))
        assert nested(grammar.tree(text)) == meant, text
        assert nested(parser.parse(text)) == meant, text
    return grammar, parser


def row(number):
    """Few of the grammars are tried each time."""
    marks = [pytest.mark.slow][: number % 8], [pytest.mark.long][: number % 4]
    return pytest.param(AMBIGUOUS[number], marks=[*marks[0], *marks[1]])


def test_a_rule_that_derives_itself_alone_has_trees_without_end():
    for abnf in CYCLIC:
        parser = abnf2lark.load(abnf).lark(remember=False)
        assert "Its tree is" not in parser.grammar_text
        assert "Its tree may not be" in parser.grammar_text


@pytest.mark.parametrize("abnf", [row(number) for number in range(len(AMBIGUOUS))])
@pytest.mark.parametrize("engine", ["kernel", "python"])
def test_all_engines_give_the_first_tree(monkeypatch, abnf, engine):
    if engine == "python":
        monkeypatch.setattr("abnf2lark.charts.chart.native", None)
    grammar, parser = check(abnf)
    witness = grammar.ambiguity
    assert witness is not None
    first, second = witness.trees
    assert first == grammar.tree(witness.text) != second
    assert parser.ambiguity == witness.told
    assert f"// Ambiguous: {witness.told}.\n" in parser.grammar_text
