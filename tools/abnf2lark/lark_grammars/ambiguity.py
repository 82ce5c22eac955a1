"""Ambiguity search: find a text that a grammar reads in two ways."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Literal, NamedTuple

from abnf2lark.automata import Alphabet, TooLargeError
from abnf2lark.lark_grammars.components import terminal_languages
from abnf2lark.lark_grammars.derivations import DONE, ENDED, Derivations, surroundings
from abnf2lark.lark_grammars.kept_tokens import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.derivations import Step


# Search for a text that a grammar over tokens reads in two ways, or goes on with in two.
#
# Two derivations go side by side: as one until they part, then through the same characters. Pairs
# of which the least is left to be read come first, so what is found first is a shortest text.
# Rules may be named that the two have to differ in: where they begin, or where they end.

READ = " "  # before a character that is read
TOKEN = "_"  # before the name of a token: no rule ends with it


class Reading(NamedTuple):
    """A rule or token of a derivation, its text, and what is inside of it."""

    name: str
    text: str
    inside: tuple[Reading, ...]


class Fork(NamedTuple):
    """Two texts that begin alike; before the last character of that, rules have ended in each.

    ``first`` and ``second`` are the rules, of those that are watched, that have ended in one text
    alone; not both are empty.
    """

    common: str
    first: str
    text: str
    second: str
    other: str


class _Pair(NamedTuple):
    """What two derivations have left to derive; until they are ``apart`` they are one.

    ``begun`` and ``also`` are what each has begun and ended of the rules that are watched since the
    last character; ``differ``: they have done so in different ways before. ``ended`` are rules that
    each of them alone has ended right before the last character.
    """

    left: int
    right: int
    apart: bool
    begun: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    differ: bool = False
    ended: tuple[str, str] = ("", "")


class _Move(NamedTuple):
    """How a pair came about: the pair before, what each did, and what both have read."""

    origin: _Pair
    left: Step | None
    right: Step | None
    character: str


class Search:
    """Looks for two derivations of one text.

    Attributes:
        fork: two texts with different ends of a rule that is watched; ``None`` as long as none is
            found.
        finished: whether all pairs have been looked at.
        steps: from one pair to another that have been taken.

    """

    def __init__(
        self, derivations: Derivations, alphabet: Alphabet, watched: Mapping[str, str]
    ) -> None:
        self.derivations = derivations
        self.alphabet = alphabet
        self.watched = watched
        self.fork: Fork | None = None
        self.finished = False
        self.steps = 0
        self._reads: dict[_Pair, int] = {}
        self._moves: dict[_Pair, _Move] = {}

    def found(self, rule: str, limit: int) -> tuple[Reading, Reading] | None:
        """Find two derivations of a shortest text of a rule; take so many steps at most."""
        begun = self.derivations.begun(rule)
        start = _Pair(begun, begun, apart=False)
        self._reads[start] = 0
        doubtful = False
        pending = [(self.derivations.length(begun), 0, 0, start)]
        while pending:
            _, _, read, here = heapq.heappop(pending)
            if read > self._reads[here]:
                continue
            if here.apart and here.left == here.right == DONE and self._differs(here):
                first, second = self._told(here)
                if first != second:  # else two ways to leave out what is optional in what is
                    return first, second
                doubtful = True
            if any(here.ended) and self.fork is None:
                self.fork = self._forked(here)
            for move, there in self._after(here):
                if self.steps > limit:  # one pair may lead to millions
                    return None
                self.steps += 1
                now = read + len(move.character)
                if now >= self._reads.get(there, now + 1):
                    continue
                self._reads[there], self._moves[there] = now, move
                left, right = map(self.derivations.length, there[:2])
                heapq.heappush(pending, (now + max(left, right), len(self._reads), now, there))
        self.finished = not doubtful
        return None

    def _after(self, here: _Pair) -> Iterator[tuple[_Move, _Pair]]:
        """Yield the pairs that a pair leads to."""
        steps = self.derivations.steps
        reads = self.derivations.reading(here.left)
        others = self.derivations.reading(here.right)
        if reads is not None and others is not None:
            read = self._compared(here)
            for label in sorted(reads.keys() & others.keys()):
                char = self.alphabet.sample(label)
                there = read._replace(left=reads[label], right=others[label])
                yield _Move(here, None, None, char), there
        elif not here.apart:
            ways = steps(here.left)
            for number, one in enumerate(ways):
                yield _Move(here, one, one, ""), _Pair(one.stack, one.stack, apart=False)
                for other in ways[number + 1 :]:
                    yield _Move(here, one, other, ""), self._stepped(here, one, other)
        elif reads is None and here.left != DONE:
            for one in steps(here.left):
                yield _Move(here, one, None, ""), self._stepped(here, one, None)
        else:
            for one in steps(here.right):
                yield _Move(here, None, one, ""), self._stepped(here, None, one)

    def _stepped(self, here: _Pair, left: Step | None, right: Step | None) -> _Pair:
        found = here._replace(apart=True)
        if left is not None:
            found = found._replace(left=left.stack, begun=self._noted(here, here.begun, left))
        if right is not None:
            found = found._replace(right=right.stack, also=self._noted(here, here.also, right))
        return found

    def _noted(self, here: _Pair, events: tuple[str, ...], step: Step) -> tuple[str, ...]:
        """Note the watched rules that begin and end, as long as that is of interest."""
        if here.differ and self.fork is not None:
            return events
        found: list[str] = []
        for event in step.events:
            name = event.removeprefix(ENDED)
            if name in self.watched:
                found.append(event.removesuffix(name) + self.watched[name])
        return (*events, *found)

    def _differs(self, here: _Pair) -> bool:
        return not self.watched or here.differ or here.begun != here.also

    @staticmethod
    def _compared(here: _Pair) -> _Pair:
        """Compare what both have done before they read a character."""
        if here.begun == here.also:
            return here._replace(begun=(), also=(), ended=("", ""))
        alone = [one for one in here.begun if one not in here.also]
        other = [one for one in here.also if one not in here.begun]
        first, second = (
            next((one[1:] for one in events if one[0] == ENDED and one[1] != TOKEN), "")
            for events in (alone, other)
        )
        return here._replace(begun=(), also=(), differ=True, ended=(first, second))

    def _way(self, pair: _Pair) -> list[_Move]:
        """Return how a pair was come to."""
        way: list[_Move] = []
        while (move := self._moves.get(pair)) is not None:
            way.append(move)
            pair = move.origin
        return way[::-1]

    def _forked(self, pair: _Pair) -> Fork:
        common = "".join(move.character for move in self._way(pair))
        left, right = map(self.derivations.completion, pair[:2])
        return Fork(common, pair.ended[0], common + left, pair.ended[1], common + right)

    def _told(self, pair: _Pair) -> tuple[Reading, Reading]:
        way = self._way(pair)
        return _reading(_events(way, "left")), _reading(_events(way, "right"))


def _events(way: Iterable[_Move], side: Literal["left", "right"]) -> Iterator[str]:
    """Yield what one of the derivations does, and the characters that it reads."""
    for move in way:
        step: Step | None = getattr(move, side)
        if step is not None:
            yield from step.events
        if move.character:
            yield READ + move.character


def _reading(events: Iterable[str]) -> Reading:
    """Put together what steps and characters make."""
    begun: list[tuple[str, list[Reading], list[str]]] = [("", [], [])]
    for event in events:
        if event.startswith(READ):
            begun[-1][2].append(event.removeprefix(READ))
        elif event.startswith(ENDED):
            name, inside, text = begun.pop()
            found = Reading(name, "".join(text), tuple(inside))
            begun[-1][1].append(found)
            begun[-1][2].append(found.text)
        else:
            begun.append((event, [], []))
    return begun[0][1][0]


# Say of rules that LALR cannot decide on which texts they part, or that they are ambiguous.

MAX_STEPS = 150_000  # between pairs of derivations; about two seconds
PART_OF_ONE = 8  # for texts of one rule
MAX_SHOWN = 100  # characters of a text in a message
MAX_PARTS = 6  # of a reading


def told_apart(components: Components, rules: Collection[str], max_steps: int = MAX_STEPS) -> str:
    """Say on which texts rules part that have the given names in the ABNF; empty if unknown."""
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    try:
        words = terminal_languages(components, alphabet)
        derivations = Derivations(components.rules, words, alphabet)
        watched = {lark: name for lark, name in components.abnf_names.items() if name in rules}
        starts = {
            start: around
            for start in components.starts.values()
            if not watched.keys().isdisjoint(around := surroundings(derivations, start))
        }
    except (TooLargeError, RecursionError):
        return ""
    for token in components.terminals.values():
        if token.rule in rules and not token.name.startswith(HIDDEN):
            watched[token.name] = TOKEN + token.name
    # What is inside of a rule is found sooner than in whole texts.
    differing = watched if len(rules) > 1 else {}
    left = max_steps
    for around in starts.values():
        for rule in sorted(watched.keys() & around.keys()):
            search = Search(derivations, alphabet, differing)
            readings = search.found(rule, min(max_steps // PART_OF_ONE, left))
            left -= search.steps
            if readings:
                whole = readings[0].text.join(around[rule])
                return _ambiguous(*readings, whole, components)
    finished, fork = True, ""
    for start in starts or components.starts.values():
        search = Search(derivations, alphabet, watched)
        readings = search.found(start, max_steps // len(starts or components.starts))
        if readings:
            return _ambiguous(*readings, readings[0].text, components)
        finished = finished and search.finished
        fork = fork or _forked(search.fork)
    if not watched:
        return ""
    if finished:
        told = f"not ambiguous in {' and '.join(sorted(rules))}, but it needs more lookahead"
    else:
        told = f"not known to be ambiguous after {max_steps} steps; it may need more lookahead"
    return f"{told}{fork}"


def _forked(fork: Fork | None) -> str:
    if fork is None:
        return ""
    first, second = (fork.first, fork.text), (fork.second, fork.other)
    (rule, text), (other, instead) = (first, second) if fork.first else (second, first)
    where = f": {rule} ends behind {_shown(fork.common[:-1])} in {_shown(text)}"
    return (
        f"{where}, {other} in {_shown(instead)}" if other else f"{where}, not in {_shown(instead)}"
    )


def _ambiguous(first: Reading, second: Reading, whole: str, components: Components) -> str:
    """Say how a text is read in two ways, and by which rule of those inside."""
    first, second = _inmost(first, second, components)
    rule = components.abnf_names[first.name]
    ways = [_parts(reading, components) for reading in (first, second)]
    told = f"ambiguous: {rule} reads {_shown(first.text)} "
    told += f"as {' or as '.join(ways)}" if ways[0] != ways[1] else "in two ways"
    return told if whole == first.text else f"{told}, as in {_shown(whole)}"


def _inmost(first: Reading, second: Reading, components: Components) -> tuple[Reading, Reading]:
    """Return the inmost rule whose parts differ, in either reading."""
    ways = [_inside(reading, components) for reading in (first, second)]
    if [one[:2] for one in ways[0]] == [one[:2] for one in ways[1]]:
        for one, other in zip(*ways, strict=True):
            if one != other:
                return _inmost(one, other, components)
    return first, second


def _inside(reading: Reading, components: Components) -> list[Reading]:
    """Return the nodes and tokens right inside of a rule."""
    found: list[Reading] = []
    for one in reading.inside:
        hidden = one.name in components.rules and one.name.startswith("_")
        found += _inside(one, components) if hidden else [one]
    return found


def _parts(reading: Reading, components: Components) -> str:
    parts = [
        f"{components.abnf_names[one.name]} {_shown(one.text)}"
        if one.name in components.rules
        else _shown(one.text)
        for one in _inside(reading, components)
    ]
    parts = parts if len(parts) <= MAX_PARTS else [*parts[: MAX_PARTS - 1], "…"]
    return " + ".join(parts) or "nothing"


def _shown(text: str) -> str:
    return repr(text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…")
