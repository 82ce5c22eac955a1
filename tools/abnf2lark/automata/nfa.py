"""From expressions to languages by nondeterministic automata, and the quotients of languages."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from abnf2lark.automata.language import (
    MAX_HELD,
    MAX_STATES,
    Alphabet,
    Language,
    Numbers,
    TooLargeError,
    alike,
    spend,
)
from abnf2lark.ir import Alt, Capture, Chars, Node, Ref, Rep, Rule, Seq, Text, grouped, reached
from abnf2lark.reading.recursion import inside_out

OVERLAPPING = 8  # classes of steps that are passed in one step of those that are counted


Labels = TypeVar("Labels")
Leaf: TypeAlias = Callable[[Chars | Ref, int], int]
"""Adds a set of characters, or a rule, after a state; returns the state after it."""


class Steps(Generic[Labels]):
    """A nondeterministic automaton under construction."""

    def __init__(self) -> None:
        self.edges: list[list[tuple[Labels, int]]] = []
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

    def step(self, source: int, labels: Labels, target: int) -> None:
        """Add a step that reads one character."""
        self.edges[source].append((labels, target))

    def build(self, node: Node, source: int, leaf: Leaf) -> int:
        """Add an expression after ``source``; return the state after it."""
        match node:
            case Chars() | Ref():
                return leaf(node, source)
            case Text(value):
                for char in value:
                    source = leaf(Chars.single(char), source)
                return source
            case Seq(items):
                for item in items:
                    source = self.build(item, source, leaf)
                return source
            case Alt(items):
                target = self.state()
                for item in items:
                    self.jump(self.build(item, source, leaf), target)
                return target
            case Capture(_, item):
                return self.build(item, source, leaf)
            case Rep(item, low, high):
                for _ in range(low):
                    source = self.build(item, source, leaf)
                if high is None:
                    # A state of its own: the turn must not lead back into what came before it.
                    loop = self.state()
                    self.jump(source, loop)
                    self.jump(self.build(item, loop, leaf), loop)
                    return loop
                target = self.state()
                for _ in range(high - low):
                    self.jump(source, target)
                    source = self.build(item, source, leaf)
                self.jump(source, target)
                return target

    def closure(self, states: Iterable[int]) -> set[int]:
        """Return states, and those that are reached from them by steps that read nothing."""
        return reached(states, self.jumps.__getitem__)


class Nfa(Steps[frozenset[int]]):
    """A nondeterministic automaton whose steps read classes of an alphabet."""

    def embed(self, language: Language, source: int, target: int) -> None:
        """Add a copy of a finished automaton between two states."""
        self.jump(source, self.copy(language, target)[0])

    def copy(self, language: Language, target: int) -> list[int]:
        """Add a copy of a finished automaton in front of a state; return the copy's states."""
        spend(len(language))
        states = [self.state() for _ in language.edges]
        for state, row in enumerate(language.edges):
            for goal, labels in grouped((goal, label) for label, goal in row.items()).items():
                self.step(states[state], frozenset(labels), states[goal])
            if state in language.final:
                self.jump(states[state], target)
        return states

    def add(
        self, node: Node, source: int, rules: Mapping[str, Language], alphabet: Alphabet
    ) -> int:
        """Add an expression after ``source``, given the languages of rules, as `build` does."""

        def leaf(one: Chars | Ref, before: int) -> int:
            target = self.state()
            if isinstance(one, Ref):
                self.embed(rules[one.name], before, target)
            else:
                self.step(before, alphabet.classes(one), target)
            return target

        return self.build(node, source, leaf)

    def language(self, start: int, final: set[int], size: int) -> Language:
        """Return the words between two states, by the subset construction."""
        numbers = Numbers(frozenset(self.closure([start])))
        edges: list[dict[int, int]] = []
        accepting: set[int] = set()
        closures: dict[frozenset[int], frozenset[int]] = {}
        held = 0
        sets = {labels for row in self.edges for labels, _ in row}
        same = _alike(sets)
        firsts = {labels: sorted(labels & same.keys()) for labels in sets}
        for here in numbers.order:
            if not final.isdisjoint(here):
                accepting.add(len(edges))
            # Steps with the same classes are taken together, then classes with the same steps.
            steps: dict[frozenset[int], set[int]] = {}
            for state in here:
                for labels, target in self.edges[state]:
                    steps.setdefault(labels, set()).add(target)
            goals = list(steps.values())
            ways: dict[int, list[int]] = {}
            for place, labels in enumerate(steps):
                for label in firsts[labels]:  # no `setdefault`: this is the innermost loop
                    if label in ways:
                        ways[label].append(place)
                    else:
                        ways[label] = [place]
            # Where sets overlap, a class has many steps.
            classes = sum(len(same[label]) for label in ways)
            spend(len(here) + max(classes, sum(map(len, steps)) // OVERLAPPING))
            numbered: dict[tuple[int, ...], int] = {}
            row: dict[int, int] = {}
            for label, found in ways.items():
                places = tuple(found)
                known = numbered.get(places)
                if known is None:
                    key = frozenset().union(*(goals[place] for place in places))
                    # Different classes often lead to the same states: a closure is made once.
                    target_set = closures.get(key)
                    if target_set is None:
                        target_set = closures[key] = frozenset(self.closure(key))
                        held += len(key) + len(target_set)
                        if held > MAX_HELD:
                            raise TooLargeError
                    known = numbered[places] = numbers[target_set]
                row[label] = known
            edges.append(row)
        return Language(edges, accepting, size, same)


def _alike(sets: Iterable[frozenset[int]]) -> dict[int, list[int]]:
    """Return the classes that are in the same sets, by the first of them."""
    return alike(grouped((label, at) for at, labels in enumerate(sets) for label in labels))


def language_of_node(
    node: Node, alphabet: Alphabet, rules: Mapping[str, Language] = MappingProxyType({})
) -> Language:
    """Return the language of an expression, given those of the rules that it refers to."""
    nfa = Nfa()
    start = nfa.state()
    return nfa.language(start, {nfa.add(node, start, rules, alphabet)}, alphabet.size)


def languages(
    rules: dict[str, Rule],
    alphabet: Alphabet,
    names: Iterable[str],
    known: dict[str, Language] | None = None,
) -> dict[str, Language]:
    """Compute the languages of rules, innermost first; recursive ones raise RecursiveError.

    They are added to those that are known.
    """
    done = {} if known is None else known
    for name in inside_out(rules, names, done):
        done[name] = language_of_node(rules[name].body, alphabet, done)
    return done
