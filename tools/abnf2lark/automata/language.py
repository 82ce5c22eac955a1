"""Regular languages as minimal automata: the compiler's instrument of proof.

Languages over one alphabet combine with ``|``, ``&``, ``-`` and ``+`` (concatenation); equality is
exact, and ``witness`` gives a shortest word of a language, so that a failed proof comes with an
example.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

from abnf2lark.automata.limits import MAX_STATES, TooLargeError, spend
from abnf2lark.automata.minimize import breadth_first, minimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from abnf2lark.automata.alphabet import Alphabet

State = TypeVar("State")


class Language:
    """A regular language as its minimal automaton.

    State 0 is the start; ``edges[state]`` maps a class to the next state and holds no way into a
    dead state; ``final`` are the accepting states. Two equal languages over one alphabet have
    equal automata, since states are numbered in breadth-first order.
    """

    __slots__ = ("_hash", "edges", "final", "size")

    def __init__(
        self, edges: list[dict[int, int]], final: set[int] | frozenset[int], size: int
    ) -> None:
        spend(sum(map(len, edges)) + 3 * len(edges))
        self.edges, self.final = minimal(edges, frozenset(final))
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

    @classmethod
    def one_of(cls, labels: Iterable[int], size: int) -> Language:
        """Return the one-character words over the given classes."""
        return cls([dict.fromkeys(labels, 1), {}], frozenset({1}), size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Language):
            return NotImplemented
        return self.final == other.final and self.edges == other.edges

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.final, tuple(tuple(sorted(row.items())) for row in self.edges)))
        return self._hash

    def __bool__(self) -> bool:
        """Tell whether the language holds a word."""
        return bool(self.final)

    def __len__(self) -> int:
        """Count the states of the minimal automaton."""
        return len(self.edges)

    def nullable(self) -> bool:
        """Tell whether the empty word belongs."""
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
        numbers: dict[tuple[int, frozenset[int]], int] = {start: 0}
        pending = deque([start])
        edges: list[dict[int, int]] = []
        final: set[int] = set()
        while pending:
            left, rights = pending.popleft()
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
                row[label] = _number((goal, frozenset(goals)), numbers, pending)
            edges.append(row)
        return Language(edges, final, self.size)

    def _product(self, other: Language, keep: Callable[[bool, bool], bool]) -> Language:
        numbers: dict[tuple[int, int], int] = {(0, 0): 0}
        pending = deque([(0, 0)])
        edges: list[dict[int, int]] = []
        final: set[int] = set()
        while pending:
            left, right = pending.popleft()
            if keep(left in self.final, right in other.final):
                final.add(len(edges))
            row: dict[int, int] = {}
            left_row = self.edges[left] if left >= 0 else {}
            right_row = other.edges[right] if right >= 0 else {}
            for label in left_row.keys() | right_row.keys():
                target = (left_row.get(label, -1), right_row.get(label, -1))
                row[label] = _number(target, numbers, pending)
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

    def upto(self, states: Iterable[int]) -> Language:
        """Return the words that lead from the start to one of the given states."""
        return Language(self.edges, frozenset(states), self.size)

    def witness(self, alphabet: Alphabet) -> str | None:
        """Return a shortest word, or ``None`` for the empty language."""
        parents: dict[int, tuple[int, int] | None] = {0: None}
        pending = deque([0])
        while pending:
            state = pending.popleft()
            if state in self.final:
                word: list[str] = []
                step = parents[state]
                while step is not None:
                    word.append(alphabet.sample(step[1]))
                    step = parents[step[0]]
                return "".join(reversed(word))
            for label in sorted(self.edges[state], key=alphabet.sample):
                target = self.edges[state][label]
                if target not in parents:
                    parents[target] = (state, label)
                    pending.append(target)
        return None

    def accepts(self, word: str, alphabet: Alphabet) -> bool:
        """Tell whether a word belongs."""
        state = 0
        for char in word:
            target = self.edges[state].get(alphabet.class_of(char))
            if target is None:
                return False
            state = target
        return state in self.final


def _number(state: State, numbers: dict[State, int], pending: deque[State]) -> int:
    """Return the number of a state; a new one is given the next and has still to be visited."""
    number = numbers.get(state)
    if number is None:
        number = numbers[state] = len(numbers)
        if number > MAX_STATES:
            raise TooLargeError
        pending.append(state)
    return number


def common_word(
    left: Language, right: Language, alphabet: Alphabet, *, outside: Language | None = None
) -> str | None:
    """Return a shortest word of both languages that is not in a third, or ``None``.

    The same as ``((left & right) - outside).witness(alphabet)``, without building anything.
    """
    third = outside.edges if outside is not None else [{}]
    third_final: frozenset[int] = outside.final if outside is not None else frozenset()
    start = (0, 0, 0)
    parents: dict[tuple[int, int, int], tuple[tuple[int, int, int], int] | None] = {start: None}
    pending = deque([start])
    while pending:
        here = pending.popleft()
        a, b, c = here
        if a in left.final and b in right.final and c not in third_final:
            word: list[str] = []
            step = parents[here]
            while step is not None:
                word.append(alphabet.sample(step[1]))
                step = parents[step[0]]
            return "".join(reversed(word))
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
