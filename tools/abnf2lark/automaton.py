"""Deterministic automata over character classes: the compiler's instrument of proof.

A :class:`Language` is the minimal automaton of a regular language. Languages over one alphabet
combine with ``|``, ``&``, ``-`` and ``+`` (concatenation); equality is exact, and ``witness``
gives a shortest word of a language, so that a failed proof comes with an example.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from .ir import MAX_CODE_POINT, Alt, Capture, Chars, Node, Ref, Rep, Rule, Seq, Text, walk

MAX_STATES = 40_000

# The end of a text as one more symbol behind it; its class is one past the others.
END_OF_TEXT = MAX_CODE_POINT + 1


class TooLargeError(Exception):
    """An automaton grew past ``MAX_STATES`` states: the language cannot be decided here."""


class Alphabet:
    """The coarsest partition of all characters in which every set of a grammar is a union.

    Characters that no set tells apart share a class; a class is a small integer.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        cuts = {0, MAX_CODE_POINT + 1}
        sets: set[tuple[tuple[int, int], ...]] = set()
        for node in nodes:
            for part in walk(node):
                if isinstance(part, Chars):
                    sets.add(part.ranges)
                elif isinstance(part, Text):
                    sets.update(((ord(char), ord(char)),) for char in part.value)
        for ranges in sets:
            for low, high in ranges:
                cuts.update((low, high + 1))
        starts = sorted(cuts)[:-1]
        signatures: dict[int, set[int]] = {start: set() for start in starts}
        for number, ranges in enumerate(sorted(sets)):
            for start in starts:
                if any(low <= start <= high for low, high in ranges):
                    signatures[start].add(number)
        classes: dict[frozenset[int], int] = {}
        self._starts = starts
        self._class_of_start = [
            classes.setdefault(frozenset(signatures[start]), len(classes)) for start in starts
        ]
        self.size = len(classes)
        self._sets: dict[Chars, frozenset[int]] = {}
        self._ranges: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for start, end, label in zip(
            starts, [*starts[1:], MAX_CODE_POINT + 1], self._class_of_start, strict=True
        ):
            self._ranges[label].append((start, end - 1))

    def classes(self, chars: Chars) -> frozenset[int]:
        """Return the classes that make up a set of this grammar."""
        found = self._sets.get(chars)
        if found is None and END_OF_TEXT in chars:
            found = self._sets[chars] = frozenset({self.size})
        if found is None:
            found = frozenset(
                label
                for start, label in zip(self._starts, self._class_of_start, strict=True)
                if start in chars
            )
            self._sets[chars] = found
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
        code = ord(char)
        return next(
            label
            for label, spans in enumerate(self._ranges)
            if any(low <= code <= high for low, high in spans)
        )


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
        self.edges, self.final = _minimal(edges, frozenset(final))
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
            self._hash = hash(
                (self.final, tuple(tuple(sorted(row.items())) for row in self.edges))
            )
        return self._hash

    def __bool__(self) -> bool:
        """A language is true if it holds a word."""
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
        nfa = Nfa()
        start, middle, end = nfa.state(), nfa.state(), nfa.state()
        nfa.embed(self, start, middle)
        nfa.embed(other, middle, end)
        return nfa.language(start, {end}, self.size)

    def _product(self, other: Language, keep: object) -> Language:
        assert callable(keep)
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
                number = numbers.get(target)
                if number is None:
                    number = numbers[target] = len(numbers)
                    if number > MAX_STATES:
                        raise TooLargeError
                    pending.append(target)
                row[label] = number
            edges.append(row)
        return Language(edges, final, self.size)

    def without_empty(self) -> Language:
        """Return the language without the empty word."""
        return self - Language.nothing(self.size) if self.nullable() else self

    def after(self, state: int) -> Language:
        """Return the words that lead from a state to acceptance."""
        order = _breadth_first(self.edges, state)
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
        seen_targets: set[tuple[int, int, int]] = set()
        for label in sorted(row.keys() & other.keys()):
            target = (row[label], other[label], third[c].get(label, -1) if c >= 0 else -1)
            if target not in parents and target not in seen_targets:
                seen_targets.add(target)
                parents[target] = (here, label)
                pending.append(target)
    return None


