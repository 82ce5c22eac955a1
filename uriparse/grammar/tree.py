"""Trees of a rule, as Lark's: of its components in linear time, or of every rule below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import URIError
from uriparse.grammar.derivation import derive
from uriparse.grammar.lark_parser import component_tree, leaf, node

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["FULL_LIMIT", "TextTooLongError", "component_tree", "full_tree"]

FULL_LIMIT = 10_000
"""The longest text, in characters, of which a full tree is made."""


class TextTooLongError(URIError):
    """A text of more than `FULL_LIMIT` characters, of which a full tree was asked for.

    Attributes:
        length: of the text, in characters.
        reason: the message without its remedy.

    """

    def __init__(self, length: int) -> None:
        limit = f"{FULL_LIMIT:,} characters"
        self.reason = f"a full tree is made of at most {limit}, this text has {length:,}"
        super().__init__(f'{self.reason}; detail="components" has no limit')
        self.length = length


def full_tree(text: str, rule: str, grammar: str) -> Tree[Token] | None:
    """Return the tree of every rule, down to characters; None for a text that the rule lacks.

    TextTooLongError for more than `FULL_LIMIT` characters.
    """
    if len(text) > FULL_LIMIT:
        raise TextTooLongError(len(text))
    events = derive(text, rule, grammar)
    if events is None:
        return None
    root: list[Tree[Token] | Token] = []
    open_children = [root]
    for kind, value, offset in events:
        if kind == "enter":
            tree = node(value)
            open_children[-1].append(tree)
            open_children.append(tree.children)
        elif kind == "exit":
            open_children.pop()
        else:
            open_children[-1].append(leaf(value, offset))
    top = root[0]
    assert not isinstance(top, str)  # noqa: S101 - the first event enters the rule itself
    return top
