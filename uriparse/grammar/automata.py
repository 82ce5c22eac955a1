"""The generated automata of rules: how far a text can go on, whole automata, and witnesses."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from uriparse._compiled._packed import ABSENT, load
from uriparse._compiled.index import WITNESSED
from uriparse.grammar.matchers import rules, spelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from uriparse._compiled._packed import Section


# How far a text can go on, by the generated automata.
#
# For every rule there is an automaton that reads a text as long as some text of the rule goes on
# with it. Its state tells whether the text may end there, and what each rule under way expects.

NONE = ABSENT
"""The next state in a row where the text cannot go on."""

_LAST = 0x10FFFF
"""The last code point."""

_STEPS = 16
"""Characters read one by one before it is tried, from as many states as a round has, to leap over
all that leads back to the state."""

_ROUNDS = 500
"""Rounds in one leap: `re` keeps something for each until the end, and memory has to be bounded."""

_LONGEST_ROUND = 3
"""Characters of the rounds that are leapt over: one, or a triplet."""


class Group(NamedTuple):
    """What one rule that is under way expects next, in ABNF words."""

    component: str
    rule: str
    words: tuple[str, ...]


class Stop(NamedTuple):
    """Where a text stops: the offset, whether it may end there, and what could have followed."""

    offset: int
    may_end: bool
    groups: tuple[Group, ...]


def longest_prefix(text: str, rule: str, grammar: str = "rfc3986") -> Stop:
    """Find the longest prefix of `text` that some text of the rule continues; linear in time.

    Its length is `len(text)` if the whole text can go on (and is valid if `may_end`).
    UnknownRuleError if there is no such rule.

    >>> stop = longest_prefix("http://u@h:80x/", "URI")
    >>> stop.offset, stop.may_end, stop.groups[0]
    (13, True, Group(component='port', rule='port', words=('DIGIT',)))
    """
    automaton = shipped_automaton(grammar)
    offset, state = automaton.read(text, automaton.starts[spelled(rule, grammar)])
    return automaton.stop(offset, state)


def takes(character: str, grammar: str = "rfc3986") -> bool:
    """Tell whether a character stands as it is in some text of a grammar's widest rule.

    UnknownRuleError if there is no such grammar.

    >>> takes("~"), takes("~", "rfc1738"), takes("<")
    (True, False, False)
    """
    return shipped_automaton(grammar).takes(character)


class Automaton:
    """The joint automaton of the rules of a grammar; rows are decoded when first entered."""

    __slots__ = (
        *("_bounds", "_classes", "_groups", "_label_of", "_labels", "_leaps", "_rows", "_states"),
        *("_taken", "_told", "_words", "ascii_classes", "starts"),
    )

    def __init__(self, tables: Section) -> None:
        self._states = tables.grid("states")
        self._bounds, self._classes = tables.numbers("bounds"), tables.numbers("classes")
        self._taken = tables.numbers("taken")
        self._label_of, self._labels = tables.numbers("label_of"), tables.lists("labels")
        self._groups, self._words = tables.lists("groups"), tables.words("words")
        self._rows: dict[int, tuple[int, ...]] = {}
        self._leaps: dict[int, re.Pattern[str] | None] = {}
        self._told: dict[int, tuple[bool, tuple[Group, ...]]] = {}
        self.ascii_classes = tables.numbers("ascii")
        self.starts = tables.mapping("starts")

    def read(self, text: str, state: int) -> tuple[int, int]:
        """Read on from `state`; give the offset where no step is left, and the state there."""
        ascii_classes, rows = self.ascii_classes, self._rows
        offset, length, tries = 0, len(text), 0
        while offset < length:
            for character in text[offset : offset + (1 if tries else _STEPS)]:
                code = ord(character)
                row = rows.get(state) or self.row(state)
                after = row[ascii_classes[code] if code < 128 else self._class(code)]
                if after == NONE:
                    return offset, state
                state = after
                offset += 1
            tries = (tries or _LONGEST_ROUND) - 1
            if length - offset > _STEPS and (leap := self._leap(state)) is not None:
                while (match := leap.match(text, offset)) is not None:
                    offset, tries = match.end(), 0
        return offset, state

    def takes(self, character: str) -> bool:
        """Tell whether a character is among those that texts of the widest rule hold."""
        code = ord(character)
        label = self.ascii_classes[code] if code < 128 else self._class(code)
        return label in self._taken

    def stop(self, offset: int, state: int) -> Stop:
        """Tell what the tables say about a state."""
        label = self._label_of[state]
        if label not in self._told:
            may_end, *numbers = self._labels[label]
            self._told[label] = bool(may_end), tuple(map(self._group, numbers))
        return Stop(offset, *self._told[label])

    def _group(self, number: int) -> Group:
        component, rule, *words = (self._words[word] for word in self._groups[number])
        return Group(component, rule, tuple(words))

    def row(self, state: int) -> tuple[int, ...]:
        """Give the next state for each class of characters, `NONE` where there is none."""
        row = self._rows[state] = self._states.row(state)
        return row

    def _class(self, code: int) -> int:
        """Give the class of a character beyond ASCII."""
        return self._classes[bisect_right(self._bounds, code) - 1]

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield all code points in order as (first, last, class), those of ASCII one by one."""
        yield from ((code, code, label) for code, label in enumerate(self.ascii_classes))
        ends = (*self._bounds[1:], _LAST + 1)
        for first, end, label in zip(self._bounds, ends, self._classes, strict=True):
            yield first, end - 1, label

    def _leap(self, state: int) -> re.Pattern[str] | None:
        """Give the expression of what leads from a state back to it, None if nothing does.

        An automaton has one way to read a text, so that leaping ends in the state where stepping
        would. A step takes 0.1 µs, a character within a leap a hundredth of that.
        """
        if state not in self._leaps:
            rounds = self._rounds(state, state, _LONGEST_ROUND)
            bounded = f"(?:{'|'.join(rounds)}){{1,{_ROUNDS}}}+"
            self._leaps[state] = re.compile(bounded) if rounds else None
        return self._leaps[state]

    def _rounds(self, state: int, home: int, length: int) -> list[str]:
        """Expressions of the ways from `state` to `home` that first reach it within `length`."""
        if not length:
            return []
        ways: dict[int, list[int]] = {}
        for label, after in enumerate(self.row(state)):
            ways.setdefault(after, []).append(label)
        ways.pop(NONE, None)
        found = []
        for after, labels in ways.items():
            here = self._characters(labels)
            if after == home:
                found.append(here + "++" if state == home else here)
            else:
                found += [here + rest for rest in self._rounds(after, home, length - 1)]
        return found

    def _characters(self, labels: list[int]) -> str:
        """Write the characters of some classes as a set of an expression."""
        wanted = set(labels)
        pieces = [
            re.escape(chr(first)) if first == last else f"{chr(first)}-{chr(last)}"
            for first, last, label in self.spans()
            if label in wanted
        ]
        return f"[{''.join(pieces)}]"


