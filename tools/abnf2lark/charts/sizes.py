"""How many positions rules take, and which of them are called rather than spread out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from abnf2lark.reading.ir import Ref, Rep, Text, children, references
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar, Node

MAX_INSIDE: Final = 10_000
"""Positions of a network in which other rules stand."""

FEW: Final = 20
"""Positions of a rule that stands in the network of a larger one."""

MAX_DEPTH: Final = 30
"""Rules that stand in each other in one network: each takes a step of Python's stack, or five."""


class Sizes:
    """The sizes of the rules of a grammar, each with all that stands in it."""

    def __init__(self, grammar: Grammar) -> None:
        self._recursive = recursive_rules(grammar)
        self._sizes: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        for name in innermost_first(grammar, self._recursive):
            body = grammar.rules[name].body
            self._sizes[name] = min(self.positions(body, MAX_INSIDE), MAX_INSIDE) + 2
            inside = {ref.name for ref in references(body)}
            depths = (self._depths[one] for one in inside if self.stands_inside(one, MAX_INSIDE))
            self._depths[name] = max(depths, default=0) + 1

    def stands_inside(self, name: str, limit: int) -> bool:
        """Tell whether a rule stands in networks whose rules have so many positions at most."""
        if name in self._recursive or name not in self._sizes:
            return False
        return self._sizes[name] <= limit and self._depths[name] <= MAX_DEPTH

    def limit(self, body: Node) -> int:
        """Return how many positions a rule may have to stand in the network of ``body``."""
        return MAX_INSIDE if self.positions(body, MAX_INSIDE) <= MAX_INSIDE else FEW

    def is_called(self, node: Rep, limit: int) -> bool:
        """Tell whether the repeated element is called: so many of it would take too much room."""
        once = self.positions(node.item, limit)
        return once > FEW and once * _times(node) > MAX_INSIDE

    def positions(self, node: Node, limit: int) -> int:
        """Count the positions of an expression."""
        match node:
            case Text(value):
                return len(value)
            case Ref(name):
                return self._sizes[name] if self.stands_inside(name, limit) else 1
            case Rep(item):
                once = self.positions(item, limit)
                return _times(node) * (2 if self.is_called(node, limit) else once + 1)
            case _:
                return 1 + sum(self.positions(part, limit) for part in children(node))


def _times(node: Rep) -> int:
    return node.low + 1 if node.high is None else max(node.high, 1)
