"""Tables for exact error messages: how far a text can go on, and what could have followed.

For every rule an automaton reads a text as long as some word of the rule goes on with it. Each
state says which rules stand open there and what ABNF expects next. The automata of all rules of a
grammar are minimized together, states being kept apart by what they say.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import TooLargeError, spend
from abnf2lark.reading.ir import Alt, Chars, Grammar, Node, Ref, Rep, Seq, Text

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet, Language

MAX_POSITIONS = 400_000  # of a rule unfolded; about 200 MB

Item: TypeAlias = tuple[int, int]  # a position, and how many rules around it are under way
# (component, rule, words): what an open rule expects next
Group: TypeAlias = tuple[str, str, tuple[str, ...]]
Label: TypeAlias = tuple[bool, tuple[Group, ...]]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The joint automaton: ``rows[state]`` maps a character class to the next state."""

    starts: dict[str, int]
    rows: list[dict[int, int]]
    labels: list[Label]


@dataclass(slots=True)
class _Network:
    """The unfolded positions of a rule: what each reads, and in which rules it stands."""

    classes: list[frozenset[int] | None] = field(default_factory=list)
    word: list[str] = field(default_factory=list)
    path: list[tuple[str, ...]] = field(default_factory=list)
    following: list[list[int]] = field(default_factory=list)

    def add(
        self,
        path: tuple[str, ...],
        following: list[int],
        classes: frozenset[int] | None = None,
        word: str = "",
    ) -> int:
        if len(self.classes) == MAX_POSITIONS:
            raise TooLargeError
        self.classes.append(classes)
        self.word.append(word)
        self.path.append(path)
        self.following.append(following)
        return len(self.classes) - 1


def diagnosis(
    grammar: Grammar,
    public: tuple[str, ...],
    components: frozenset[str],
    languages: dict[str, Language],
    alphabet: Alphabet,
) -> Diagnosis:
    """Build the joint automaton of all public rules."""
    small = frozenset(name for name, language in languages.items() if _is_small(language))
    starts: dict[str, int] = {}
    rows: list[dict[int, int]] = []
    labels: list[Label] = []
    for name in public:
        maker = _Maker(grammar, alphabet, components, small)
        own_rows, own_labels = maker.automaton(name)
        shift = len(rows)
        starts[name] = shift
        rows.extend({a: t + shift for a, t in row.items()} for row in own_rows)
        labels.extend(own_labels)
    return _minimized(starts, rows, labels)


def _is_small(language: Language) -> bool:
    """Tell whether all words have one to three characters: a character, or its escape."""
    layer = {0}
    for _ in range(4):
        layer = {target for state in layer for target in language.edges[state].values()}
    return not layer and not language.nullable()


