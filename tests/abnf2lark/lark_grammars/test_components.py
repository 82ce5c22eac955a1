"""Component grammars: what is done with empty components, counts, and names."""

import re

import lark
import pytest
from brute.judge import judge, ours
from brute.words import all_words
from bundles import BUNDLES
from cases import each_case

from abnf2lark.ir import Rep
from abnf2lark.lark_grammars.component_grammar import lalr_grammar
from abnf2lark.lark_grammars.component_rules import (
    ALONE,
    NONEMPTY,
    ONLY_EMPTY,
    fixed_text,
    lark_name,
    spelled_out,
)
from uriparse._compiled._packed import load

SHIPPED = [name for name in BUNDLES if name != "core"]
assert len(SHIPPED) >= 4


def tables(name):
    return load(name, "lalr").json


def compiled(abnf, leaves=()):
    """Compile a grammar whose every rule is a node; give a function from texts to trees."""
    grammar = ours(abnf)
    found = lalr_grammar(grammar, ("s",), frozenset(grammar.own) - {*leaves}, frozenset(leaves))
    names = found.components.abnf_names
    parser = lark.Lark(
        found.text({}),
        parser="lalr",
        lexer="contextual",
        start=found.components.starts["s"],
        maybe_placeholders=False,
    )

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
TREES = [
    ("optional", "s = [a] b", 'a = 1*"x"', 'b = *"y"', {"": "s(b())", "x": "s(a(x) b())"}),
    ("optional-nullable", "s = [a] b", 'a = *"x"', 'b = "y"', {"y": "s(a() b(y))"}),
    ("star-of-nullable", 's = *a "y"', 'a = ["x"]', "", {"y": "s(a())", "xxy": "s(a(x) a(x))"}),
    ("plus-of-nullable", 's = 1*a "y"', 'a = ["x"]', "", {"y": "s(a())", "xy": "s(a(x))"}),
    ("two-of-nullable", 's = 2a "y"', 'a = ["x"]', "", {"y": "s(a())", "xxy": "s(a(x) a(x))"}),
    ("first-empty", 's = (a / b) "y"', 'a = *"x"', 'b = *"z"', {"y": "s(a())", "zy": "s(b(z))"}),
    ("second-empty", 's = (a / b) "y"', 'a = 1*"x"', 'b = *"z"', {"y": "s(b())", "xy": "s(a(x))"}),
    ("empty-in", "s = a / b", 'a = c "-"', 'b = c\nc = ["x"]', {"": "s(b(c()))", "-": "s(a(c()))"}),
    ("empty-pair", "s = a / b", 'a = c c\nc = [d]\nd = "x"', 'b = "z"', {"": "s(a(c() c()))"}),
    ("only-empty", "s = e a", 'a = ["x"]', 'e = ""', {"": "s(e() a())", "x": "s(e() a(x))"}),
    ("repeated-empty", 's = *e "y"', 'e = ""', "", {"y": "s(e())"}),
    ("exact-count", "s = 3a", 'a = "x" b', 'b = ["y"]', {"xxyx": "s(a(b()) a(b(y)) a(b()))"}),
    ("range", 's = 1*3(a ".")', 'a = "x"', "", {"x.": "s(a(x))", "x.x.x.": "s(a(x) a(x) a(x))"}),
    ("at-most", 's = *2(a ".") "q"', 'a = "x"', "", {"q": "s()", "x.x.q": "s(a(x) a(x))"}),
    ("at-least", 's = 2*(a ";")', 'a = "x"', "", {"x;x;x;": "s(a(x) a(x) a(x))"}),
    ("start-empty", "s = [a]", 'a = "x"', "", {"": "s()", "x": "s(a(x))"}),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "three", "trees"), [
    pytest.param(*case[1:], id=case[0]) for case in TREES
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


def test_terminals_never_match_the_empty_string():
    for name in SHIPPED:
        terminals = tables(name)("terminals")
        assert terminals
        for spelled, pattern, _priority, least, most in terminals:
            assert 1 <= least <= most, spelled
            assert re.fullmatch(pattern, "") is None, spelled


@each_case("name", BUNDLES)
def test_names_in_lark_lead_back_to_the_rules(name):
    rules = list(BUNDLES[name].grammar.rules)
    table = {}
    for rule in rules:
        for variant in ("", NONEMPTY, ONLY_EMPTY, ALONE):
            spelled = lark_name(rule) + variant
            assert spelled.isidentifier()
            assert spelled == spelled.lower()
            assert not spelled.startswith("_")  # Lark would leave the node out
            assert table.setdefault(spelled, rule) == rule
    assert len(table) == 4 * len(rules)


def test_generated_tables_hold_the_same_names():
    for name in SHIPPED:
        made = tables(name)
        names, starts = made("names"), made("starts")
        assert names
        for spelled, rule in names.items():
            base = spelled.partition("___")[0]
            assert base == lark_name(rule)
            assert BUNDLES[name].grammar.find(rule).name == rule
        assert set(starts) == set(BUNDLES[name].public)
        assert set(starts.values()) <= set(names)


def test_names_of_texts_are_terminal_names_of_lark():
    texts = ["://", "25", "a", "A:", "%", "\\", '"', " ", "{}", "`|^~", "x" * 40]
    texts += [chr(code) for code in range(0x20, 0x7F)]
    for text in texts:
        name = spelled_out(text)
        assert name == name.upper()
        assert name.isidentifier()
        assert lark.Lark(f'start: {name}\n{name}: "x"\n').parse("x")
    assert [spelled_out(text) for text in ("", "x" * 41, "é", "\n")] == ["", "", "", ""]
    # Apart from letter case, characters have different names.
    assert len({spelled_out(chr(code)) for code in range(0x20, 0x7F)}) == 95 - 26


def test_a_text_that_never_varies_is_left_out_of_trees_and_one_that_does_is_kept():
    read = compiled('s = "HTTP" %x2F a ("+" / "-")\na = "x"\n')
    assert read("hTtP/x-") == "s(a(x) -)"
    bodies = ours('a = "aB1"\nb = "a" / "b"\nc = %s"aB"\nd = 1*"a"\ne = "" "a" ""\n').rules
    assert [fixed_text(rule.body) for rule in bodies.values()] == ["ab1", None, "aB", None, "a"]
    assert isinstance(bodies["d"].body, Rep)
