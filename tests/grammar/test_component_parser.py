"""Component trees are those that Lark itself makes by the `.lark` file."""

from importlib import import_module, resources

import lark
import pytest
from oracle.generation import distinct, spoiled, words

from uriparse.grammar import grammars, rules
from uriparse.grammar.lark_parser import component_tree


def plain(tree, names):
    """A tree as its nodes' ABNF names, and its tokens with all that they know of themselves."""
    return (
        names.get(tree.data, tree.data),
        [
            plain(child, names) if isinstance(child, lark.Tree) else (str(child), facts(child))
            for child in tree.children
        ],
    )


def facts(token):
    places = ("start_pos", "line", "column", "end_line", "end_column", "end_pos")
    return token.type, token.value, [getattr(token, place) for place in places]


@pytest.mark.parametrize("grammar", grammars())
def test_trees_are_those_of_lark(grammar):
    tables = import_module(f"uriparse._compiled.{grammar}_tables")
    text = resources.files("uriparse._compiled").joinpath(f"{grammar}.lark").read_text("utf-8")
    own = lark.Lark(
        text, parser="lalr", lexer="contextual", start=[*tables.NAMES], maybe_placeholders=False
    )
    verdicts = set()
    for rule in rules(grammar):
        for word in distinct(words(grammar, rule), 5) + distinct(spoiled(grammar, rule), 5):
            tree = component_tree(word, rule, grammar)
            try:
                expected = own.parse(word, start=tables.STARTS[rule])
            except lark.UnexpectedInput:
                expected = None
            verdicts.add(expected is None)
            if expected is None or tree is None:
                assert tree is expected, (rule, word)
            else:
                assert plain(tree, {}) == plain(expected, tables.NAMES), (rule, word)
    assert verdicts == {True, False}
