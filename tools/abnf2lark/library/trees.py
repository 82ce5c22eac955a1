"""Trees of rules, as Lark's: every character stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from lark import Token, Tree

    from abnf2lark.charts import Event


def grown(events: Iterable[Event], kept: Container[str]) -> Tree[Token]:
    """Make a tree of a derivation; rules that are not ``kept`` are no nodes.

    Text that stands together in one node is one token, whose type is ``TEXT``.
    """
    from lark import Token, Tree  # noqa: PLC0415 - slow to load

    top: Tree[Token] | None = None
    above: list[Tree[Token]] = []
    for kind, value, offset in events:
        if kind == "text":
            children = above[-1].children
            last = children[-1] if children else None
            if isinstance(last, Token):
                start = last.start_pos or 0
                children[-1] = _token(Token, f"{last}{value}", start)
            else:
                children.append(_token(Token, value, offset))
        elif not above or value in kept:
            if kind == "leave":
                above.pop()
                continue
            node: Tree[Token] = Tree(value, [])
            if above:
                above[-1].children.append(node)
            top = top or node
            above.append(node)
    if top is None:
        raise AssertionError("the first event enters the rule itself")
    return top


def _token(make: type[Token], text: str, start: int) -> Token:
    return make("TEXT", text, start_pos=start, end_pos=start + len(text))
