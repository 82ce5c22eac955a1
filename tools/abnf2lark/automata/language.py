"""Regular languages as minimal deterministic automata: the compiler's instrument of proof."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

from abnf2lark import ir
from abnf2lark.ir import Chars, Memo, Node, Numbering, char_sets, grouped, memoized, reached

# How large automata may grow, and how much work on them may be done.

MAX_STATES = 40_000
MAX_HELD = 5_000_000  # states in the sets that are one state each; some 500 MB


class TooLargeError(Exception):
    """An automaton, or the work on all of them, grew too large: nothing can be decided here."""


_steps_left: ContextVar[list[int] | None] = ContextVar("_steps_left", default=None)


@contextmanager
def limited(steps: int) -> Iterator[list[int]]:
    """Limit the steps of automata, else :class:`TooLargeError`; yield those left, in a list."""
    left = [steps]
    token = _steps_left.set(left)
    try:
        yield left
    finally:
        _steps_left.reset(token)


def spend(steps: int) -> None:
    """Count steps of automata that were made or walked."""
    left = _steps_left.get()
    if left is not None:
        left[0] -= steps
        if left[0] < 0:
            raise TooLargeError


State = TypeVar("State")
Step = TypeVar("Step")


def labels_to(state: State, parents: Mapping[State, tuple[State, int] | None]) -> list[int]:
    """Return the labels on the way to a state; ``parents`` says how each was first reached."""
    labels: list[int] = []
    step = parents[state]
    while step is not None:
        labels.append(step[1])
        step = parents[step[0]]
    return labels[::-1]


class Numbers(Numbering[State]):
    """Numbers of states as first asked for; at most ``MAX_STATES``, else :class:`TooLargeError`."""

    def __missing__(self, state: State) -> int:
        if len(self.order) > MAX_STATES:
            raise TooLargeError
        return super().__missing__(state)


def by_label(
    things: Iterable[State],
    labels: Callable[[State], Iterable[int]],
    after: Callable[[tuple[State, ...]], Step],
) -> dict[int, Step]:
    """Return the step by each label; many labels are read by the same things, in their order."""
    readers = grouped((label, thing) for thing in things for label in labels(thing))
    steps = Memo(after)
    return {label: steps[tuple(reading)] for label, reading in readers.items()}


# Minimize deterministic automata, and number their states in one way only.

Label = TypeVar("Label", int, str)
Piece = TypeVar("Piece", str, bytes)


def breadth_first(
    edges: Sequence[dict[int, int]] | Mapping[int, dict[int, int]], start: int
) -> list[int]:
    """Return the states that can be reached, in the order in which a breadth-first walk does."""
    seen = {start: None}
    order = [start]
    for state in order:
        row = edges[state]
        for label in sorted(row):
            if row[label] not in seen:
                seen[row[label]] = None
                order.append(row[label])
    return order


def shortest_ends(
    steps: Iterable[Iterable[tuple[Piece, int]]], final: Iterable[int], nothing: Piece
) -> dict[int, Piece]:
    """Return for each state a shortest text to acceptance, found backwards from there."""
    rows = enumerate(steps)
    before = grouped((target, (state, piece)) for state, row in rows for piece, target in row)
    found: dict[int, Piece] = dict.fromkeys(final, nothing)
    pending = [*found]
    for target in pending:  # which grows: breadth first, so that the first text is a shortest
        for state, piece in before.get(target, ()):
            if state not in found:
                found[state] = piece + found[target]
                pending.append(state)
    return found


def leading_to(edges: Sequence[Mapping[Label, int]], final: Iterable[int]) -> set[int]:
    """Return the states from which acceptance can be reached."""
    back: list[list[int]] = [[] for _ in edges]
    for state, row in enumerate(edges):
        for target in frozenset(row.values()):
            back[target].append(state)
    return reached(final, back.__getitem__)


def minimal(
    edges: list[dict[int, int]], final: frozenset[int], known: Mapping[int, list[int]] | None = None
) -> tuple[list[dict[int, int]], frozenset[int]]:
    """Merge the states that accept the same words, and number the rest breadth-first."""
    # States from which no end can be reached would make equal languages unequal.
    alive = leading_to(edges, final)
    if 0 not in alive:
        return [{}], frozenset()
    # Alphabets have hundreds of classes, most of which lead the same way everywhere: the first of
    # those is walked, which leaves the order of a walk by all of them as it is.
    same = _alike(edges)
    if known is not None:
        same = {
            one: [label for part in parts for label in known[part]] for one, parts in same.items()
        }
    rows = {
        state: {label: row[label] for label in row.keys() & same.keys() if row[label] in alive}
        for state, row in enumerate(edges)
    }
    reached = breadth_first(rows, 0)
    rows = {state: rows[state] for state in reached}
    block = blocks(rows, final)
    quotient: dict[int, dict[int, int]] = {}
    for state in reached:
        if block[state] not in quotient:
            quotient[block[state]] = {label: block[t] for label, t in rows[state].items()}
    accepting = {block[state] for state in reached if state in final}
    # Numbered by a walk in the order of labels, equal languages are equal automata, so that `==`
    # is a comparison of rows and needs no isomorphism.
    numbers = {old: new for new, old in enumerate(breadth_first(quotient, block[0]))}
    numbered = [
        {label: numbers[t] for first, t in quotient[old].items() for label in same[first]}
        for old in numbers
    ]
    return numbered, frozenset(numbers[number] for number in accepting)


def _alike(edges: Sequence[dict[int, int]]) -> dict[int, list[int]]:
    """Return the labels that lead the same way everywhere, by the first of them."""
    columns: dict[int, list[int]] = {}
    for state, row in enumerate(edges):
        base = state * len(edges)
        for label, target in row.items():
            columns.setdefault(label, []).append(base + target)
    return alike(columns)


def alike(columns: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Return the labels with the same columns together, by the first of them."""
    found: dict[tuple[int, ...], list[int]] = {}
    for label in sorted(columns):
        found.setdefault(tuple(columns[label]), []).append(label)
    return {labels[0]: labels for labels in found.values()}


