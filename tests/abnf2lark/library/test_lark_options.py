"""Every option of Lark's that `Grammar.lark` can be given: what it does, or why it is refused."""

import lark
import pytest
from lark.exceptions import ConfigurationError
from lark.lark import LarkOptions

import abnf2lark

ITEMS = abnf2lark.load(
    'list = "[" item *( "," SP item ) "]"\n'
    'item = name [ "=" value ]\nname = 1*ALPHA\nvalue = *DIGIT'
)
AMBIGUOUS = abnf2lark.load('s = [ s ] "a" [ s ]')
TEXT = "[a=1, b]"

REFUSED = {
    **dict.fromkeys(["parser", "lexer", "start", "regex"], "what the grammar needs is used"),
    "priority": "priorities of terminals are part of the proof",
    "edit_terminals": "terminals are proved as they are",
    "g_regex_flags": "flags change what terminals match",
    "use_bytes": "texts are strings; for a grammar of octets, decode them as latin-1",
}
WITHOUT_EFFECT = {
    "debug": True, "maybe_placeholders": False, "ordered_sets": False,
    "import_paths": ["elsewhere"], "source_path": "elsewhere.lark", "_plugins": {},
}  # fmt: skip
"""Options that leave trees as they are: grammars are whole, and have no parts in brackets."""


class OwnTree(lark.Tree):
    pass


class Names(lark.Transformer):
    def name(self, children):
        return children[0].upper()


def test_no_option_is_forgotten():
    tested = {"keep_all_tokens", "tree_class", "cache", "cache_grammar", "postlex", "transformer"}
    tested |= {"ambiguity", "strict", "propagate_positions", "lexer_callbacks"}
    assert {*LarkOptions._defaults} - {"cache_grammar"} == (
        tested | REFUSED.keys() | WITHOUT_EFFECT.keys()
    ) - {"cache_grammar"}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_grammar_decides(name):
    for grammar in (ITEMS, AMBIGUOUS):
        with pytest.raises(TypeError) as caught:
            grammar.lark(**{name: None})
        assert str(caught.value) == f"{name} is not given: {REFUSED[name]}"


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_what_leaves_trees_as_they_are(name):
    for grammar, text in ((ITEMS, TEXT), (AMBIGUOUS, "aaa")):
        found = grammar.lark(**{name: WITHOUT_EFFECT[name]}).parse(text)
        assert found == grammar.lark().parse(text)


@pytest.mark.parametrize(("grammar", "text"), [(ITEMS, TEXT), (AMBIGUOUS, "aaa")])
def test_classes_and_places_of_trees(grammar, text):
    tree = grammar.lark(tree_class=OwnTree, propagate_positions=True).parse(text)
    nodes = [*tree.iter_subtrees()]
    assert all(type(node) is OwnTree for node in nodes)
    assert {node.meta.line for node in nodes if not node.meta.empty} == {1}
    assert tree.meta.end_pos - tree.meta.start_pos >= len(text) - 2  # without dropped brackets


def test_a_transformer_is_for_lalr():
    assert ITEMS.lark(transformer=Names()).parse(TEXT).children[0].children[0] == "A"
    with pytest.raises(ConfigurationError, match="transformer"):
        AMBIGUOUS.lark(transformer=Names())


def test_strict_refuses_what_is_ambiguous():
    assert ITEMS.lark(strict=True).ambiguity == ""
    with pytest.raises(abnf2lark.InputError, match="s reads 'aa' as 'a'"):
        AMBIGUOUS.lark(strict=True)


def test_ambiguity_is_for_earley():
    explicit = AMBIGUOUS.lark(ambiguity="explicit").parse("aaa")
    assert any(node.data == "_ambig" for node in explicit.iter_subtrees())
    resolved = AMBIGUOUS.lark(ambiguity="resolve").parse("aaa")
    assert resolved == AMBIGUOUS.lark().parse("aaa")
    assert AMBIGUOUS.lark(ambiguity="forest").parse("aaa").is_ambiguous
    with pytest.raises(ConfigurationError, match="disambiguation"):
        ITEMS.lark(ambiguity="explicit")
