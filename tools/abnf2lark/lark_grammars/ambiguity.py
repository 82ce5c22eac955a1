"""Ambiguity search: find a text that a grammar reads in two ways."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from abnf2lark.automata import Alphabet, Language, spend
from abnf2lark.automata.language import shortest_ends
from abnf2lark.ir import EMPTY, Alt, Node, Numbering, Ref, Rep, Seq, memoized

# Derivations of a grammar over tokens, one step at a time, for searches among them.
#
# What is left to derive is a stack; each stack has a number. Its top is expanded, in one way or
# several, until it is a token that reads a character.

DONE: Final = 0  # the empty stack: the derivation is complete
ENDED: Final = "/"  # prefix of an event: a rule or a token ends. No name begins with it
READ: Final = " "  # prefix of an event: a character is read
TOKEN: Final = "_"  # prefix of a watched token, which distinguishes it from a rule

MAX_FOLLOWED: Final = 50
"""Steps without a choice that are taken together; a grammar may have cycles of them."""

MAX_SEEN: Final = 200  # stacks that are looked at for each text that is derived
MAX_LENGTH: Final = 1_000  # characters of the longest text that is derived


class Reads(NamedTuple):
    """A token that is being read; ``more``: it goes on with another character."""

    token: str
    state: int
    more: bool


class Closes(NamedTuple):
    """The end of a rule."""

    rule: str


Item: TypeAlias = "Node | Reads | Closes"


class StackStep(NamedTuple):
    """A stack after one step, and the rules and tokens that begin or end in the step."""

    stack: int
    events: tuple[str, ...] = ()


# What replaces the top of a stack, and the rules and tokens that begin or end.
_Part: TypeAlias = "tuple[tuple[int, ...], tuple[str, ...]]"


class Derivations:
    """All derivations of rules over tokens, except those of texts longer than `MAX_LENGTH`."""

    def __init__(
        self, rules: Mapping[str, Node], words: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.rules = rules
        self.words = words
        self.alphabet = alphabet
        self._ends = {name: _ends(one, alphabet) for name, one in words.items()}
        self._shortest: dict[str, str] = {}
        self._find_shortest()
        self._items = Numbering[Item]()
        self._stacks = Numbering((-1, DONE))  # an item, and the stack below it

    def begun(self, rule: str) -> int:
        """Return the stack with which a derivation of a rule begins."""
        return self._stacks[self._items[Ref(rule)], DONE]

    @memoized
    def length(self, stack: int) -> int:
        """Return the length of the shortest text that a stack derives."""
        item, rest = self._stacks.order[stack]
        return 0 if stack == DONE else self._least(item) + self.length(rest)

    @memoized
    def _least(self, item: int) -> int:
        text = self.shortest(self._items.order[item])
        return MAX_LENGTH + 1 if text is None else len(text)

    def completion(self, stack: int) -> str:
        """Return a shortest text that a stack derives."""
        found: list[str] = []
        while stack != DONE:
            item, stack = self._stacks.order[stack]
            found.append(self.shortest(self._items.order[item]) or "")
        return "".join(found)

    def texts(self, rule: str, most: int, length: int) -> Iterator[str]:
        """Yield so many texts of a rule up to a length, shorter ones first."""
        begun = self.begun(rule)
        pending = [(self.length(begun), "", begun)]
        seen = {("", begun)}
        given: set[str] = set()
        while pending and len(given) < most and len(seen) < MAX_SEEN * most:
            _, text, stack = heapq.heappop(pending)
            if stack == DONE and text not in given:
                given.add(text)
                yield text
            reads = self.reading(stack)
            after = (
                [(text, one.stack) for one in self.steps(stack)]
                if reads is None
                else [
                    (text + self.alphabet.sample(label), target) for label, target in reads.items()
                ]
            )
            for one in after:
                least = len(one[0]) + self.length(one[1])
                if one not in seen and least <= length:
                    seen.add(one)
                    heapq.heappush(pending, (least, *one))

    @memoized
    def reading(self, stack: int) -> Mapping[int, int] | None:
        """Return the stack after each character; ``None`` if the top is to be expanded first."""
        top, rest = self._stacks.order[stack]
        item = self._items.order[top] if stack != DONE else None
        if not isinstance(item, Reads) or not item.more:
            return None
        return {
            label: self._stacks[self._items[Reads(item.token, target, more=False)], rest]
            for label, target in self.words[item.token].edges[item.state].items()
        }

    @memoized
    def steps(self, stack: int) -> tuple[StackStep, ...]:
        """Return the steps from a stack whose top reads no character."""
        return tuple(map(self._followed, self._ways(stack)))

    def _followed(self, step: StackStep) -> StackStep:
        """Expand a stack as long as there is only one way to do so."""
        for _ in range(MAX_FOLLOWED):
            ways = self._ways(step.stack)
            if len(ways) != 1:
                break
            step = StackStep(ways[0].stack, (*step.events, *ways[0].events))
        return step

    def _ways(self, stack: int) -> list[StackStep]:
        if stack == DONE:
            return []
        item, rest = self._stacks.order[stack]
        found: list[StackStep] = []
        for pushed, events in self._parts(item):
            there = rest
            for one in pushed:
                there = self._stacks[one, there]
            # Without this bound a rule with no short text would be expanded without end.
            if self.length(there) <= MAX_LENGTH:
                found.append(StackStep(there, events))
        return found

    @memoized
    def _parts(self, item: int) -> tuple[_Part, ...]:
        return tuple(self._expanded(self._items.order[item]))

    def shortest(self, item: Item) -> str | None:
        """Return a shortest text of an item; ``None`` if it has none that is short enough."""
        match item:
            case Closes():
                return ""
            case Reads(token, state, more=False):
                return self._ends[token].get(state)
            case Reads(token, state):
                ends = [
                    self.alphabet.sample(label) + self._ends[token].get(target, "")
                    for label, target in self.words[token].edges[state].items()
                ]
                return min(ends, key=len, default=None)
            case Ref(name):
                return self._shortest.get(name) if name in self.rules else self._ends[name].get(0)
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

    def _expanded(self, item: Item) -> Iterator[_Part]:
        match item:
            case Closes(name):
                yield (), (ENDED + name,)
            case Reads(more=True):
                return  # it reads a character
            case Reads(token, state):
                if state in self.words[token].final:
                    yield (), (ENDED + token,)
                if self.words[token].edges[state]:
                    yield self._pushed(Reads(token, state, more=True)), ()
            case Ref(name) if name in self.rules:
                yield self._pushed(self.rules[name], Closes(name)), (name,)
            case Ref(name):
                yield self._pushed(Reads(name, 0, more=True)), (name,)
            case Seq(items):
                yield self._pushed(items[0], Seq(items[1:])), ()
            case Alt(items):
                for one in items:
                    yield self._pushed(one), ()
            case Rep(one, low, high):
                if low == 0:
                    yield (), ()
                if high != 0:
                    more = Rep(one, max(low - 1, 0), None if high is None else high - 1)
                    yield self._pushed(one, more), ()
            case _:
                raise TypeError(item)

    def _pushed(self, *items: Item) -> tuple[int, ...]:
        """Return the numbers of items in the order of pushing: the first one is pushed last."""
        return tuple(self._items[item] for item in reversed(items) if item != EMPTY)


def _joined(texts: list[str | None]) -> str | None:
    """Join texts; ``None`` if one is missing, or it would be too long."""
    known = [text for text in texts if text is not None]
    if len(known) < len(texts) or sum(map(len, known)) > MAX_LENGTH:
        return None
    return "".join(known)


def _ends(words: Language, alphabet: Alphabet) -> dict[int, str]:
    spend(sum(map(len, words.edges)))
    steps = ([(alphabet.sample(label), to) for label, to in row.items()] for row in words.edges)
    return shortest_ends(steps, sorted(words.final), "")


def surroundings(derivations: Derivations, start: str) -> dict[str, tuple[str, str]]:
    """Return the shortest context of each rule that a start rule leads to."""
    found: dict[str, tuple[str, str]] = {}
    pending = [(0, start, "", "")]
    while pending:
        _, rule, before, behind = heapq.heappop(pending)
        if rule in found:
            continue
        found[rule] = before, behind
        for name, left, right in _references(derivations, derivations.rules[rule]):
            if name not in found:
                around = before + left, right + behind
                heapq.heappush(pending, (sum(map(len, around)), name, *around))
    return found


def _references(derivations: Derivations, node: Node) -> Iterator[tuple[str, str, str]]:
    """Yield the rules in an expression, each with its shortest context there."""
    match node:
        case Ref(name):
            if name in derivations.rules:
                yield name, "", ""
        case Seq(items):
            for place, item in enumerate(items):
                before = derivations.shortest(Seq(items[:place]))
                behind = derivations.shortest(Seq(items[place + 1 :]))
                if before is not None and behind is not None:
                    for name, left, right in _references(derivations, item):
                        yield name, before + left, right + behind
        case Alt(items):
            for item in items:
                yield from _references(derivations, item)
        case Rep(item, low):
            more = derivations.shortest(Rep(item, max(low - 1, 0), None))
            if more is not None:
                for name, left, right in _references(derivations, item):
                    yield name, left, right + more
        case _:
            raise TypeError(node)


# Search for a text with two derivations, or for two texts that differ after a common prefix.
#
# A* over pairs of derivations: equal until they fork, then through the same characters. The length
# of the shortest rest is the estimate, so the first text found is a shortest one. Rules can be
# named in which the two derivations must differ: where they begin or where they end.


class TreeNode(NamedTuple):
    """A rule or token of a derivation, its text, and the nodes in it."""

    name: str
    text: str
    inside: "tuple[TreeNode, ...]"


class Fork(NamedTuple):
    """Two texts with a common prefix, and the watched rules that end after it in one of them."""

    common: str
    first: str
    text: str
    second: str
    other: str


class _Pairing(NamedTuple):
    """The stacks of two derivations, which are equal until they are ``apart``.

    ``begun`` and ``also``: the watched rules that each has begun and ended since the last
    character. ``differ``: these differed before. ``ended``: rules that only one of them ended right
    before the last character.
    """

    left: int
    right: int
    apart: bool
    begun: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    differ: bool = False
    ended: tuple[str, str] = ("", "")


# A pair, the events of each derivation on the way there, and the number of characters read.
_Move: TypeAlias = "tuple[_Pairing, tuple[str, ...], tuple[str, ...], int]"


@dataclass(eq=False, slots=True)
class Search:
    """Looks for two derivations of one text.

    fork: two texts in which a watched rule ends differently, ``None`` until they are found.
    finished: whether all pairs have been visited.
    steps: the number of steps from pair to pair.
    """

    derivations: Derivations
    watched: Mapping[str, str]
    fork: Fork | None = None
    finished: bool = False
    steps: int = 0
    _reads: dict[_Pairing, int] = field(default_factory=dict)
    _moves: dict[_Pairing, _Move] = field(default_factory=dict)

    def found(self, rule: str, limit: int) -> tuple[TreeNode, TreeNode] | None:
        """Find two derivations of a shortest text of a rule, within ``limit`` steps."""
        begun = self.derivations.begun(rule)
        start = _Pairing(begun, begun, apart=False)
        self._reads[start] = 0
        doubtful = False
        length = self.derivations.length
        pending = [(self.derivations.length(begun), 0, 0, start)]
        while pending:
            _, _, read, here = heapq.heappop(pending)
            if read > self._reads[here]:
                continue  # it was reached by a shorter text since (Dijkstra)
            if (
                here.apart
                and here.left == here.right == DONE
                and (not self.watched or here.differ or here.begun != here.also)
            ):
                first, second = (_reading(self._events(here, side)) for side in (1, 2))
                if first != second:  # else an empty text was derived in two ways
                    return first, second
                doubtful = True
            if any(here.ended) and self.fork is None:
                self.fork = self._forked(here)
            for move in self._after(here):
                if self.steps > limit:  # one pair may lead to millions
                    return None
                self.steps += 1
                there, now = move[0], read + move[3]
                known = self._reads.get(there)
                if known is not None and now >= known:
                    continue
                self._reads[there], self._moves[there] = now, (here, *move[1:])
                # What is left is at least as long as the shortest end of either (A* search).
                more = max(length(there[0]), length(there[1]))
                heapq.heappush(pending, (now + more, len(self._reads), now, there))
        self.finished = not doubtful
        return None

    def _after(self, here: _Pairing) -> Iterator[_Move]:
        """Yield the pairs after a step, with the events of each derivation."""
        steps = self.derivations.steps
        reads = self.derivations.reading(here.left)
        others = self.derivations.reading(here.right)
        if reads is not None and others is not None:
            read = self._compared(here)
            for label in sorted(reads.keys() & others.keys()):
                events = (READ + self.derivations.alphabet.sample(label),)
                yield _Pairing(reads[label], others[label], *read[2:]), events, events, 1
        elif not here.apart:
            # While they are equal, each unordered pair of steps is enough.
            ways = steps(here.left)
            for number, one in enumerate(ways):
                yield _Pairing(one.stack, one.stack, apart=False), one.events, one.events, 0
                for other in ways[number + 1 :]:
                    yield self._left(self._right(here, other), one), one.events, other.events, 0
        elif reads is None and here.left != DONE:
            for one in steps(here.left):
                yield self._left(here, one), one.events, (), 0
        else:
            for one in steps(here.right):
                yield self._right(here, one), (), one.events, 0

    def _left(self, here: _Pairing, step: StackStep) -> _Pairing:
        begun = (*here.begun, *self._noted(here, step))
        return here._replace(left=step.stack, apart=True, begun=begun)

    def _right(self, here: _Pairing, step: StackStep) -> _Pairing:
        also = (*here.also, *self._noted(here, step))
        return here._replace(right=step.stack, apart=True, also=also)

    def _noted(self, here: _Pairing, step: StackStep) -> Iterator[str]:
        """Yield the watched rules that begin and end in a step, as long as they are needed."""
        for event in step.events if not here.differ or self.fork is None else ():
            name = event.removeprefix(ENDED)
            if name in self.watched:
                yield event.removesuffix(name) + self.watched[name]

    @staticmethod
    def _compared(here: _Pairing) -> _Pairing:
        """Compare the events of both derivations before they read a character."""
        if here.begun == here.also:
            return _Pairing(here.left, here.right, here.apart, differ=here.differ)
        alone = [one for one in here.begun if one not in here.also]
        other = [one for one in here.also if one not in here.begun]
        first, second = (
            next((one[1:] for one in events if one[0] == ENDED and one[1] != TOKEN), "")
            for events in (alone, other)
        )
        return _Pairing(here.left, here.right, here.apart, differ=True, ended=(first, second))

    def _events(self, pair: _Pairing, side: int) -> list[str]:
        """Return the events of one of the derivations from the start to a pair."""
        found: list[tuple[str, ...]] = []
        while pair in self._moves:
            move = self._moves[pair]
            found.append(move[1] if side == 1 else move[2])
            pair = move[0]
        return [event for events in reversed(found) for event in events]

    def _forked(self, pair: _Pairing) -> Fork:
        events = self._events(pair, 1)
        common = "".join(event[1:] for event in events if event.startswith(READ))
        left, right = map(self.derivations.completion, pair[:2])
        return Fork(common, pair.ended[0], common + left, pair.ended[1], common + right)


def _reading(events: Iterable[str]) -> TreeNode:
    begun: list[tuple[str, list[TreeNode], list[str]]] = [("", [], [])]
    for event in events:
        if event.startswith(READ):
            begun[-1][2].append(event.removeprefix(READ))
        elif event.startswith(ENDED):
            name, inside, text = begun.pop()
            found = TreeNode(name, "".join(text), tuple(inside))
            begun[-1][1].append(found)
            begun[-1][2].append(found.text)
        else:
            begun.append((event, [], []))
    return begun[0][1][0]
