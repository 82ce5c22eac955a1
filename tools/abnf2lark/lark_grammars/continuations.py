"""What can follow a token of a grammar over tokens: more than it allows, by a finite automaton.

Where a rule ends, what follows it anywhere can follow: nothing counts the rules that are open. What
cannot follow here cannot follow in the grammar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import spend
from abnf2lark.reading.ir import Alt, Ref, Rep, Seq

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.reading.ir import Node


class Next(NamedTuple):
    """A token that can come next, and the place behind it."""

    token: str
    behind: int


class Continuations:
    """The places of a grammar, and the tokens that can come next at each.

    Attributes:
        behind: for each token, the places behind it.

    """

    def __init__(self, rules: Mapping[str, Node]) -> None:
        self._jumps: list[list[int]] = []
        self._reads: list[Next | None] = []
        self._known: dict[int, tuple[Next, ...]] = {}
        self.behind: dict[str, list[int]] = {}
        self._begins = {name: self._place() for name in rules}
        self._ends = {name: self._place() for name in rules}
        for name, body in rules.items():
            self._jumps[self._add(body, self._begins[name])].append(self._ends[name])

    def following(self, place: int) -> tuple[Next, ...]:
        """Return the tokens that can come next at a place."""
        found = self._known.get(place)
        if found is None:
            seen = {place: None}
            pending = [place]
            while pending:
                for target in self._jumps[pending.pop()]:
                    if target not in seen:
                        seen[target] = None
                        pending.append(target)
            spend(len(seen))
            reads = (self._reads[one] for one in seen)
            found = self._known[place] = tuple(dict.fromkeys(one for one in reads if one))
        return found

    def _place(self) -> int:
        self._jumps.append([])
        self._reads.append(None)
        return len(self._jumps) - 1

    def _add(self, node: Node, place: int) -> int:
        """Add an expression at a place; return the place behind it."""
        match node:
            case Ref(name):
                behind = self._place()
                if name in self._begins:
                    self._jumps[place].append(self._begins[name])
                    self._jumps[self._ends[name]].append(behind)
                else:
                    token = self._place()
                    self._jumps[place].append(token)
                    self._reads[token] = Next(name, behind)
                    self.behind.setdefault(name, []).append(behind)
                return behind
            case Seq(items):
                for item in items:
                    place = self._add(item, place)
                return place
            case Alt(items):
                behind = self._place()
                for item in items:
                    self._jumps[self._add(item, place)].append(behind)
                return behind
            case Rep(item, low, high):
                turn, behind = self._place(), self._place()
                self._jumps[place].append(turn)
                end = self._add(item, turn)
                self._jumps[end] += [behind] if high == 1 else [behind, turn]
                if low == 0:
                    self._jumps[place].append(behind)
                return behind
            case _:
                raise TypeError(node)
