"""Which rules can be written out where they stand, so that an expression is one token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.components import NONEMPTY
from abnf2lark.lark_grammars.names import fixed_text
from abnf2lark.patterns.passes import nonempty
from abnf2lark.reading.ir import EMPTY, Alt, Chars, Ref, Rep, Text, children, rebuild
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar, Node

MAX_PLACES = 3_000  # characters of an expression, repetitions written out
MAX_DEPTH = 60  # rules that stand in each other


def is_fixed(node: Node) -> bool:
    """Tell whether a token is a character, or a text that never varies: it has one length."""
    return isinstance(node, Chars | Text) or fixed_text(node) is not None


class Texts:
    """The rules that can be written out in a token: those that are regular, and small."""

    def __init__(self, grammar: Grammar, sets: Iterable[str]) -> None:
        self.grammar = grammar
        self._sizes: dict[str, tuple[int, int]] = dict.fromkeys(sets, (1, 1))
        self._bodies: dict[str, Node] = {}
        for name in innermost_first(grammar, recursive_rules(grammar)):
            if name in self._sizes:  # innermost first, as they may refer to each other at length
                self.inlined(Ref(name))
                continue
            size = self._size(grammar.rules[name].body)
            if size is not None and size[1] < MAX_DEPTH:
                self._sizes[name] = size[0], size[1] + 1

    def is_small(self, node: Node) -> bool:
        """Tell whether an expression can be written out."""
        return self._size(node) is not None

    def inlined(self, node: Node) -> Node:
        """Put bodies in place of references."""
        match node:
            case Ref(name) if name.endswith(NONEMPTY):
                return nonempty(self.inlined(Ref(name.removesuffix(NONEMPTY)))) or EMPTY
            case Ref(name):
                if name not in self._bodies:
                    self._bodies[name] = self.inlined(self.grammar.rules[name].body)
                return self._bodies[name]
            case _:
                parts = [self.inlined(part) for part in children(node)]
                return rebuild(node, parts) if parts else node

    def _size(self, node: Node) -> tuple[int, int] | None:
        """Return how many characters stand in an expression, and how deep rules do."""
        match node:
            case Chars():
                return 1, 0
            case Text(value):
                return len(value), 0
            case Ref(name):
                return self._sizes.get(name.removesuffix(NONEMPTY))
        places = depth = 0
        for part in children(node):
            size = self._size(part)
            if size is None:
                return None
            times = (node.high or node.low + 1) if isinstance(node, Rep) else 1
            places += size[0] * times
            depth = max(depth, size[1])
            if places > MAX_PLACES:
                return None
        return places, depth


def single_characters(grammar: Grammar) -> dict[str, Chars]:
    """Return the rules whose words are single characters, and their sets."""
    found: dict[str, Chars] = {}

    def chars(node: Node) -> Chars | None:
        match node:
            case Chars():
                return node
            case Ref(name):
                return found.get(name)
            case Alt(items):
                sets = [chars(item) for item in items]
                known = [one for one in sets if one is not None]
                if len(known) == len(sets):
                    return Chars.of([span for one in known for span in one.ranges])
                return None
            case _:
                return None

    grown = True
    while grown:
        grown = False
        for name, rule in grammar.rules.items():
            if name not in found and (one := chars(rule.body)) is not None:
                found[name] = one
                grown = True
    return found