class Nfa:
    """A nondeterministic automaton under construction."""

    def __init__(self) -> None:
        self.edges: list[list[tuple[frozenset[int] | int, int]]] = []
        self.jumps: list[list[int]] = []

    def state(self) -> int:
        """Add a state."""
        self.edges.append([])
        self.jumps.append([])
        if len(self.edges) > MAX_STATES * 4:
            raise TooLargeError
        return len(self.edges) - 1

    def jump(self, source: int, target: int) -> None:
        """Add a step that reads nothing."""
        self.jumps[source].append(target)

    def step(self, source: int, labels: frozenset[int], target: int) -> None:
        """Add a step that reads one character."""
        self.edges[source].append((labels, target))

    def embed(self, language: Language, source: int, target: int) -> None:
        """Add a copy of a finished automaton between two states."""
        states = [self.state() for _ in language.edges]
        self.jump(source, states[0])
        for state, row in enumerate(language.edges):
            grouped: dict[int, set[int]] = {}
            for label, goal in row.items():
                grouped.setdefault(goal, set()).add(label)
            for goal, labels in grouped.items():
                self.step(states[state], frozenset(labels), states[goal])
            if state in language.final:
                self.jump(states[state], target)

    def add(
        self, node: Node, source: int, rules: dict[str, Language], alphabet: Alphabet
    ) -> int:
        """Add an expression behind ``source``; return the state after it."""
        match node:
            case Chars():
                target = self.state()
                self.step(source, alphabet.classes(node), target)
                return target
            case Text(value):
                for char in value:
                    target = self.state()
                    self.step(source, alphabet.classes(Chars.single(char)), target)
                    source = target
                return source
            case Ref(name):
                target = self.state()
                self.embed(rules[name], source, target)
                return target
            case Seq(items):
                for item in items:
                    source = self.add(item, source, rules, alphabet)
                return source
            case Alt(items):
                target = self.state()
                for item in items:
                    self.jump(self.add(item, source, rules, alphabet), target)
                return target
            case Capture(_, item):
                return self.add(item, source, rules, alphabet)
            case Rep(item, low, high):
                for _ in range(low):
                    source = self.add(item, source, rules, alphabet)
                if high is None:
                    loop = self.state()
                    self.jump(source, loop)
                    self.jump(self.add(item, loop, rules, alphabet), loop)
                    return loop
                target = self.state()
                for _ in range(high - low):
                    self.jump(source, target)
                    source = self.add(item, source, rules, alphabet)
                self.jump(source, target)
                return target

    def _closure(self, states: Iterable[int]) -> frozenset[int]:
        seen = set(states)
        pending = list(seen)
        while pending:
            for target in self.jumps[pending.pop()]:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return frozenset(seen)

    def language(self, start: int, final: set[int], size: int) -> Language:
        """Determinize."""
        first = self._closure([start])
        numbers = {first: 0}
        pending = deque([first])
        edges: list[dict[int, int]] = []
        accepting: set[int] = set()
        closures: dict[frozenset[int], frozenset[int]] = {}
        while pending:
            here = pending.popleft()
            if not final.isdisjoint(here):
                accepting.add(len(edges))
            moves: dict[int, set[int]] = {}
            for state in here:
                for labels, target in self.edges[state]:
                    for label in labels if isinstance(labels, frozenset) else (labels,):
                        moves.setdefault(label, set()).add(target)
            row: dict[int, int] = {}
            for label, targets in moves.items():
                key = frozenset(targets)
                target_set = closures.get(key)
                if target_set is None:
                    target_set = closures[key] = self._closure(key)
                number = numbers.get(target_set)
                if number is None:
                    number = numbers[target_set] = len(numbers)
                    if number > MAX_STATES:
                        raise TooLargeError
                    pending.append(target_set)
                row[label] = number
            edges.append(row)
        return Language(edges, accepting, size)


def _breadth_first(edges: list[dict[int, int]], start: int) -> list[int]:
    seen = {start: None}
    pending = deque([start])
    while pending:
        row = edges[pending.popleft()]
        for label in sorted(row):
            if row[label] not in seen:
                seen[row[label]] = None
                pending.append(row[label])
    return list(seen)


def _alive(edges: list[dict[int, int]], final: frozenset[int]) -> set[int]:
    """Return the states from which acceptance can be reached."""
    back: list[list[int]] = [[] for _ in edges]
    for state, row in enumerate(edges):
        for target in row.values():
            back[target].append(state)
    alive = set(final)
    pending = list(final)
    while pending:
        for state in back[pending.pop()]:
            if state not in alive:
                alive.add(state)
                pending.append(state)
    return alive


def _minimal(
    edges: list[dict[int, int]], final: frozenset[int]
) -> tuple[list[dict[int, int]], frozenset[int]]:
    """Minimize (Moore: refine the blocks until nothing changes) and number breadth-first."""
    alive = _alive(edges, final)
    if 0 not in alive:
        return [{}], frozenset()
    reached = [state for state in _breadth_first(edges, 0) if state in alive]
    rows = {
        state: [(label, t) for label, t in sorted(edges[state].items()) if t in alive]
        for state in reached
    }
    block = {state: int(state in final) for state in reached}
    count = len(set(block.values()))
    while True:
        numbers: dict[tuple[object, ...], int] = {}
        refined = {
            state: numbers.setdefault(
                (block[state], tuple((label, block[t]) for label, t in rows[state])), len(numbers)
            )
            for state in reached
        }
        block = refined
        if len(numbers) == count:
            break
        count = len(numbers)
    quotient: list[dict[int, int]] = [{} for _ in range(count)]
    accepting: set[int] = set()
    for state in reached:
        quotient[block[state]] = {label: block[t] for label, t in rows[state]}
        if state in final:
            accepting.add(block[state])
    order = _breadth_first(quotient, block[0])
    new = {old: number for number, old in enumerate(order)}
    return (
        [{label: new[t] for label, t in quotient[old].items()} for old in order],
        frozenset(new[s] for s in accepting),
    )


def languages(
    rules: dict[str, Rule], alphabet: Alphabet, names: Iterable[str]
) -> dict[str, Language]:
    """Compute the languages of non-recursive rules, innermost first."""
    done: dict[str, Language] = {}
    for name in names:
        for inner in _innermost_first(rules, name):
            if inner not in done:
                nfa = Nfa()
                start = nfa.state()
                end = nfa.add(rules[inner].body, start, done, alphabet)
                done[inner] = nfa.language(start, {end}, alphabet.size)
    return done


def _innermost_first(rules: dict[str, Rule], name: str) -> Iterator[str]:
    """Yield the rules below ``name``, each after those that it refers to, ``name`` last."""
    order: dict[str, None] = {}
    pending: list[tuple[str, bool]] = [(name, False)]
    while pending:
        here, expanded = pending.pop()
        if here in order:
            continue
        if expanded:
            order[here] = None
            continue
        pending.append((here, True))
        pending.extend(
            (part.name, False) for part in walk(rules[here].body) if isinstance(part, Ref)
        )
    yield from order
