"""How many positions rules take, and which of them are called rather than spread out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from abnf2lark.reading.ir import Ref, Rep, Text, children, references
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar, Node

MAX_INSIDE: Final = 12_000
"""Positions of a network in which all other rules stand, so that none is called."""

SOME: Final = 500
"""Positions of a rule that stands in a network in which others are called."""

FEW: Final = 20
"""Positions of a rule that stands in the network of a larger one."""

MAX_DEPTH: Final = 30
"""Rules that stand in each other in one network: each takes a step of Python's stack, or five."""


class Sizes:
    """The sizes of the rules of a grammar in which all others can stand that they lead to."""

    def __init__(self, grammar: Grammar) -> None:
        self._sizes: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        for name in innermost_first(grammar, recursive_rules(grammar)):
            body = grammar.rules[name].body
            inside = {ref.name for ref in references(body)}
            if not all(self.stands_inside(one, MAX_INSIDE) for one in inside):
                continue
            size = self.positions(body, MAX_INSIDE) + 2
            depth = max((self._depths[one] for one in inside), default=0) + 1
            if size <= MAX_INSIDE and depth <= MAX_DEPTH:
                self._sizes[name], self._depths[name] = size, depth

    def stands_inside(self, name: str, limit: int) -> bool:
        """Tell whether a rule stands in networks whose rules have so many positions at most."""
        return name in self._sizes and self._sizes[name] <= limit

    def limit(self, body: Node) -> int:
        """Return how many positions a rule may have to stand in the network of ``body``."""
        if self.positions(body, MAX_INSIDE) <= MAX_INSIDE and all(
            self.stands_inside(ref.name, MAX_INSIDE) for ref in references(body)
        ):
            return MAX_INSIDE
        return SOME if self.positions(body, SOME) <= MAX_INSIDE else FEW

    def is_called(self, node: Rep, limit: int) -> bool:
        """Tell whether the repeated element is called: so many of it would take too much room."""
        return _is_large(self.positions(node.item, limit), node)

    def positions(self, node: Node, limit: int) -> int:
        """Count the positions of an expression."""
        match node:
            case Text(value):
                return len(value)
            case Ref(name):
                return self._sizes[name] if self.stands_inside(name, limit) else 1
            case Rep(item):
                once = self.positions(item, limit)
                return _times(node) * (2 if _is_large(once, node) else once + 1)
            case _:
                return 1 + sum(self.positions(part, limit) for part in children(node))


def _is_large(once: int, node: Rep) -> bool:
    return once > FEW and once * _times(node) > MAX_INSIDE


def _times(node: Rep) -> int:
    return node.low + 1 if node.high is None else max(node.high, 1)
