"""Derivations of a grammar over tokens, step by step, and the shortest context of a rule."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from abnf2lark.automata import spend
from abnf2lark.reading.ir import EMPTY, Alt, Ref, Rep, Seq

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from abnf2lark.automata import Alphabet, Language
    from abnf2lark.reading.ir import Node


# Derivations of a grammar over tokens, one step at a time, for searches among them.
#
# What is left to derive is a stack, and a number represents each stack. The top of a stack is
# taken apart, in one way or several, until it is a token that reads a character.

DONE: Final = 0
"""The stack of a derivation that is at its end."""

ENDED: Final = "/"
"""Stands before the name of what ends; no name begins so."""

MAX_FOLLOWED: Final = 50
"""Steps that are taken at a time; a grammar may have circles of them."""

MAX_LENGTH: Final = 1_000
"""Characters of the texts that are looked at."""


class Reads(NamedTuple):
    """A token that is being read; ``more``: it goes on with another character."""

    token: str
    state: int
    more: bool


class Closes(NamedTuple):
    """The end of a rule."""

    rule: str


Item: TypeAlias = "Node | Reads | Closes"


class Step(NamedTuple):
    """What becomes of a stack, and the rules and tokens that begin and end by that.

    Before the name of one that ends stands ``ENDED``.
    """

    stack: int
    events: tuple[str, ...] = ()


class Derivations:
    """All derivations of rules over tokens; those of texts that are too long are left out."""

    def __init__(
        self, rules: Mapping[str, Node], words: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.rules = rules
        self.words = words
        self._ends = {name: _shortest_ends(one, alphabet) for name, one in words.items()}
        self._shortest: dict[str, str] = {}
        self._find_shortest()
        self._stacks: list[tuple[Item, int] | None] = [None]
        self._lengths = [0]
        self._numbers: dict[tuple[Item, int], int] = {}
        self._steps: dict[int, tuple[Step, ...]] = {}

    def begun(self, rule: str) -> int:
        """Return the stack of a derivation that begins."""
        return self._push(Ref(rule), DONE)

    def length(self, stack: int) -> int:
        """Return how many characters are read at least until all is derived."""
        return self._lengths[stack]

    def completion(self, stack: int) -> str:
        """Return a shortest text that is left to be read."""
        found: list[str] = []
        while (top := self._stacks[stack]) is not None:
            found.append(self.shortest(top[0]) or "")
            stack = top[1]
        return "".join(found)

    def reading(self, stack: int) -> Mapping[int, int] | None:
        """Return the characters that are read now, with the stacks after them.

        ``None`` where the top has to be taken apart first.
        """
        item, rest = self._stacks[stack] or (EMPTY, DONE)
        if not isinstance(item, Reads) or not item.more:
            return None
        return {
            label: self._push(item._replace(state=target, more=False), rest)
            for label, target in self.words[item.token].edges[item.state].items()
        }

    def steps(self, stack: int) -> tuple[Step, ...]:
        """Return what can become of a stack on top of which nothing reads a character yet."""
        found = self._steps.get(stack)
        if found is None:
            found = self._steps[stack] = tuple(map(self._followed, self._ways(stack)))
        return found

    def _followed(self, step: Step) -> Step:
        """Take a stack apart as long as there is one way to do so."""
        for _ in range(MAX_FOLLOWED):
            ways = self._ways(step.stack)
            if len(ways) != 1:
                break
            step = Step(ways[0].stack, (*step.events, *ways[0].events))
        return step

    def _ways(self, stack: int) -> list[Step]:
        item, rest = self._stacks[stack] or (EMPTY, DONE)
        ways = self._taken_apart(item, rest) if stack != DONE else ()
        return [way for way in ways if self._lengths[way.stack] <= MAX_LENGTH]

    def shortest(self, item: Item) -> str | None:
        """Return a shortest text of an item; ``None`` if it has none that is short enough."""
        match item:
            case Closes():
                return ""
            case Reads(token, state, more):
                ends = self._ends[token][state]
                return ends[more]
            case Ref(name):
                return self._shortest.get(name) if name in self.rules else self._ends[name][0][0]
            case Seq(items):
                return _joined([self.shortest(one) for one in items])
            case Alt(items):
                texts = [text for one in items if (text := self.shortest(one)) is not None]
                return min(texts, key=len, default=None)
            case Rep(one, low):
                return _joined([self.shortest(one)] * low)
        raise TypeError(item)

    def _find_shortest(self) -> None:
        grown = True
        while grown:
            grown = False
            for name, body in self.rules.items():
                spend(1)
                text, known = self.shortest(body), self._shortest.get(name)
                if text is not None and (known is None or len(text) < len(known)):
                    self._shortest[name] = text
                    grown = True

    def _push(self, item: Item, rest: int) -> int:
        if item == EMPTY:
            return rest
        key = item, rest
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._stacks)
            self._stacks.append(key)
            text = self.shortest(item)
            more = MAX_LENGTH + 1 if text is None else len(text)
            self._lengths.append(self._lengths[rest] + more)
        return found

    def _taken_apart(self, item: Item, rest: int) -> Iterator[Step]:
        match item:
            case Closes(name):
                yield Step(rest, (ENDED + name,))
            case Reads(more=True):
                return  # it reads a character
            case Reads(token, state):
                if state in self.words[token].final:
                    yield Step(rest, (ENDED + token,))
                if self.words[token].edges[state]:
                    yield Step(self._push(Reads(token, state, more=True), rest))
            case Ref(name) if name in self.rules:
                behind = self._push(Closes(name), rest)
                yield Step(self._push(self.rules[name], behind), (name,))
            case Ref(name):
                yield Step(self._push(Reads(name, 0, more=True), rest), (name,))
            case Seq(items):
                yield Step(self._push(items[0], self._push(Seq(items[1:]), rest)))
            case Alt(items):
                for one in items:
                    yield Step(self._push(one, rest))
            case Rep(one, low, high):
                if low == 0:
                    yield Step(rest)
                if high != 0:
                    more = Rep(one, max(low - 1, 0), None if high is None else high - 1)
                    yield Step(self._push(one, self._push(more, rest)))
            case _:
                raise TypeError(item)


def _joined(texts: list[str | None]) -> str | None:
    """Join texts; ``None`` if one is missing, or it would be too long."""
    known = [text for text in texts if text is not None]
    if len(known) < len(texts) or sum(map(len, known)) > MAX_LENGTH:
        return None
    return "".join(known)


def _shortest_ends(words: Language, alphabet: Alphabet) -> list[tuple[str | None, str | None]]:
    """Return for each state a shortest text to the end of a word, and one that is not empty."""
    found: list[str | None] = ["" if state in words.final else None for state in range(len(words))]
    before: list[list[tuple[int, int]]] = [[] for _ in found]
    for state, row in enumerate(words.edges):
        spend(len(row))
        for label, target in row.items():
            before[target].append((state, label))
    pending = sorted(words.final)
    while pending:
        later: list[int] = []
        for target in pending:
            for state, label in before[target]:
                if found[state] is None:
                    found[state] = alphabet.sample(label) + (found[target] or "")
                    later.append(state)
        pending = later
    more = [
        min(
            (alphabet.sample(label) + (found[target] or "") for label, target in row.items()),
            key=len,
            default=None,
        )
        for row in words.edges
    ]
    return list(zip(found, more, strict=True))


# The shortest texts around a rule: what a start rule needs before and after it.


def surroundings(derivations: Derivations, start: str) -> dict[str, tuple[str, str]]:
    """Return for each rule that a start leads to what stands around it in a shortest text."""
    found: dict[str, tuple[str, str]] = {}
    pending = [(0, start, "", "")]
    while pending:
        _, rule, before, behind = heapq.heappop(pending)
        if rule in found:
            continue
        found[rule] = before, behind
        for name, left, right in _inside(derivations, derivations.rules[rule]):
            if name not in found:
                around = before + left, right + behind
                heapq.heappush(pending, (sum(map(len, around)), name, *around))
    return found


def _inside(derivations: Derivations, node: Node) -> Iterator[tuple[str, str, str]]:
    """Yield the rules in an expression, with what it needs before and after each."""
    match node:
        case Ref(name):
            if name in derivations.rules:
                yield name, "", ""
        case Seq(items):
            for place, item in enumerate(items):
                before = derivations.shortest(Seq(items[:place]))
                behind = derivations.shortest(Seq(items[place + 1 :]))
                if before is not None and behind is not None:
                    for name, left, right in _inside(derivations, item):
                        yield name, before + left, right + behind
        case Alt(items):
            for item in items:
                yield from _inside(derivations, item)
        case Rep(item, low):
            more = derivations.shortest(Rep(item, max(low - 1, 0), None))
            if more is not None:
                for name, left, right in _inside(derivations, item):
                    yield name, left, right + more
        case _:
            raise TypeError(node)
