"""Nodes of trees: those of the C engine, and those in Python, are trees of Lark's, and cheap."""

import copy
import gc
import pickle
import sys
import tracemalloc

import lark
import pytest
from cases import each_case
from lark import Token, Tree
from lark.visitors import Transformer, Transformer_InPlace, Visitor

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


class InPython(Tree):
    """The tree that there is without the C engine."""

    derived = start = end = None
    __getattr__ = parse_trees.DerivedTree.__getattr__


def plain(tree):
    """Give all that can be asked of a tree, token by token."""
    inside = [
        plain(one) if isinstance(one, Tree)
        else (one, *(getattr(one, name) for name in Token.__slots__), type(one))
        for one in tree.children
    ]  # fmt: skip
    return tree.data, tree.start, tree.end, {**tree.meta.__dict__}, inside


@native
@pytest.mark.parametrize("omitted", [frozenset(), frozenset({"comment"})])
def test_nodes_in_c_and_in_python_are_the_same(omitted):
    found = read(LINES._tree_states, "text", TEXT, kept=LINES._tree_states.names).derivation
    tree = parse_trees.grown(found, omitted=omitted)
    assert plain(tree) == plain(parse_trees._grown(found, InPython, omitted))
    places = {(one.line, one.column) for one in tree.scan_values(lambda _: True)}
    lines = TEXT.split("\n")
    assert all(column <= len(lines[line - 1]) + 1 for line, column in places)


CHARACTERS = {
    "repeated": ('a = *b\nb = ALPHA / "\\" ( c / %x75 4HEXDIG )\nc = "n" / "t"\n', {"a"}),
    "there once": ('a = b\nb = "Z" / c\nc = ( "+" / "-" ) 2DIGIT ":" 2DIGIT\n', {"a", "b", "c"}),
    "of any length": ('a = *b\nb = ALPHA / c\nc = "\\" 1*DIGIT\n', {"a", "b", "c"}),
    "a letter first": ('a = *b\nb = "-" / c\nc = "u" 1*2DIGIT\n', {"a", "b", "c"}),
}


@each_case("name", CHARACTERS)
def test_a_character_and_its_escapes_are_no_nodes_where_they_are_repeated(name):
    abnf, nodes = CHARACTERS[name]
    assert abnf2lark.load(abnf)._nodes == nodes


class Length(Transformer):
    def __default__(self, data, children, meta):
        return sum(one if isinstance(one, int) else len(one) for one in children)


class Upper(Transformer_InPlace):
    def word(self, children):
        return Token("WORD", children[0].upper())


class Names(Visitor):
    def __init__(self):
        self.found = []

    def word(self, tree):
        self.found.append(str(tree.children[0]))


def test_lark_reads_and_changes_them_as_its_own():
    tree = LINES.tree(TEXT)
    assert Length().transform(tree) == len(TEXT)
    names = Names()
    names.visit(tree)
    assert sorted(names.found) == ["ab", "c", "dé", "e", "f", "g", "h"]
    line = Tree("line", [Tree("word", [Token("TEXT", "h")])])
    assert tree.children[-2] == line
    assert line == tree.children[-2] != tree
    assert hash(line) == hash(tree.children[-2])
    for again in (copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert again == tree
    assert tree.children[0].expand_kids_by_data("word")
    assert tree.children[0].children[0] == "ab"
    shouted = Upper().transform(tree)
    assert shouted.children[-2].children == [Token("WORD", "H")]
    tree.data, tree.children = "other", [tree.children[-2]]
    assert (tree.data, tree.start, tree.end, len(tree.children)) == ("other", 0, len(TEXT), 1)
    tree.children.append("more")
    assert tree.children[1] == "more"
    made = type(tree)("line", [])
    assert (made.data, made.children, made.meta.empty) == ("line", [], True)


@native
def test_nothing_false_is_read():
    found = read(LINES._tree_states, "text", TEXT, kept=LINES._tree_states.names).derivation
    numbers = found.nodes.tolist()
    node, rest = parse_trees.DerivedTree, (Token, "TEXT", frozenset())

    def derived(numbers, kind=node, rest=rest, names=found.names):
        nodes = memoryview(b"".join(one.to_bytes(4, sys.byteorder) for one in numbers)).cast("I")
        return kernel.Derived(TEXT, names, nodes, kind, *rest)

    assert derived(numbers).tree() == LINES.tree(TEXT, detail="full")
    for place, wrong in [(2, 99), (3, 0), (3, len(numbers)), (7, 1), (5, 99)]:
        with pytest.raises(TypeError, match="neither nodes"):
            derived([*numbers[:place], wrong, *numbers[place + 1 :]])
    for kind, others in [(Tree, rest), (node, (int, *rest[1:])), (node, (str, *rest[1:]))]:
        with pytest.raises((TypeError, AttributeError)):
            _ = [*derived(numbers, kind, others).tree().iter_subtrees()]
    with pytest.raises(TypeError):
        derived([])
    with pytest.raises(IndexError):
        _ = derived(numbers, names=[]).tree().data
    with pytest.raises((SystemError, TypeError)):
        _ = derived(numbers, rest=(Token, "TEXT", 1)).tree().children
    with pytest.raises(AttributeError, match="no attribute"):
        _ = node.__new__(node).children
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del LINES.tree(TEXT).children
    with pytest.raises(TypeError, match="constructor of its own"):
        kernel.made(int, {})
    with pytest.raises(AttributeError):
        kernel.made(object, {"x": 1})


def test_trees_are_freed():
    records = LINES.records()

    def turns():
        for _ in range(200):
            tree = LINES.tree(TEXT)
            for one in tree.iter_subtrees():
                one.top = tree  # a cycle
                one.children = [*one.children]
            with pytest.raises(lark.exceptions.VisitError):
                Upper().transform(Tree("word", []))
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
    try:
        tree = grammar.tree(text, rule)
        assert sum(1 for _ in tree.iter_subtrees()) > len(text) / 2
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= 150 * len(text)
