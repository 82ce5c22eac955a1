"""Find the tokens that a lexer may take at their longest without losing a text."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import Language, TooLargeError, spend
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.matchers import of_language
from abnf2lark.patterns.passes import NO_CHARS, deterministic, factored, optimize
from abnf2lark.patterns.proof import backtracking, complement, language_of, takes_longest
from abnf2lark.reading.ir import Alt, Ref, Rep, Seq, children, references

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from abnf2lark.automata import Alphabet
    from abnf2lark.reading.ir import Node


ANY_CHARS = complement(NO_CHARS)


def longest_first(node: Node, words: Language, alphabet: Alphabet) -> str | None:
    """Write an expression that takes the longest text first, in linear time; ``None`` if none is.

    ``words`` are those of ``node``.
    """
    for way in longest_ways(optimize(node), words, alphabet):
        if backtracking(way) is None:
            text = pattern(way, PYTHON, ANY_CHARS)
            if language_of(text, alphabet, ANY_CHARS) == words:
                return text
    return None


def longest_ways(node: Node, words: Language, alphabet: Alphabet) -> Iterator[Node]:
    """Yield expressions for the words of ``node`` that match the longest text first.

    Those that are decided character by character come first, then those that do not backtrack.
    """
    ways = [node, factored(node)]
    with suppress(TooLargeError):
        read = of_language(words, alphabet)
        ways += [optimize(factored(read)), factored(read)]
    # An expression in which each character decides how to go on has no choice to make wrongly.
    decided = {way: deterministic(way, NO_CHARS) for way in ways}
    for way in sorted(decided, key=lambda one: (not decided[one], backtracking(one) is not None)):
        if decided[way] or takes_longest(way, words, alphabet):
            yield way


# What can follow a token of a grammar over tokens: more than it allows, by a finite automaton.
#
# Where a rule ends, what follows it anywhere can follow: nothing counts the rules that are open.
# What cannot follow here cannot follow in the grammar.


class Next(NamedTuple):
    """A token that can come next, and the place after it."""

    token: str
    behind: int


class Continuations:
    """The places of a grammar, and the tokens that can come next at each.

    Attributes:
        behind: for each token, the places after it.

    """

    def __init__(self, rules: Mapping[str, Node]) -> None:
        self._jumps: list[list[int]] = []
        self._reads: list[Next | None] = []
        self._known: dict[int, tuple[Next, ...]] = {}
        self.behind: dict[str, list[int]] = {}
        self._begins = {name: self._place() for name in rules}
        self._ends = {name: self._place() for name in rules}
        for name, body in rules.items():
            self._jumps[self._add(body, self._begins[name])].append(self._ends[name])

    def following(self, place: int) -> tuple[Next, ...]:
        """Return the tokens that can come next at a place."""
        found = self._known.get(place)
        if found is None:
            seen = {place: None}
            pending = [place]
            while pending:
                for target in self._jumps[pending.pop()]:
                    if target not in seen:
                        seen[target] = None
                        pending.append(target)
            spend(len(seen))
            reads = (self._reads[one] for one in seen)
            found = self._known[place] = tuple(dict.fromkeys(one for one in reads if one))
        return found

    def _place(self) -> int:
        self._jumps.append([])
        self._reads.append(None)
        return len(self._jumps) - 1

    def _add(self, node: Node, place: int) -> int:
        """Add an expression at a place; return the place after it."""
        match node:
            case Ref(name):
                behind = self._place()
                if name in self._begins:
                    self._jumps[place].append(self._begins[name])
                    self._jumps[self._ends[name]].append(behind)
                else:
                    token = self._place()
                    self._jumps[place].append(token)
                    self._reads[token] = Next(name, behind)
                    self.behind.setdefault(name, []).append(behind)
                return behind
            case Seq(items):
                for item in items:
                    place = self._add(item, place)
                return place
            case Alt(items):
                behind = self._place()
                for item in items:
                    self._jumps[self._add(item, place)].append(behind)
                return behind
            case Rep(item, low, high):
                turn, behind = self._place(), self._place()
                self._jumps[place].append(turn)
                end = self._add(item, turn)
                self._jumps[end] += [behind] if high == 1 else [behind, turn]
                if low == 0:
                    self._jumps[place].append(behind)
                return behind
            case _:
                raise TypeError(node)


# Which tokens an Earley parser may take at their longest alone, so that no text is lost.
#
# Lark's dynamic lexer asks each expression that may come at a place for one text, and follows all
# that match. So it matters only where a token ends. A derivation whose tokens are not the longest
# is made into one whose tokens are, from left to right, where of each token T this holds: what a
# longer T takes from the tokens after it,
#
# * is nothing, since no text that can follow T begins with it; or
# * is all of some tokens that the grammar can do without wherever they stand, and then a
#   beginning of another that is still one without it, unless T would go on within that.

DEAD = -1  # the state that a text leads to which begins no word


def optional_names(rules: Mapping[str, Node], starts: Iterable[str]) -> frozenset[str]:
    """Return the rules and tokens that can be left out of a text, each where it stands."""
    found = rules.keys() | {ref.name for body in rules.values() for ref in references(body)}
    found -= {*starts}
    while True:
        needed: set[str] = set()
        spend(len(rules))
        for name, body in rules.items():
            _find_needed(body, needed, without=name in found)
        if found.isdisjoint(needed):
            return frozenset(found)
        found -= needed


def _find_needed(node: Node, needed: set[str], *, without: bool) -> None:
    """Find what cannot be left out of an expression; ``without``: it can be, as a whole."""
    match node:
        case Ref(name):
            if not without:
                needed.add(name)
        case Rep(item, low):
            _find_needed(item, needed, without=low == 0 or (without and low == 1))
        case Alt(items):
            for item in items:
                _find_needed(item, needed, without=without)
        case _:
            for item in children(node):
                _find_needed(item, needed, without=False)


class _Taking(NamedTuple):
    """A longer token reads on: it is in a state of its own, and in one of a token after it.

    ``needed``: it has taken all of a token that the grammar cannot do without.
    """

    taken: int
    token: str
    behind: int
    state: int = 0
    needed: bool = False


class LongestTokens:
    """The tokens of a grammar, and whether the longest of each is enough."""

    def __init__(
        self, rules: Mapping[str, Node], starts: Iterable[str], words: Mapping[str, Language]
    ) -> None:
        self.rules = rules
        self.starts = starts
        self.words = words
        self.continuations = Continuations(rules)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The tokens that the grammar can do without wherever they stand."""
        return optional_names(self.rules, self.starts)

    def lost(self, name: str) -> frozenset[int]:
        """Return the characters with which a token goes on where it takes what is missed after it.

        None: its longest text is enough.
        """
        words = self.words[name]
        if not any(words.edges[state] for state in words.final):
            return frozenset()  # no text of it can be longer
        places = self.continuations.behind.get(name, ())
        begun = {one for place in places for one in self.continuations.following(place)}
        first: dict[int, set[_Taking]] = {}
        for state in words.final:
            for one in begun:
                for label, step in self._steps(words, _Taking(state, *one)):
                    first.setdefault(label, set()).add(step)
        # Characters after which the same is open lose the same: it is looked at once.
        alike = {frozenset(steps) for steps in first.values()}
        losing = {steps for steps in alike if self._loses(words, steps)}
        return frozenset(label for label, steps in first.items() if steps in losing)

    def _loses(self, words: Language, steps: frozenset[_Taking]) -> bool:
        """Return whether something is missed where a token has taken more."""
        pending = [*steps]
        seen = {*steps}
        while pending:
            step = pending.pop()
            # Only where the longer text is a word does the lexer take it at all.
            if step.taken in words.final and self._is_lost(words, step):
                return True
            for here in self._after(step):
                for _, after in self._steps(words, here):
                    if after not in seen:
                        seen.add(after)
                        pending.append(after)
        return False

    def _steps(self, words: Language, here: _Taking) -> Iterator[tuple[int, _Taking]]:
        """Yield what is taken with one character more."""
        row, other = words.edges[here.taken], self.words[here.token].edges[here.state]
        spend(1 + len(row))
        for label in row.keys() & other.keys():
            yield label, here._replace(taken=row[label], state=other[label])

    def _after(self, here: _Taking) -> Iterator[_Taking]:
        """Yield where what is taken can go on: in this token, or in the next one."""
        yield here
        if here.state in self.words[here.token].final:
            needed = here.needed or here.token not in self.optional
            for one in self.continuations.following(here.behind):
                yield _Taking(here.taken, *one, needed=needed)

    def _is_lost(self, words: Language, here: _Taking) -> bool:
        """Return whether a token may end here, and leave what is no longer of the grammar.

        It takes the longest text: so it ends before no rest of the other token with which it would
        go on.
        """
        other = self.words[here.token]
        needed = here.needed
        if here.state in other.final and (needed or here.token not in self.optional):
            return True  # all of a token is taken that cannot be left out
        # What is left of the other token has to be one of its words, too, unless the token that
        # takes would have gone on within it: all three are followed at once.
        start = (here.taken, here.state, 0)
        pending = [start]
        seen = {start}
        while pending:
            taken, state, rest = pending.pop()
            spend(1 + len(other.edges[state]))
            for label, target in other.edges[state].items():
                more = words.edges[taken].get(label, DEAD) if taken != DEAD else DEAD
                if more in words.final:
                    continue
                left = other.edges[rest].get(label, DEAD) if rest != DEAD else DEAD
                if target in other.final and (needed or left not in other.final):
                    return True
                there = (more, target, left)
                if there not in seen:
                    seen.add(there)
                    pending.append(there)
        return False
