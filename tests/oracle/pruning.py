"""Full trees with all but the components left out, and how component trees differ from them."""

from collections.abc import Iterator

from bundles import BUNDLES
from lark import Token, Tree


def structured(name: str) -> tuple[set[str], set[str]]:
    """Give the rules that are nodes with structure, and those that are leaves, of a grammar."""
    table = BUNDLES[name].settings
    return {*table.nodes, *table.records}, {*table.leaves, *table.fields}


def is_token(value: object) -> bool:
    return isinstance(value, Token)


def text_of(tree: Tree[Token]) -> str:
    """Join the text of the leaves."""
    return "".join(map(str, tree.scan_values(is_token)))


def start_of(tree: Tree[Token]) -> int | None:
    """Give the offset of the first leaf, None without leaves."""
    return next((token.start_pos for token in tree.scan_values(is_token)), None)


def below(tree: Tree[Token], kept: set[str]) -> Iterator[Tree[Token]]:
    """Give the nearest descendants that are components."""
    for child in tree.children:
        if isinstance(child, Tree):
            if child.data in kept:
                yield child
            else:
                yield from below(child, kept)


def differences(component: Tree[Token], full: Tree[Token], name: str) -> Iterator[str]:
    """Yield what is not the same in a component tree and in the pruned full tree."""
    nodes, leaves = structured(name)
    if component.data != full.data:
        yield f"{component.data} for {full.data}"
        return
    trees = [child for child in component.children if isinstance(child, Tree)]
    tokens = [child for child in component.children if isinstance(child, Token)]
    expected = [] if full.data in leaves else list(below(full, nodes | leaves))
    if [tree.data for tree in trees] != [tree.data for tree in expected]:
        yield f"{full.data}: {[tree.data for tree in trees]}"
        return
    text = text_of(full)
    for token in tokens:
        if token.start_pos is None or start_of(full) is None:
            yield f"{full.data}: token {token!r} without a place"
        elif not text.startswith(token, token.start_pos - (start_of(full) or 0)):
            yield f"{full.data}: token {token!r} at {token.start_pos}"
    if full.data in leaves and "".join(tokens) != text:
        yield f"{full.data}: text {tokens} for {text!r}"
    for tree, other in zip(trees, expected, strict=True):
        yield from differences(tree, other, name)
