"""Two trees of a text, as Lark's; loaded when one asks whether a grammar is ambiguous."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lark import Token, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.lark_grammars.ambiguity import TreeNode
    from abnf2lark.lark_grammars.witnesses import Witness


class Ambiguity(NamedTuple):
    """A shortest text that a grammar reads in two ways; `Grammar.ambiguity` makes it.

    text: the text.
    rule: the innermost rule that reads its part in two ways.
    trees: the tree that `Grammar.tree` gives, and another one.
    told: both ways in a sentence, which `str` gives as well.
    """

    text: str
    rule: str
    trees: tuple[Tree[Token], Tree[Token]]
    told: str

    def __str__(self) -> str:
        return self.told


def ambiguity(witness: Witness, given: Tree[Token]) -> Ambiguity:
    """Return the ambiguity of a witness, given the tree of its text."""
    both = [_tree(one) for one in witness.trees]
    other = both[0] if both[0] != given else both[1]
    return Ambiguity(witness.text, witness.rule, (given, other), witness.told)


def _tree(node: TreeNode) -> Tree[Token]:
    children: list[Token | Tree[Token]] = []
    for one in _parts(node):
        last = children[-1] if children else None
        if isinstance(one, str) and isinstance(last, Token):
            children[-1] = Token("TEXT", last + one)
        else:
            children.append(Token("TEXT", one) if isinstance(one, str) else _tree(one))
    return Tree(node.name, children)


def _parts(node: TreeNode) -> Iterator[TreeNode | str]:
    """Yield the nodes and texts in a node; those without a name are not shown."""
    for one in node.inside:
        if one.name:
            yield one
        elif one.inside:
            yield from _parts(one)
        elif one.text:
            yield one.text
