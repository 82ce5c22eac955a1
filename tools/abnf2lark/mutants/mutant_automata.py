"""The automata that mutants are compared with: one for each edit, and pairs of them in step."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from abnf2lark.automata import Alphabet, Language, labels_to, nfa
from abnf2lark.ir import Alt, Chars, Node, Numbering, Ref, memoized


class Classes:
    """The classes of an alphabet as bits, those whose characters can be read best the lowest."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        samples = {label: alphabet.sample(label) for label in range(alphabet.size)}
        order = sorted(samples, key=lambda label: (_unreadable(samples[label]), samples[label]))
        self.bit = {label: 1 << number for number, label in enumerate(order)}
        self.samples = [samples[label] for label in order]

    @memoized
    def bits_of_set(self, chars: Chars) -> int:
        """Return the classes of a set of characters."""
        return sum(self.bit[label] for label in self.alphabet.classes(chars))

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


Row: TypeAlias = "tuple[tuple[int, int], ...]"
"""Classes as bits, and the state after them; no class in two of them."""


class Fixed:
    """A finished automaton; state 0 is the first."""

    def __init__(self, language: Language, classes: Classes) -> None:
        self.start = 0
        self.final: AbstractSet[int] = language.final
        self.rows = [_by_target(row, classes) for row in language.edges]
        is_single = 0 not in self.final and not any(self.rows[1:])
        first = self.rows[0] if is_single else ()
        self.single = sum(bits for bits, target in first if target in self.final)
        """The classes of a language of single characters, else 0."""

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        return self.rows[state]


def _by_target(row: Mapping[int, int], classes: Classes) -> Row:
    found: dict[int, int] = {}
    for label, target in row.items():
        found[target] = found.get(target, 0) | classes.bit[label]
    return tuple(sorted(((bits, target) for target, bits in found.items()), key=_lowest))


Steps: TypeAlias = "list[tuple[int, frozenset[int]]]"  # classes as bits, and all states after them


