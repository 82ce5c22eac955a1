"""Expressions as automata that may be in several states at once."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import Alt, Chars, Ref, Rep, Seq, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from abnf2lark.mutants.classes import Classes
    from abnf2lark.mutants.fixed import Fixed
    from abnf2lark.reading.ir import Node

Steps: TypeAlias = "list[tuple[int, frozenset[int]]]"
"""Classes as bits, and all states behind them."""


class Undetermined:
    """An expression as an automaton: steps that read a class, and jumps that read nothing.

    ``fixed`` are the automata of the rules that it refers to, but for those that stand here by
    their ``bodies``.
    """

    def __init__(
        self,
        node: Node,
        fixed: Mapping[str, Fixed],
        classes: Classes,
        bodies: Mapping[str, Node] = MappingProxyType({}),
    ) -> None:
        self._fixed = fixed
        self._bodies = bodies
        self._singles: dict[str, int] = {}
        self._classes = classes
        self._steps: list[list[tuple[int, int]]] = []
        self._jumps: list[list[int]] = []
        self._closures: dict[int, frozenset[int]] = {}
        self._reached: dict[int, Steps] = {}
        first = self._state()
        self.end = self._add(node, first)
        self.start = self._closure(first)

    def ahead(self, states: frozenset[int]) -> Steps:
        """Return the steps from states taken together, the most readable first.

        No class is in two of them.
        """
        by_bits: dict[int, set[int]] = {}
        for state in states:
            for bits, there in self._from(state):
                if (known := by_bits.get(bits)) is None:
                    by_bits[bits] = set(there)
                else:
                    known |= there
        pieces: list[tuple[int, set[int]]] = []
        taken = 0
        for bits, reached in by_bits.items():
            pieces = _parted(pieces, bits, reached) if bits & taken else [*pieces, (bits, reached)]
            taken |= bits
        pieces.sort(key=_lowest)
        return [(bits, frozenset(reached)) for bits, reached in pieces]

    def _from(self, state: int) -> Steps:
        """Return the steps from one state, each with all states that are reached by it."""
        found = self._reached.get(state)
        if found is None:
            steps = self._steps[state]
            found = self._reached[state] = [(bits, self._closure(to)) for bits, to in steps]
        return found

    def _closure(self, state: int) -> frozenset[int]:
        found = self._closures.get(state)
        if found is None:
            seen = {state}
            pending = [state]
            while pending:
                for target in self._jumps[pending.pop()]:
                    if target not in seen:
                        seen.add(target)
                        pending.append(target)
            # What reads nothing and leads nowhere by itself tells no two sets apart.
            kept = frozenset(one for one in seen if self._steps[one] or one == self.end)
            found = self._closures[state] = kept
        return found

    def _state(self) -> int:
        self._steps.append([])
        self._jumps.append([])
        return len(self._steps) - 1

    def _add(self, node: Node, source: int) -> int:
        """Add an expression behind a state; return the state behind it."""
        if bits := self._single(node):
            target = self._state()
            self._steps[source].append((bits, target))
            return target
        match node:
            case Text(value):
                for bit in self._classes.bits_of(value):
                    target = self._state()
                    self._steps[source].append((bit, target))
                    source = target
                return source
            case Ref(name) if name in self._bodies:
                return self._add(self._bodies[name], source)
            case Ref(name):
                return self._embed(self._fixed[name], source)
            case Seq(items):
                for item in items:
                    source = self._add(item, source)
                return source
            case Alt(items):
                return self._choose(items, source)
            case Rep(item, low, high):
                return self._repeat(item, low, high, source)
            case _:
                raise TypeError(node)

    def _single(self, node: Node) -> int:
        """Return the classes of an expression that reads just one character, else 0."""
        match node:
            case Chars():
                return self._classes.bits_of_set(node)
            case Ref(name):
                found = self._singles.get(name)
                if found is None:
                    body = self._bodies.get(name)
                    found = self._fixed[name].single if body is None else self._single(body)
                    self._singles[name] = found
                return found
            case Alt(items):
                together = 0
                for item in items:
                    if not (bits := self._single(item)):
                        return 0
                    together |= bits
                return together
            case _:
                return 0

    def _choose(self, items: Sequence[Node], source: int) -> int:
        target = self._state()
        together = 0
        for item in items:
            if bits := self._single(item):
                together |= bits
            else:
                self._jumps[self._add(item, source)].append(target)
        if together:
            self._steps[source].append((together, target))
        return target

    def _repeat(self, item: Node, low: int, high: int | None, source: int) -> int:
        for _ in range(low):
            source = self._add(item, source)
        target = self._state()
        self._jumps[source].append(target)
        if high is None:
            self._jumps[self._add(item, target)].append(target)
            return target
        for _ in range(high - low):
            source = self._add(item, source)
            self._jumps[source].append(target)
        return target

    def _embed(self, fixed: Fixed, source: int) -> int:
        shift = len(self._steps)
        rows = fixed.rows
        self._steps += [[(bits, target + shift) for bits, target in row] for row in rows]
        self._jumps += [[] for _ in rows]
        self._jumps[source].append(shift)
        end = self._state()
        for state in fixed.final:
            self._jumps[state + shift].append(end)
        return end


def _lowest(step: tuple[int, object]) -> int:
    return step[0] & -step[0]


def _parted(
    pieces: list[tuple[int, set[int]]], bits: int, here: set[int]
) -> list[tuple[int, set[int]]]:
    """Add a step to others, so that no class is in two of them."""
    parted: list[tuple[int, set[int]]] = []
    for other, there in pieces:
        if both := other & bits:
            parted.append((both, there | here))
            bits &= ~both
            if alone := other & ~both:
                parted.append((alone, there))
        else:
            parted.append((other, there))
    if bits:
        parted.append((bits, here))
    return parted