def blocks(rows: Mapping[int, Mapping[Label, int]], final: AbstractSet[int]) -> dict[int, int]:
    """Return for each state its block of equivalent states, by Hopcroft's refinement."""
    columns: dict[Label, list[tuple[int, int]]] = {}
    for state, row in rows.items():
        for label, target in row.items():
            columns.setdefault(label, []).append((state, target))
    sources: dict[int, dict[Label, list[int]]] = {state: {} for state in rows}
    # Of labels that lead the same way everywhere, one is enough.
    for column, label in {tuple(steps): label for label, steps in columns.items()}.items():
        for state, target in column:
            sources[target].setdefault(label, []).append(state)
    # The two kinds of state are certainly different; all others are presumed alike until a splitter
    # shows that they are not.
    parts = [part for part in (rows.keys() & final, rows.keys() - final) if part]
    block = {state: number for number, part in enumerate(parts) for state in part}
    waiting = set(range(len(parts)))
    while waiting:
        splitter = parts[waiting.pop()]
        into: dict[Label, list[int]] = {}
        for target in splitter:
            for label, states in sources[target].items():
                into.setdefault(label, []).extend(states)
        for states in into.values():
            touched: dict[int, set[int]] = {}
            for state in states:
                touched.setdefault(block[state], set()).add(state)
            for number, inside in touched.items():
                if len(inside) == len(parts[number]):
                    continue
                outside = parts[number] - inside
                # Hopcroft: only the smaller half has to be tried, so a state is tried at most
                # log(n) times for each label.
                small, large = sorted((inside, outside), key=len)
                new = len(parts)
                parts[number] = large
                parts.append(small)
                for state in small:
                    block[state] = new
                waiting.add(new)
    return block


# The end of a text as one more symbol after it; its class is one past the others.
END_OF_TEXT = ir.MAX_CODE_POINT + 1

# Classes of all sets together; there are many where many ranges overlap.
MAX_SIZE = 500_000