class MutantNfa(nfa.Steps[int]):
    """An expression as an automaton; ``fixed`` are those of rules that have no ``bodies`` here."""

    def __init__(
        self,
        node: Node,
        fixed: Mapping[str, Fixed],
        classes: Classes,
        bodies: Mapping[str, Node] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self._fixed = fixed
        self._bodies = bodies
        self._singles: dict[str, int] = {}
        self._classes = classes
        self._closures: dict[int, frozenset[int]] = {}
        self._reached: dict[int, Steps] = {}
        first = self.state()
        self.end = self.build(node, first, self._leaf)
        self.start = self._closed(first)

    def ahead(self, states: frozenset[int]) -> Steps:
        """Return the disjoint steps from states taken together, the most readable first."""
        by_bits: dict[int, set[int]] = {}
        for state in states:
            for bits, there in self._from(state):
                if (known := by_bits.get(bits)) is None:
                    by_bits[bits] = set(there)
                else:
                    known |= there
        pieces: list[tuple[int, set[int]]] = []
        taken = 0
        # Sets that overlap none before them, nearly all, need no cutting up.
        for bits, reached in by_bits.items():
            pieces = _parted(pieces, bits, reached) if bits & taken else [*pieces, (bits, reached)]
            taken |= bits
        pieces.sort(key=_lowest)
        return [(bits, frozenset(reached)) for bits, reached in pieces]

    def _from(self, state: int) -> Steps:
        """Return the steps from one state, each with all states that are reached by it."""
        found = self._reached.get(state)
        if found is None:
            steps = self.edges[state]
            found = self._reached[state] = [(bits, self._closed(to)) for bits, to in steps]
        return found

    def _closed(self, state: int) -> frozenset[int]:
        found = self._closures.get(state)
        if found is None:
            # States without steps of their own add nothing to a set: without them more sets are
            # equal, and there are fewer to walk.
            seen = self.closure([state]) if self.jumps[state] else (state,)
            kept = frozenset(one for one in seen if self.edges[one] or one == self.end)
            found = self._closures[state] = kept
        return found

    def _leaf(self, one: Chars | Ref, source: int) -> int:
        if isinstance(one, Ref):
            body = self._bodies.get(one.name)
            if body is not None:
                return self.build(body, source, self._leaf)
            return self._embed(self._fixed[one.name], source)
        return self._read(source, self._classes.bits_of_set(one), self.state())

    def _read(self, source: int, bits: int, target: int) -> int:
        if bits:
            self.step(source, bits, target)
        return target

    def build(self, node: Node, source: int, leaf: nfa.Leaf) -> int:
        """Add an expression, with one step for a rule such as ALPHA, and for such alternatives."""
        if bits := self._single(node):
            target = self.state()
            self.edges[source].append((bits, target))
            return target
        if not isinstance(node, Alt):
            return super().build(node, source, leaf)
        rest: list[Node] = []
        together = 0
        for item in node.items:
            bits = self._single(item)
            together |= bits
            rest += [] if bits else [item]
        return self._read(source, together, super().build(Alt(tuple(rest)), source, leaf))

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

    def _embed(self, fixed: Fixed, source: int) -> int:
        shift = len(self.edges)
        self.edges += [[(bits, target + shift) for bits, target in row] for row in fixed.rows]
        self.jumps += [[] for _ in fixed.rows]
        self.jump(source, shift)
        end = self.state()
        for state in fixed.final:
            self.jump(state + shift, end)
        return end


def _lowest(step: tuple[int, object]) -> int:
    """Return the lowest bit, which is the most readable character."""
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


# Automata that are made deterministic only where they are walked.
#
# A mutant may have five times the states of its rule, of which most are never asked for.

NOWHERE = -1


class LazyDfa:
    """An automaton whose states are sets of states of an NFA, numbered as they are reached."""

    def __init__(self, automaton: MutantNfa) -> None:
        self._automaton = automaton
        self._numbers = Numbering[frozenset[int]]()
        self._rows: dict[int, Row] = {}
        self.final: set[int] = set()
        self.start = self._number(automaton.start)

    @property
    def size(self) -> int:
        """How many states have been reached."""
        return len(self._numbers)

    def row(self, state: int) -> Row:
        """Return the steps from a state, no class in two of them."""
        found = self._rows.get(state)
        if found is None:
            # Classes that lead to the same set are one step: a difference is looked for once.
            by_target: dict[int, int] = {}
            for bits, states in self._automaton.ahead(self._numbers.order[state]):
                number = self._number(states)
                by_target[number] = by_target.get(number, 0) | bits
            found = tuple((bits, number) for number, bits in by_target.items())
            self._rows[state] = found
        return found

    def _number(self, states: frozenset[int]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states]
            if self._automaton.end in states:
                self.final.add(number)
        return number


def accepted(automaton: Fixed | LazyDfa, words: Iterable[Sequence[int]]) -> list[bool]:
    """Say which words are accepted; they are walked fastest in order, as they begin alike."""
    found: list[bool] = []
    states = [automaton.start]
    known: Sequence[int] = ()
    for word in words:
        # The states of what both words begin with are still on the stack.
        pairs = enumerate(zip(known, word, strict=False))
        shorter = min(len(known), len(word))
        depth = next((number for number, (a, b) in pairs if a != b), shorter)
        del states[depth + 1 :]
        state = states[-1]
        for bit in word[depth:]:
            state = _step(automaton, state, bit)
            states.append(state)
        found.append(state in automaton.final)
        known = word
    return found


def _step(automaton: Fixed | LazyDfa, state: int, bit: int) -> int:
    if state != NOWHERE:
        for bits, target in automaton.row(state):
            if bits & bit:
                return target
    return NOWHERE


Pair: TypeAlias = tuple[int, int]

MAX_PAIRS = 400_000


class Difference(NamedTuple):
    """The shortest texts of one language that are not in another; ``None`` if there are none."""

    lost: str | None  # in the first, not in the second
    gained: str | None  # in the second, not in the first
    decided: bool = True  # whether all was walked that could show a difference


def difference(
    one: Fixed | LazyDfa, other: LazyDfa, classes: Classes, *, may_lose: bool, may_gain: bool
) -> Difference:
    """Walk both at once until each possible difference is found, or nothing is left to walk."""
    start = (one.start, other.start)
    parents: dict[Pair, tuple[Pair, int] | None] = {start: None}
    pending = deque([start])
    lost: str | None = None
    gained: str | None = None
    # Breadth first, so that the first difference of each kind is a shortest text.
    while pending:
        here = pending.popleft()
        left, right = here
        # Where one automaton is dead only the other can still differ, in one direction.
        if (left == NOWHERE and not may_gain) or (right == NOWHERE and not may_lose):
            continue
        belongs = left in one.final, right in other.final
        if (belongs == (True, False) and may_lose) or (belongs == (False, True) and may_gain):
            word = "".join(map(classes.sample, labels_to(here, parents)))
            if belongs[0]:
                lost, may_lose = word, False
            else:
                gained, may_gain = word, False
        if not may_lose and not may_gain:
            break
        rows = (
            one.row(left) if left != NOWHERE else (),
            other.row(right) if right != NOWHERE else (),
        )
        for bits, target in _joined(*rows):
            if target not in parents:
                parents[target] = (here, bits)
                pending.append(target)
                if len(parents) > MAX_PAIRS:
                    return Difference(lost, gained, decided=False)
    return Difference(lost, gained)


def _joined(left: Row, right: Row) -> list[tuple[int, Pair]]:
    """Return the steps of two rows taken together, the most readable first."""
    found: list[tuple[int, Pair]] = []
    taken = 0
    for bits, target in left:
        rest = bits
        for others, other in right:
            if both := rest & others:
                found.append((both, (target, other)))
                rest &= ~both
        taken |= bits
        if rest:
            found.append((rest, (target, NOWHERE)))
    for bits, target in right:
        if rest := bits & ~taken:
            found.append((rest, (NOWHERE, target)))
    # The lowest bit is the most readable character, so of equally short texts that one is first.
    found.sort(key=_lowest)
    return found
