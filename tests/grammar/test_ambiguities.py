"""Where the RFCs' grammars are ambiguous or misleading, trees follow the RFCs' prose."""

import json

import pytest
from cases import each_case
from lark import Tree
from oracle.pruning import differences, text_of
from paths import VECTORS

from uriparse import URISyntaxError, is_valid, parse_tree

CASES = json.loads((VECTORS / "ambiguities.json").read_text(encoding="utf-8"))
assert CASES


def spelled(tree):
    """Format a tree in one line: name(child child), name(text)."""
    inside = (spelled(child) if isinstance(child, Tree) else child for child in tree.children)
    return f"{tree.data}({' '.join(inside)})"


@pytest.mark.slow
@each_case("case", CASES)
def test_trees(case):
    text, rule, grammar = case["text"], case["rule"], case["grammar"]
    assert is_valid(text, rule, grammar=grammar) is (case["tree"] is not None)
    if case["tree"] is None:
        for detail in ("components", "full"):
            with pytest.raises(URISyntaxError):
                parse_tree(text, rule, grammar=grammar, detail=detail)
        return
    component = parse_tree(text, rule, grammar=grammar)
    assert spelled(component) == case["tree"]
    full = parse_tree(text, rule, grammar=grammar, detail="full")
    assert text_of(full) == text
    assert not list(differences(component, full, grammar))


def test_each_ambiguity_has_a_case():
    numbers = {case["id"].partition(".")[0] for case in CASES}
    assert numbers == {f"B-{number:03}" for number in range(1, 26)}
