"""Nodes of trees: those of the C engine, and those in Python, are trees of Lark's, and cheap."""

import copy
import gc
import pickle
import sys
import tracemalloc

import pytest
from lark import Token, Tree
from lark.visitors import Transformer, Transformer_InPlace

import abnf2lark
from abnf2lark._native import kernel
from abnf2lark.charts import read
from abnf2lark.library import parse_trees
from tools.collection.rivals import TEXTS

LINES = abnf2lark.load(
    'text = *( line LF )\nline = *( word / comment )\nword = 1*( ALPHA / %x80-FFFF )\n'
    'comment = "(" *( word / comment / SP ) ")"\n'
)  # fmt: skip
TEXT = "ab(c (dé) e)\n\n(f)g\nh\n"
native = pytest.mark.skipif(kernel is None, reason="there is no C engine")


@pytest.mark.parametrize("omitted", [[], ["comment"]])
def test_tokens_have_their_places_and_are_the_text(omitted):
    tree = LINES.tree(TEXT, omit=omitted)
    found = [*tree.scan_values(lambda _: True)]
    for one in found:
        before = TEXT[: one.start_pos]
        assert (one.line, one.column) == (before.count("\n") + 1, len(before.split("\n")[-1]) + 1)
        assert (one, one.value, one.type) == (TEXT[one.start_pos : one.end_pos], str(one), "TEXT")
    assert "".join(found) == ("ab\n\ng\nh\n" if omitted else TEXT)


@pytest.mark.parametrize(("abnf", "nodes"), [
    ('a = *b\nb = ALPHA / "\\" ( c / %x75 4HEXDIG )\nc = "n" / "t"\n', {"a"}),
    ('a = b\nb = "Z" / c\nc = ( "+" / "-" ) 2DIGIT ":" 2DIGIT\n', {"a", "b", "c"}),
    ('a = *b\nb = ALPHA / c\nc = "\\" 1*DIGIT\n', {"a", "b", "c"}),
])  # fmt: skip
def test_a_repeated_character_and_its_escapes_are_no_nodes(abnf, nodes):
    assert abnf2lark.load(abnf)._nodes == nodes


class Length(Transformer):
    def __default__(self, data, children, meta):
        return sum(one if isinstance(one, int) else len(one) for one in children)


class Upper(Transformer_InPlace):
    def word(self, children):
        return Token("WORD", children[0].upper())


def test_lark_reads_and_changes_them_as_its_own():
    tree = LINES.tree(TEXT)
    assert Length().transform(tree) == len(TEXT)
    line = Tree("line", [Tree("word", [Token("TEXT", "h")])])
    assert line == tree.children[-2] == line != tree
    assert hash(line) == hash(tree.children[-2])
    for again in (copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert again == tree
    assert Upper().transform(tree).children[-2].children == [Token("WORD", "H")]
    tree.data, tree.children = "other", [tree.children[-2]]
    tree.children.append("more")
    assert (tree.data, tree.end, tree.children[1]) == ("other", len(TEXT), "more")
    made = type(tree)("line", [])
    assert (made.data, made.children, made.meta.empty) == ("line", [], True)


@native
def test_nothing_false_is_read():
    states = LINES._tree_states
    found = read(states, "text", TEXT, kept=states.names).derivation
    numbers = found.nodes.tolist()
    node, rest = parse_trees.DerivedTree, (Token, "TEXT", frozenset())

    def walked(numbers, kind=node, rest=rest, names=found.names):
        nodes = memoryview(b"".join(one.to_bytes(4, sys.byteorder) for one in numbers)).cast("I")
        return [*kernel.Derived(TEXT, names, nodes, kind, *rest).tree().iter_subtrees()]

    assert walked(numbers)[-1] == LINES.tree(TEXT, detail="full")
    for place, wrong in [(2, 99), (3, 0), (3, len(numbers)), (7, 1), (5, 99)]:
        with pytest.raises(TypeError, match="neither nodes"):
            walked([*numbers[:place], wrong, *numbers[place + 1 :]])
    wrong = [(numbers, Tree), (numbers, node, (int, *rest[1:])), (numbers, node, (str, *rest[1:]))]
    wrong += [([],), (numbers, node, (*rest[:2], 1))]
    for one in wrong:
        with pytest.raises((TypeError, AttributeError, SystemError)):
            walked(*one)
    with pytest.raises(IndexError):
        _ = walked(numbers, names=[])[0].data
    for call in (lambda: node.__new__(node).children, lambda: delattr(LINES.tree(TEXT), "data")):
        with pytest.raises(AttributeError):
            call()
    with pytest.raises(TypeError, match="constructor of its own"):
        kernel.made(int, {})


def test_trees_and_records_are_freed():
    records = LINES.records()

    def turns():
        for _ in range(200):
            tree = LINES.tree(TEXT)
            for one in tree.iter_subtrees():
                one.top = tree  # a cycle
                one.children = [*one.children]
            records.parse(TEXT)
        gc.collect()
        return sys.getallocatedblocks()

    turns()
    assert turns() <= turns() + 50


@native
@pytest.mark.parametrize("name", TEXTS)
def test_a_tree_takes_little_memory_with_every_node_looked_at(name):
    rule, text = TEXTS[name]
    grammar = abnf2lark.load(name)
    grammar.tree(text, rule)
    tracemalloc.start()
    tree = grammar.tree(text, rule)
    nodes = sum(1 for _ in tree.iter_subtrees())
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert nodes > len(text) / 2
    assert taken <= 150 * len(text)