@cache
def shipped_automaton(grammar: str) -> Automaton:
    """Give the joint automaton of a grammar; UnknownRuleError if there is no such grammar."""
    rules(grammar)
    return Automaton(load(grammar, "diagnosis"))


# The automaton of a rule as a whole, for whoever walks all of it.
#
# `automata` reads one text and decodes the rows that it enters; here all that the generated
# tables hold about one rule is decoded.

Spans: TypeAlias = "tuple[tuple[int, int], ...]"


class States(NamedTuple):
    """The states of a rule's automaton, by number; 0 is the first.

    classes: characters that the grammar never tells apart, as ranges of code points in order.
    edges: for each state the next one by the number of the class; a class that cannot follow is
        not there.
    endings: for each state whether a text may end there.
    groups: for each state what the rules under way expect, the outermost first.
    """

    classes: tuple[Spans, ...]
    edges: tuple[Mapping[int, int], ...]
    endings: tuple[bool, ...]
    groups: tuple[tuple[Group, ...], ...]


@cache
def states(rule: str, grammar: str = "rfc3986") -> States:
    """Decode the automaton of a rule, its states in the order in which a walk comes to them.

    UnknownRuleError if there is no such rule.

    >>> found = states("dec-octet")
    >>> len(found.edges), found.endings[0], found.groups[0][0].words
    (6, False, ('dec-octet',))
    """
    automaton = shipped_automaton(grammar)
    first = automaton.starts[spelled(rule, grammar)]
    numbers = {first: 0}
    edges: list[dict[int, int]] = []
    order = [first]
    for state in order:
        row: dict[int, int] = {}
        for label, after in enumerate(automaton.row(state)):
            if after == NONE:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                order.append(after)
            row[label] = numbers[after]
        edges.append(row)
    stops = [automaton.stop(0, state) for state in order]
    return States(
        _classes(grammar),
        tuple(edges),
        tuple(stop.may_end for stop in stops),
        tuple(stop.groups for stop in stops),
    )


@cache
def _classes(grammar: str) -> tuple[Spans, ...]:
    automaton = shipped_automaton(grammar)
    found: dict[int, list[tuple[int, int]]] = {}
    for first, last, label in automaton.spans():
        spans = found.setdefault(label, [])
        if spans and spans[-1][1] == first - 1:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return tuple(tuple(found.get(label, ())) for label in range(max(found) + 1))


# Texts that tell a rule from its mutants: the rules that one edit of the grammar makes of it.

_Kept: TypeAlias = "tuple[list[tuple[str, str]], int, int, int]"


class Witnesses(NamedTuple):
    """What has become of the edits of all rules that a rule leads to.

    texts: few texts, each with the first of the edits, in words, that it tells from the rule; any
        edit that changes anything is told by one.
    mutants: how many edits there are.
    equal: how many of them change nothing: no text tells them.
    undecided: how many of them were given up, as it takes too long to find what they change.
    """

    texts: tuple[tuple[str, str], ...]
    mutants: int
    equal: int
    undecided: int


def kept_witnesses(rule: str, grammar: str = "rfc3986") -> Witnesses | None:
    """Give those that were found when a grammar was compiled; None where nobody looked for any.

    UnknownRuleError if there is no such rule.

    >>> found = kept_witnesses("URI")
    >>> found.mutants, found.equal, found.texts[0][1]
    (934, 149, 'URI: scheme and ":" swapped')
    >>> kept_witnesses("port")
    """
    name = spelled(rule, grammar)
    if name not in WITNESSED[grammar]:
        return None
    texts, mutants, equal, undecided = cast("_Kept", load(grammar, "witnesses").json(name))
    return Witnesses(tuple((text, edit) for text, edit in texts), mutants, equal, undecided)
