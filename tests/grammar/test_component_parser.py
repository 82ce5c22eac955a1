"""Component trees equal those that Lark makes from the `.lark` file."""

from importlib import resources

import lark
import pytest
from marks import by_grammar
from oracle.generation import distinct, spoiled, words

from uriparse import is_valid
from uriparse.grammar import grammars, rules
from uriparse.trees import lark_parser
from uriparse.trees.lark_parser import component_tree, start_symbol

# Lark's lexer tries the terminals of both where such rules share states of the parser.
MIXED = {"agreed": {"destination-URI", "ordinary-URI", "request-URI"}}


def plain(tree, names):
    """Return a tree as the ABNF names of its nodes and all attributes of its tokens."""
    return (
        names.get(tree.data, tree.data),
        [
            plain(child, names) if isinstance(child, lark.Tree) else (str(child), facts(child))
            for child in tree.children
        ],
    )


def facts(token):
    """Return all attributes of a token; line numbers only if the text has one line."""
    places = ("start_pos", "end_pos")
    if "\n" not in token:
        places += ("line", "column", "end_line", "end_column")
    return token.type, token.value, [getattr(token, place) for place in places]


def made_by_lark(text, start):
    return lark.Lark(text, parser="lalr", lexer="contextual", start=start, maybe_placeholders=False)


@pytest.mark.slow
@pytest.mark.parametrize("grammar", by_grammar(grammars()))
def test_trees_are_those_of_lark(grammar):
    names = lark_parser.abnf_names(grammar)
    text = resources.files("uriparse._compiled").joinpath(f"{grammar}.lark").read_text("utf-8")
    shared = made_by_lark(text, [*names])
    verdicts = set()
    for rule in rules(grammar):
        own = shared if rule not in MIXED.get(grammar, ()) else None
        own = own or made_by_lark(text, start_symbol(grammar, rule))
        for word in distinct(words(grammar, rule), 5) + distinct(spoiled(grammar, rule), 5):
            tree = component_tree(word, rule, grammar)
            try:
                expected = own.parse(word, start=start_symbol(grammar, rule))
            except lark.UnexpectedInput:
                expected = None
            verdicts.add(expected is None)
            assert (tree is not None) is is_valid(word, rule, grammar=grammar), (rule, word)
            if expected is None or tree is None:
                assert tree is expected, (rule, word)
            else:
                assert plain(tree, {}) == plain(expected, names), (rule, word)
    assert verdicts == {True, False}


@pytest.mark.parametrize("rule", ["destination-URI", "request-URI"])
def test_another_release_of_lark_makes_the_same_trees(rule, monkeypatch):
    text = "http://h.com:80/a?b#c"
    ours = component_tree(text, rule, "agreed")
    lark_parser.parser.cache_clear()
    monkeypatch.setattr(lark, "__version__", "0")
    assert component_tree(text, rule, "agreed") == ours
    lark_parser.parser.cache_clear()
