"""Automata that are made deterministic only where they are walked, over sets of classes as bits.

A mutant may have five times the states of its rule, of which most are never asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import Alt, Chars, Ref, Rep, Seq, Text, children, rebuild

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from abnf2lark.automata import Alphabet, Language
    from abnf2lark.reading.ir import Node

Row: TypeAlias = "tuple[tuple[int, int], ...]"  # classes as bits, and the state behind them

NOWHERE = -1


class Classes:
    """The classes of an alphabet as bits, those whose characters can be read best the lowest."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        samples = {label: alphabet.sample(label) for label in range(alphabet.size)}
        order = sorted(samples, key=lambda label: (_unreadable(samples[label]), samples[label]))
        self.bit = {label: 1 << number for number, label in enumerate(order)}
        self.samples = [samples[label] for label in order]
        self._sets: dict[Chars, int] = {}

    def bits_of_set(self, chars: Chars) -> int:
        """Return the classes of a set of characters."""
        found = self._sets.get(chars)
        if found is None:
            labels = self.alphabet.classes(chars)
            found = self._sets[chars] = sum(self.bit[label] for label in labels)
        return found

    def sample(self, bits: int) -> str:
        """Return the character of a set that can be read best."""
        return self.samples[(bits & -bits).bit_length() - 1]

    def bits_of(self, text: str) -> list[int]:
        """Return the class of each character of a text."""
        return [self.bit[self.alphabet.class_of(character)] for character in text]


def _unreadable(character: str) -> int:
    if not (character.isascii() and character.isprintable()):
        return 3
    return 0 if character.islower() else 1 if character.isalnum() else 2


class Fixed:
    """A finished automaton; state 0 is the first."""

    def __init__(self, language: Language, classes: Classes) -> None:
        self.start = 0
        self.final: AbstractSet[int] = language.final
        self.rows = [_by_target(row, classes) for row in language.edges]

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        return self.rows[state]


class Stepping:
    """An expression as an automaton; its states are sets of states of an undetermined one.

    ``fixed`` are the automata of the rules that it refers to.
    """

    def __init__(self, node: Node, fixed: Mapping[str, Fixed], classes: Classes) -> None:
        self._fixed = fixed
        self._classes = classes
        self._steps: list[list[tuple[int, int]]] = []
        self._jumps: list[list[int]] = []
        first = self._state()
        self._end = self._add(node, first)
        self._closures: dict[int, frozenset[int]] = {}
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._rows: dict[int, Row] = {}
        self.final: set[int] = set()
        self.start = self._number(self._closure(first))

    def _state(self) -> int:
        self._steps.append([])
        self._jumps.append([])
        return len(self._steps) - 1

    def _add(self, node: Node, source: int) -> int:
        """Add an expression behind a state; return the state behind it."""
        match node:
            case Chars():
                target = self._state()
                self._steps[source].append((self._classes.bits_of_set(node), target))
                return target
            case Text(value):
                for bit in self._classes.bits_of(value):
                    target = self._state()
                    self._steps[source].append((bit, target))
                    source = target
                return source
            case Ref(name):
                return self._embed(self._fixed[name], source)
            case Seq(items):
                for item in items:
                    source = self._add(item, source)
                return source
            case Alt(items):
                target = self._state()
                for item in items:
                    self._jumps[self._add(item, source)].append(target)
                return target
            case Rep(item, low, high):
                return self._repeat(item, low, high, source)
            case _:
                raise TypeError(node)

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

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        found = self._rows.get(state)
        if found is None:
            found = self._rows[state] = self._made(self._sets[state])
        return found

    def _made(self, states: frozenset[int]) -> Row:
        by_target: dict[int, int] = {}
        for state in states:
            for bits, target in self._steps[state]:
                by_target[target] = by_target.get(target, 0) | bits
        targets: dict[int, list[int]] = {}
        for target, bits in sorted(by_target.items()):
            targets.setdefault(bits, []).append(target)
        pieces: list[tuple[int, frozenset[int]]] = []
        for bits, reached in targets.items():
            here = self._closure(*reached)
            rest = bits
            parted: list[tuple[int, frozenset[int]]] = []
            for other, there in pieces:
                if both := other & rest:
                    parted.append((both, there | here))
                    rest &= ~both
                if alone := other & ~both:
                    parted.append((alone, there))
            if rest:
                parted.append((rest, here))
            pieces = parted
        found: dict[int, int] = {}
        for bits, there in sorted(pieces, key=lambda piece: piece[0] & -piece[0]):
            number = self._number(there)
            found[number] = found.get(number, 0) | bits
        return tuple((bits, number) for number, bits in found.items())

    def _number(self, states: frozenset[int]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
            if self._end in states:
                self.final.add(number)
        return number

    def _closure(self, *states: int) -> frozenset[int]:
        if len(states) > 1:
            return frozenset().union(*map(self._closure, states))
        (state,) = states
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
            kept = (one for one in seen if self._steps[one] or one == self._end)
            found = self._closures[state] = frozenset(kept)
        return found


def _by_target(row: Mapping[int, int], classes: Classes) -> Row:
    found: dict[int, int] = {}
    for label, target in row.items():
        found[target] = found.get(target, 0) | classes.bit[label]
    return tuple(
        sorted(((bits, target) for target, bits in found.items()), key=lambda s: s[0] & -s[0])
    )


def after(automaton: Fixed | Stepping, word: Iterable[int]) -> int:
    """Return the state behind a word, `NOWHERE` if there is none."""
    state = automaton.start
    for bit in word:
        state = next((target for bits, target in automaton.row(state) if bits & bit), NOWHERE)
        if state == NOWHERE:
            break
    return state


def unfolded(node: Node, bodies: Mapping[str, Node]) -> Node:
    """Return an expression in which bodies stand for the references to some rules."""
    if isinstance(node, Ref) and node.name in bodies:
        return unfolded(bodies[node.name], bodies)
    parts = children(node)
    return rebuild(node, [unfolded(part, bodies) for part in parts]) if parts else node
