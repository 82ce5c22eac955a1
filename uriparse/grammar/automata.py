"""How far a text can go on, by the generated automata.

For every rule there is an automaton that reads a text as long as some text of the rule goes on
with it. Its state tells whether the text may end there, and what each rule under way expects.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from uriparse.grammar.matchers import rule_name, rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Protocol

    class _Tables(Protocol):
        """What a generated `<grammar>_diagnosis` module holds."""

        STARTS: Mapping[str, int]
        ASCII: Sequence[int]
        BEYOND: Sequence[tuple[int, int]]
        TAKEN: Sequence[int]
        ROWS: Sequence[str]
        LABEL_OF: Sequence[int]
        LABELS: Sequence[tuple[bool, tuple[int, ...]]]
        GROUPS: Sequence[tuple[str, str, tuple[str, ...]]]


_DIGITS = 3
"""Hexadecimal digits of a state in a row."""

NONE = int("f" * _DIGITS, 16)
"""Stands in a row where the text cannot go on."""

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
    offset, state = automaton.read(text, automaton.starts[rule_name(rule, grammar)])
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

    __slots__ = ("_leaps", "_rows", "_tables", "starts")

    def __init__(self, tables: _Tables) -> None:
        self._tables = tables
        self._rows: dict[int, tuple[int, ...]] = {}
        self._leaps: dict[int, re.Pattern[str] | None] = {}
        self.starts = tables.STARTS

    def read(self, text: str, state: int) -> tuple[int, int]:
        """Read on from `state`; give the offset where no step is left, and the state there."""
        ascii_classes, rows = self._tables.ASCII, self._rows
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
        label = self._tables.ASCII[code] if code < 128 else self._class(code)
        return label in self._tables.TAKEN

    def stop(self, offset: int, state: int) -> Stop:
        """Tell what the tables say about a state."""
        may_end, numbers = self._tables.LABELS[self._tables.LABEL_OF[state]]
        return Stop(offset, may_end, tuple(Group(*self._tables.GROUPS[n]) for n in numbers))

    def row(self, state: int) -> tuple[int, ...]:
        """Give the next state for each class of characters, `NONE` where there is none."""
        text = self._tables.ROWS[state]
        row = tuple(int(text[at : at + _DIGITS], 16) for at in range(0, len(text), _DIGITS))
        self._rows[state] = row
        return row

    def _class(self, code: int) -> int:
        """Give the class of a character beyond ASCII."""
        beyond = self._tables.BEYOND
        return beyond[bisect_right(beyond, (code, NONE)) - 1][1]

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield all code points in order as (first, last, class), those of ASCII one by one."""
        yield from ((code, code, label) for code, label in enumerate(self._tables.ASCII))
        beyond = self._tables.BEYOND
        for number, (first, label) in enumerate(beyond):
            last = beyond[number + 1][0] - 1 if number + 1 < len(beyond) else _LAST
            yield first, last, label

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
    return Automaton(cast("_Tables", import_module(f"uriparse._compiled.{grammar}_diagnosis")))
