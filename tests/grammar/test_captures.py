"""The captures of a rule's expression are the leaves of its component tree."""

import pytest
from cases import each_case
from oracle.generation import distinct, words

from uriparse import parse_tree
from uriparse.grammar import dispatch, matcher, rules

LEAVES = {("port", "rfc1738"), ("rel-path", "rfc2396")}  # these are one whole, whatever is inside
CAPTURING = [  # of the grammars without records: `parse` has a law of its own
    (rule, grammar)
    for grammar in ("rfc1738", "rfc2396")
    for rule in rules(grammar)
    if all(matcher(name, grammar).groups for name in dispatch(rule, grammar))
    if (rule, grammar) not in LEAVES
]
assert ("waisurl", "rfc1738") in CAPTURING
assert ("authority", "rfc2396") in CAPTURING


def leaves(tree, groups):
    """Return the span of each leaf by its group, of several the last; None if it is empty."""
    nodes = [node for node in tree.iter_subtrees_topdown() if node.data.replace("-", "_") in groups]
    return {
        node.data.replace("-", "_"): (
            (node.children[0].start_pos, node.children[0].end_pos) if node.children else None
        )
        for node in nodes
    }


@pytest.mark.slow
@each_case(("rule", "grammar"), CAPTURING)
def test_captures_are_leaves(rule, grammar):
    choices = dispatch(rule, grammar)
    for text in distinct(words(grammar, rule), 60):
        matches = (matcher(name, grammar).fullmatch(text) for name in choices)
        match = next(match for match in matches if match is not None)
        spans = {group: match.span(group) for group in match.re.groupindex}
        assert leaves(parse_tree(text, rule, grammar=grammar), spans) == {
            group: (start, end) if start < end else None
            for group, (start, end) in spans.items()
            if start >= 0
        }
