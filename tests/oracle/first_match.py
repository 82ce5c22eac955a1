"""First match wins, as plainly as can be: all derivations in order, by backtracking.

Of alternatives the earlier is tried first, of repetitions and options one more before none more.
The time is exponential at worst, the depth proportional to the text: for short texts alone.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from lark import Tree

from abnf2lark.ir import Alt, Chars, Node, Ref, Rep, Rule, Seq, Text

Children: TypeAlias = list["Tree[str] | str"]


def first_derivation(rules: dict[str, Rule], rule: str, text: str) -> "Tree[str] | None":
    """Give the tree of the first derivation of the whole text, one node a rule."""
    with deep():
        for end, children in derivations(Ref(rule), text, 0, rules):
            if end == len(text):
                (tree,) = children
                assert not isinstance(tree, str)
                return tree
    return None


def derivations(
    node: Node, text: str, start: int, rules: dict[str, Rule]
) -> Iterator[tuple[int, Children]]:
    """Yield where a derivation of an expression ends, and what it is made of, in order."""
    match node:
        case Chars():
            if start < len(text) and ord(text[start]) in node:
                yield start + 1, [text[start]]
        case Text(value):
            if text[start:].startswith(value):
                yield start + len(value), [value]
        case Ref(name):
            for end, children in derivations(rules[name].body, text, start, rules):
                yield end, [Tree(name, joined(children))]
        case Seq(()):
            yield start, []
        case Seq((item, *others)):
            for middle, before in derivations(item, text, start, rules):
                for end, after in derivations(Seq(tuple(others)), text, middle, rules):
                    yield end, before + after
        case Alt(items):
            for item in items:
                yield from derivations(item, text, start, rules)
        case Rep(item, low, high):
            if high != 0:
                rest = Rep(item, max(low - 1, 0), None if high is None else high - 1)
                for middle, before in derivations(item, text, start, rules):
                    if middle > start or high is not None:
                        for end, after in derivations(rest, text, middle, rules):
                            yield end, before + after
            if low == 0:
                yield start, []


def joined(children: Children) -> Children:
    """Make one piece of what stands together."""
    found: Children = []
    for child in children:
        if found and isinstance(child, str) and isinstance(found[-1], str):
            found[-1] += child
        else:
            found.append(child)
    return found


@contextmanager
def deep() -> Iterator[None]:
    """Allow for the depth of generators within generators."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 8_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
