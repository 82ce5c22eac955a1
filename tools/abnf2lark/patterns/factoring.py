"""Put together what alternatives begin with, so that the next character tells between them."""

from __future__ import annotations

from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Chars,
    Node,
    Seq,
    Text,
    alt,
    children,
    optional,
    rebuild,
    seq,
)


def factored(node: Node) -> Node:
    """Return an expression for the same words in which alternatives part where their words do.

    What is empty comes last, as the rest of what is optional.
    """
    if isinstance(node, Alt):
        return _parted(node.items)
    parts = children(node)
    return rebuild(node, [factored(part) for part in parts]) if parts else node


def _parted(ways: tuple[Node, ...]) -> Node:
    rests: dict[Node, list[Node]] = {}
    empty = False
    for way in ways:
        for one in way.items if isinstance(way, Alt) else (way,):
            if one == EMPTY:
                empty = True
            else:
                first, rest = _cut(one)
                rests.setdefault(first, []).append(rest)
    found = [
        seq([factored(first), _parted(tuple(after)) if len(after) > 1 else factored(after[0])])
        for first, after in rests.items()
    ]
    if not found:
        return EMPTY
    return optional(alt(found)) if empty else alt(found)


def _cut(node: Node) -> tuple[Node, Node]:
    """Return what an expression begins with, and the rest."""
    match node:
        case Seq((first, *rest)):
            begin, more = _cut(first)
            return begin, seq([more, *rest])
        case Text(value):
            last = len(value) == 2
            return Chars.single(value[0]), Chars.single(value[1]) if last else Text(value[1:])
        case _:
            return node, EMPTY