class Alphabet:
    """The coarsest partition of all characters in which every set of a grammar is a union.

    Characters that no set distinguishes share a class; a class is a small integer.

    Raises :class:`TooLargeError` where too many sets cut each other to pieces.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        cuts = {0, END_OF_TEXT}
        sets = char_sets(nodes)
        for ranges in sets:
            for low, high in ranges:
                cuts.update((low, high + 1))
        # Between two neighbouring cuts no set begins or ends: all characters there are alike.
        starts = sorted(cuts)[:-1]
        places = [
            (number, bisect_left(starts, low), bisect_left(starts, high + 1))
            for number, ranges in enumerate(sorted(sets))
            for low, high in ranges
        ]
        # The sum is known before the lists are made, which could take all memory.
        if sum(end - begin for _, begin, end in places) > MAX_SIZE:
            raise TooLargeError
        signatures: list[list[int]] = [[] for _ in starts]
        for number, begin, end in places:
            for place in range(begin, end):
                signatures[place].append(number)
        classes = Numbering[tuple[int, ...]]()
        self._starts = starts
        self._class_of_start = [classes[tuple(signature)] for signature in signatures]
        self.size = len(classes)
        self._ranges: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        ends = [*starts[1:], END_OF_TEXT]
        for start, end, label in zip(starts, ends, self._class_of_start, strict=True):
            self._ranges[label].append((start, end - 1))

    @memoized
    def classes(self, chars: Chars) -> frozenset[int]:
        """Return the classes that make up a set; :class:`ValueError` where it holds one in part."""
        if END_OF_TEXT in chars:
            return frozenset({self.size})
        found = frozenset(
            self._class_of_start[place]
            for low, high in chars.ranges
            for place in range(bisect_left(self._starts, low), bisect_left(self._starts, high + 1))
        )
        # A set that cuts a class would be rounded up silently, and a proof would be wrong.
        if self.chars(found) != chars:
            raise ValueError(
                f"this alphabet cannot distinguish {chars.ranges} from other characters"
            )
        return found

    def chars(self, labels: Iterable[int]) -> Chars:
        """Return the set of all characters in the given classes."""
        return Chars.of([span for label in labels for span in self._ranges[label]])

    def sample(self, label: int) -> str:
        """Return a readable character of a class."""
        spans = self._ranges[label]
        for low, high in ((0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x21, 0x7E)):
            for start, end in spans:
                if start <= high and end >= low:
                    return chr(max(start, low))
        return chr(spans[0][0])

    def class_of(self, char: str) -> int:
        """Return the class of a character."""
        return self._class_of_start[bisect_right(self._starts, ord(char)) - 1]


# Alternatives with their states, and the first one that matches a beginning of the text.
_State: TypeAlias = "tuple[tuple[tuple[int, int], ...], int]"


def first_words(languages: Sequence[Language]) -> tuple[set[int], dict[int, tuple[int, ...]]]:
    """Return the alternatives that no earlier one hides, and texts of those hidden in part.

    All states that they can be in together are walked, the shortest texts first.
    """
    chosen: set[int] = set()
    shadowed: dict[int, tuple[int, ...]] = {}
    none = len(languages)
    start: _State = (tuple((place, 0) for place, one in enumerate(languages) if one), none)
    parents: dict[_State, tuple[_State, int] | None] = {start: None}
    pending = deque([start])
    while pending:
        here = states, before = pending.popleft()
        first = next((place for place, one in states if one in languages[place].final), none)
        if first < none:
            chosen.add(first)
            if before < first and first not in shadowed:
                shadowed[first] = tuple(labels_to(here, parents))
        taken = min(first, before)
        moves: dict[int, list[tuple[int, int]]] = {}
        for place, one in states:
            for label, target in languages[place].edges[one].items():
                moves.setdefault(label, []).append((place, target))
        spend(sum(map(len, moves.values())))
        for label in sorted(moves):
            there = (tuple(moves[label]), taken)
            if there not in parents:
                parents[there] = (here, label)
                if len(parents) > MAX_STATES:
                    raise TooLargeError
                pending.append(there)
    return chosen, shadowed


# Languages over one alphabet combine with ``|``, ``&``, ``-`` and ``+`` (concatenation); equality
# is exact, and ``witness`` gives a shortest word of a language, so that a failed proof comes with
# an example.


class Language:
    """A regular language as its minimal automaton.

    State 0 is the start; ``edges[state]`` maps a class to the next state and holds no way into a
    dead state; ``final`` are the accepting states. Two equal languages over one alphabet have
    equal automata, since states are numbered in breadth-first order.
    """

    __slots__ = ("_hash", "edges", "final", "size")

    def __init__(
        self,
        edges: list[dict[int, int]],
        final: set[int] | frozenset[int],
        size: int,
        alike: Mapping[int, list[int]] | None = None,
    ) -> None:
        """Minimize; of classes that are `alike`, ``edges`` have the first of each alone."""
        # Each operation ends here, so this is where all of them are counted.
        counted = edges if alike is None else (alike[label] for row in edges for label in row)
        spend(sum(map(len, counted)) + 3 * len(edges))
        self.edges, self.final = minimal(edges, frozenset(final), alike)
        self.size = size
        self._hash: int | None = None

    @classmethod
    def empty(cls, size: int) -> Language:
        """Return the language without words."""
        return cls([{}], frozenset(), size)

    @classmethod
    def nothing(cls, size: int) -> Language:
        """Return the language of the empty word alone."""
        return cls([{}], frozenset({0}), size)

    @classmethod
    def everything(cls, size: int) -> Language:
        """Return the language of all words."""
        return cls([dict.fromkeys(range(size), 0)], frozenset({0}), size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Language):
            return NotImplemented
        return self.final == other.final and self.edges == other.edges

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.final, tuple(tuple(sorted(row.items())) for row in self.edges)))
        return self._hash

    def __bool__(self) -> bool:
        """Return whether the language holds a word."""
        return bool(self.final)

    def __len__(self) -> int:
        """Count the states of the minimal automaton."""
        return len(self.edges)

    def nullable(self) -> bool:
        """Return whether the empty word belongs."""
        return 0 in self.final

    def first(self) -> frozenset[int]:
        """Return the classes that some word begins with."""
        return frozenset(self.edges[0])

    def __or__(self, other: Language) -> Language:
        return self._product(other, lambda a, b: a or b)

    def __and__(self, other: Language) -> Language:
        return self._product(other, lambda a, b: a and b)

    def __sub__(self, other: Language) -> Language:
        return self._product(other, lambda a, b: a and not b)

    def __invert__(self) -> Language:
        return Language.everything(self.size) - self

    def __le__(self, other: Language) -> bool:
        return not self - other

    def __add__(self, other: Language) -> Language:
        """Concatenate."""
        if not self or not other:
            return Language.empty(self.size)
        # A state is a state of the left automaton (-1: none) and the states that the right one
        # may be in, one for each way to cut the word so far.
        start = (0, frozenset({0}) if self.nullable() else frozenset())
        numbers = Numbers(start)
        edges: list[dict[int, int]] = []
        final: set[int] = set()
        for left, rights in numbers.order:
            if not rights.isdisjoint(other.final):
                final.add(len(edges))
            moves: dict[int, set[int]] = {}
            for right in rights:
                for label, goal in other.edges[right].items():
                    moves.setdefault(label, set()).add(goal)
            left_row = self.edges[left] if left >= 0 else {}
            row: dict[int, int] = {}
            for label in left_row.keys() | moves.keys():
                goal = left_row.get(label, -1)
                goals = moves.get(label, set())
                if goal in self.final:
                    goals.add(0)
                row[label] = numbers[goal, frozenset(goals)]
            edges.append(row)
        return Language(edges, final, self.size)

    def _product(self, other: Language, keep: Callable[[bool, bool], bool]) -> Language:
        numbers = Numbers((0, 0))
        edges: list[dict[int, int]] = []
        final: set[int] = set()
        for left, right in numbers.order:
            if keep(left in self.final, right in other.final):
                final.add(len(edges))
            row: dict[int, int] = {}
            left_row = self.edges[left] if left >= 0 else {}
            right_row = other.edges[right] if right >= 0 else {}
            for label in left_row.keys() | right_row.keys():
                row[label] = numbers[left_row.get(label, -1), right_row.get(label, -1)]
            edges.append(row)
        return Language(edges, final, self.size)

    def without_empty(self) -> Language:
        """Return the language without the empty word."""
        return self - Language.nothing(self.size) if self.nullable() else self

    def after(self, state: int) -> Language:
        """Return the words that lead from a state to acceptance."""
        order = breadth_first(self.edges, state)
        numbers = {old: new for new, old in enumerate(order)}
        edges = [{a: numbers[t] for a, t in self.edges[old].items()} for old in order]
        return Language(edges, {numbers[s] for s in self.final if s in numbers}, self.size)

    def witness(self, alphabet: Alphabet) -> str | None:
        """Return a shortest word, or ``None`` for the empty language."""
        parents: dict[int, tuple[int, int] | None] = {0: None}
        pending = deque([0])
        while pending:
            state = pending.popleft()
            if state in self.final:
                return "".join(map(alphabet.sample, labels_to(state, parents)))
            for label in sorted(self.edges[state], key=alphabet.sample):
                target = self.edges[state][label]
                if target not in parents:
                    parents[target] = (state, label)
                    pending.append(target)
        return None

    def accepts(self, word: str, alphabet: Alphabet) -> bool:
        """Return whether a word belongs."""
        state = 0
        for char in word:
            target = self.edges[state].get(alphabet.class_of(char))
            if target is None:
                return False
            state = target
        return state in self.final


def common_word(
    left: Language, right: Language, alphabet: Alphabet, *, outside: Language | None = None
) -> str | None:
    """Return a shortest word of both and not of ``outside``, or ``None``; nothing is built."""
    third = outside.edges if outside is not None else [{}]
    third_final: frozenset[int] = outside.final if outside is not None else frozenset()
    start = (0, 0, 0)
    parents: dict[tuple[int, int, int], tuple[tuple[int, int, int], int] | None] = {start: None}
    pending = deque([start])
    while pending:
        here = pending.popleft()
        a, b, c = here
        if a in left.final and b in right.final and c not in third_final:
            return "".join(map(alphabet.sample, labels_to(here, parents)))
        row, other = left.edges[a], right.edges[b]
        spend(len(row))
        seen_targets: set[tuple[int, int, int]] = set()
        for label in sorted(row.keys() & other.keys()):
            target = (row[label], other[label], third[c].get(label, -1) if c >= 0 else -1)
            if target not in parents and target not in seen_targets:
                seen_targets.add(target)
                parents[target] = (here, label)
                pending.append(target)
    return None
