"""Whether a matcher that backtracks finds the longest of all texts that an expression matches.

It takes the first way that leads to a match, not the longest one. Which way that is can be told
without backtracking: all ways are followed at once in their order, and one that is at its end puts
away those behind it, which come too late. It is the longest wherever no text that belongs to the
expression ends where nothing but such ways do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import TooLargeError, spend
from abnf2lark.reading.ir import Alt, Capture, Chars, Rep, Seq, Text, is_nullable

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet, Language
    from abnf2lark.reading.ir import Node

MAX_STATES = 5_000

Ways: TypeAlias = tuple[int, ...]


def takes_longest(node: Node, words: Language, alphabet: Alphabet) -> bool:
    """Tell whether the first match is the longest; it may be that something has to follow it.

    ``words`` is the language of the expression.
    """
    try:
        return _Ways(node, alphabet).longest(words)
    except TooLargeError:
        return False


class _Ways:
    """The places of an expression, with those that each leads to in the order of the matcher."""

    def __init__(self, node: Node, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.read: list[frozenset[int]] = [frozenset()]  # place 0 is the end
        self.leading: list[Ways] = [()]
        self.start = self.before(node, 0)

    def place(self, labels: frozenset[int], leading: Ways) -> int:
        if len(self.read) > MAX_STATES:
            raise TooLargeError
        self.read.append(labels)
        self.leading.append(leading)
        return len(self.read) - 1

    def before(self, node: Node, after: int) -> int:
        """Return the place at which an expression begins that leads to another."""
        match node:
            case Chars():
                return self.place(self.alphabet.classes(node), (after,))
            case Text(value):
                for char in reversed(value):
                    after = self.before(Chars.single(char), after)
                return after
            case Seq(items):
                for item in reversed(items):
                    after = self.before(item, after)
                return after
            case Alt(items):
                return self.place(frozenset(), tuple(self.before(item, after) for item in items))
            case Capture(_, item):
                return self.before(item, after)
            case Rep(item, low, high):
                if is_nullable(item):  # matchers differ in what they do then
                    raise TooLargeError
                if high is None:
                    loop = self.place(frozenset(), ())
                    self.leading[loop] = (self.before(item, loop), after)
                    after = loop
                else:
                    end = after
                    for _ in range(high - low):
                        after = self.place(frozenset(), (self.before(item, after), end))
                for _ in range(low):
                    after = self.before(item, after)
                return after
            case _:
                raise TypeError(node)

    def closed(self, places: list[int]) -> Ways:
        """Follow the ways that read nothing, depth first."""
        found: dict[int, None] = {}
        seen: set[int] = set()
        pending = places[::-1]
        while pending:
            place = pending.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == 0 or self.read[place]:
                found[place] = None
            else:
                pending += reversed(self.leading[place])
        return tuple(found)

    def longest(self, words: Language) -> bool:
        """Tell whether each word ends on a way that has not been put away."""
        pending = [(self.closed([self.start]), 0)]
        seen = set(pending)
        while pending:
            ways, state = pending.pop()
            spend(len(ways) + 1)
            if state in words.final and 0 not in ways:
                return False
            # What follows may let this match be one, or not.
            cut = ways[: ways.index(0)] if 0 in ways else ways
            for kept in {ways, cut}:
                for label, target in words.edges[state].items():
                    after = [self.leading[one][0] for one in kept if label in self.read[one]]
                    there = (self.closed(after), target)
                    if there not in seen:
                        seen.add(there)
                        if len(seen) > MAX_STATES:
                            raise TooLargeError
                        pending.append(there)
        return True