class _Maker:
    def __init__(
        self,
        grammar: Grammar,
        alphabet: Alphabet,
        components: frozenset[str],
        small: frozenset[str],
    ) -> None:
        self.grammar = grammar
        self.alphabet = alphabet
        self.components = components
        self.small = small
        self.net = _Network()

    def automaton(self, name: str) -> tuple[list[dict[int, int]], list[Label]]:
        """Make the automaton of a rule; a state is a list of items in written order."""
        end = self.net.add((), [])
        first = self.unfold(Ref(name), end, ())
        start = tuple(self.closure([(first, 0)]))
        numbers = {start: 0}
        pending = deque([start])
        rows: list[dict[int, int]] = []
        labels: list[Label] = []

        @cache
        def after(position: int) -> dict[Item, None]:
            depth = len(self.net.path[position])
            return self.closure([(target, depth) for target in self.net.following[position]])

        while pending:
            state = pending.popleft()
            spend(len(state))
            labels.append(self.label(state, end))
            readers: dict[int, list[int]] = {}
            for position in dict.fromkeys(position for position, _ in state):
                for label in self.net.classes[position] or ():
                    readers.setdefault(label, []).append(position)
            row: dict[int, int] = {}
            known: dict[tuple[int, ...], int] = {}  # many characters are read in the same places
            for label, positions in readers.items():
                number = known.get(key := tuple(positions))
                if number is None:
                    items: dict[Item, None] = {}
                    for position in positions:
                        items.update(after(position))
                    target = tuple(items)
                    if target not in numbers:
                        numbers[target] = len(numbers)
                        pending.append(target)
                    number = known[key] = numbers[target]
                row[label] = number
            rows.append(row)
        return rows, labels

    def unfold(self, node: Node, after: int, path: tuple[str, ...]) -> int:
        """Add the positions of an expression in front of ``after``; return the first state."""
        net = self.net
        match node:
            case Chars():
                return net.add(path, [after], self.alphabet.classes(node), _spelled(node))
            case Text(value):
                for index in range(len(value) - 1, -1, -1):
                    classes = self.alphabet.classes(Chars.single(value[index]))
                    after = net.add(path, [after], classes, f'"{value[index:]}"')
                return after
            case Ref(name):
                leave = net.add(path, [after])
                inside = self.unfold(self.grammar.rules[name].body, leave, (*path, name))
                return net.add(path, [inside])
            case Seq(items):
                for item in reversed(items):
                    after = self.unfold(item, after, path)
                return after
            case Alt(items):
                return net.add(path, [self.unfold(item, after, path) for item in items])
            case Rep(item, low, high):
                if high is None:
                    first = net.add(path, [])
                    net.following[first] = [self.unfold(item, first, path), after]
                else:
                    first = after
                    for _ in range(high - low):
                        first = net.add(path, [self.unfold(item, first, path), after])
                for _ in range(low):
                    first = self.unfold(item, first, path)
                return first
            case _:
                raise TypeError(node)

    def closure(self, items: list[Item]) -> dict[Item, None]:
        """Follow the steps that read nothing; keep how many outer rules are under way."""
        net = self.net
        found: dict[Item, None] = {}
        seen: set[Item] = set()
        pending = items[::-1]
        while pending:
            item = pending.pop()
            if item in seen:
                continue
            seen.add(item)
            state, depth = item
            depth = min(depth, len(net.path[state]))
            following = net.following[state]
            if net.classes[state] is not None or not following:
                found[state, depth] = None
            else:
                pending += [(target, depth) for target in reversed(following)]
        return found

    def label(self, state: tuple[Item, ...], end: int) -> Label:
        groups: dict[tuple[str, str], dict[str, None]] = {}
        for position, depth in state:
            if position == end:
                continue
            path = self.net.path[position]
            under_way, fresh = path[:depth], path[depth:]
            rule = under_way[-1] if under_way else path[0]
            component = next((r for r in reversed(under_way) if r in self.components), "")
            word = next((r for r in fresh if r in self.small), self.net.word[position])
            groups.setdefault((component, rule), {}).setdefault(word)
        ended = any(position == end for position, _ in state)
        return ended, tuple((c, r, tuple(words)) for (c, r), words in groups.items())


def _spelled(chars: Chars) -> str:
    """Write a set as ABNF does: a literal, a range, or the ranges in order."""
    letters = {chr(low).lower() for low, high in chars.ranges if low == high}
    if len(letters) == 1 and all(low == high for low, high in chars.ranges):
        letter = letters.pop()
        return f'"{letter}"' if letter.isprintable() and letter != '"' else f"%x{ord(letter):02X}"
    return " / ".join(
        f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}" for low, high in chars.ranges
    )


def _minimized(
    starts: dict[str, int], rows: list[dict[int, int]], labels: list[Label]
) -> Diagnosis:
    """Merge states that say the same and go on the same."""
    numbers: dict[object, int] = {}
    block = [numbers.setdefault(label, len(numbers)) for label in labels]
    count = len(numbers)
    listed = [sorted(row.items()) for row in rows]
    while True:
        spend(len(rows))
        numbers = {}
        block = [
            numbers.setdefault(
                (block[state], tuple([(label, block[t]) for label, t in listed[state]])),
                len(numbers),
            )
            for state in range(len(rows))
        ]
        if len(numbers) == count:
            break
        count = len(numbers)
    merged_rows: list[dict[int, int]] = [{} for _ in range(count)]
    merged_labels: list[Label] = [(False, ())] * count
    for state, number in enumerate(block):
        merged_rows[number] = {label: block[t] for label, t in rows[state].items()}
        merged_labels[number] = labels[state]
    return Diagnosis({n: block[s] for n, s in starts.items()}, merged_rows, merged_labels)
