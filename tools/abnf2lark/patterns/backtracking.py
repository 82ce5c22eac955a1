"""How many ways through an expression a matcher that backtracks may have to try.

Such a matcher goes on from every way in which the text so far can be read, one after the other; so
its time is bounded by that number at each character. It is counted exactly, for all texts at once:
an automaton of the expression's places is made deterministic with the number of ways to each place.
Where the numbers stay small, time is linear; where they grow with the text, it is not. That loops
may never give back is left out of account, for it only spares ways.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import Alphabet, TooLargeError, spend
from abnf2lark.patterns.determinism import NO_CHARS, deterministic
from abnf2lark.reading.ir import Alt, Capture, Chars, Node, Rep, Seq, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WAYS = 100  # at one character of any text
MAX_PLACES = 3_000  # of characters in the expression, counted repetitions written out
MAX_STEPS = 200_000  # between sets of places

Ways: TypeAlias = "tuple[tuple[int, int], ...]"  # places, each with the number of ways to it


@dataclass(frozen=True, slots=True)
class Backtracking:
    """Why an expression is not known to match in linear time.

    ``text`` is the beginning of texts that can be read in many ways; empty where nobody can tell.
    """

    text: str

    def __str__(self) -> str:
        if not self.text:
            return "it is too large to tell how far it backtracks"
        return f"it backtracks without bound, as behind {self.text!r}"


def backtracking(node: Node) -> Backtracking | None:
    """Return a text that makes the expression backtrack; ``None`` if its time is linear."""
    if deterministic(node, NO_CHARS):
        return None
    try:
        places = _Places(node)
    except (TooLargeError, RecursionError):
        return Backtracking("")
    return places.explored()


@dataclass(slots=True)
class _Part:
    """A part of an expression: the places it begins and ends with, and how often it is empty."""

    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    empty: int = 0


class _Places:
    """The automaton of the places at which an expression reads a character."""

    def __init__(self, node: Node) -> None:
        self.alphabet = Alphabet([node])
        self.labels: list[frozenset[int]] = [frozenset()]  # place 0 is the beginning
        self.after: list[dict[int, int]] = [{}]
        whole = self.part(node)
        self.after[0] = whole.first

    def place(self, chars: Chars) -> _Part:
        if len(self.labels) > MAX_PLACES:
            raise TooLargeError
        self.labels.append(self.alphabet.classes(chars))
        self.after.append({})
        number = len(self.labels) - 1
        return _Part({number: 1}, {number: 1}, 0)

    def part(self, node: Node) -> _Part:
        match node:
            case Chars():
                return self.place(node)
            case Text(value):
                return self.sequence(self.place(Chars.single(char)) for char in value)
            case Seq(items):
                return self.sequence(map(self.part, items))
            case Capture(_, item):
                return self.part(item)
            case Alt(items):
                found = _Part()
                for item in items:
                    _add(found, self.part(item))
                return found
            case Rep(item, low, None):
                turns = [self.part(item) for _ in range(max(low, 1))]
                self.join(turns[-1], turns[-1])
                turns[-1] = _looped(turns[-1], low)
                return self.sequence(turns)
            case Rep(item, low, high):
                found = _Part(empty=1)
                for _ in range((high or 0) - low):
                    found = self.sequence([self.part(item), found])
                    found.empty += 1
                return self.sequence([*(self.part(item) for _ in range(low)), found])
            case _:
                raise TypeError(node)

    def sequence(self, parts: Iterable[_Part]) -> _Part:
        found = _Part(empty=1)
        for part in parts:
            self.join(found, part)
            first = {**found.first}
            _more(first, part.first, found.empty)
            last = {**part.last}
            _more(last, found.last, part.empty)
            found = _Part(first, last, min(found.empty * part.empty, MAX_WAYS + 1))
        return found

    def join(self, left: _Part, right: _Part) -> None:
        for place, ways in left.last.items():
            _more(self.after[place], right.first, ways)

    def explored(self) -> Backtracking | None:
        """Follow all texts, those with the most ways first."""
        start: Ways = ((0, 1),)
        texts: dict[Ways, tuple[Ways, int] | None] = {start: None}
        pending: list[tuple[int, int, Ways]] = [(0, 0, start)]
        steps = spent = 0
        while pending:
            _, _, here = heapq.heappop(pending)
            moves: dict[int, dict[int, int]] = {}
            for place, ways in here:
                for target, times in self.after[place].items():
                    for label in self.labels[target]:
                        row = moves.setdefault(label, {})
                        row[target] = row.get(target, 0) + ways * times
                        steps += 1
            spend(steps - spent)
            spent = steps
            if steps > MAX_STEPS:
                return Backtracking("")
            for label, row in moves.items():
                there = tuple(sorted(row.items()))
                if there in texts:
                    continue
                texts[there] = (here, label)
                total = sum(row.values())
                if total > MAX_WAYS:
                    return Backtracking(self.text(there, texts))
                heapq.heappush(pending, (-total, len(texts), there))
        return None

    def text(self, ways: Ways, texts: dict[Ways, tuple[Ways, int] | None]) -> str:
        found: list[str] = []
        step = texts[ways]
        while step is not None:
            found.append(self.alphabet.sample(step[1]))
            step = texts[step[0]]
        return "".join(reversed(found))


def _looped(turn: _Part, low: int) -> _Part:
    """Return a loop; behind each of its ends, an empty turn may come before what follows."""
    last: dict[int, int] = {}
    _more(last, turn.last, 1 + turn.empty)
    return _Part(turn.first, last, turn.empty + (low == 0 or turn.empty > 0))


def _add(found: _Part, other: _Part) -> None:
    _more(found.first, other.first, 1)
    _more(found.last, other.last, 1)
    found.empty = min(found.empty + other.empty, MAX_WAYS + 1)


def _more(found: dict[int, int], other: dict[int, int], times: int) -> None:
    """Add ways to places, so many times; more than can be allowed are as good as those."""
    if times:
        for place, ways in other.items():
            found[place] = min(found.get(place, 0) + ways * times, MAX_WAYS + 1)
