"""Derive a text from a grammar rule, for trees of every rule down to characters.

A rule is unfolded into a network of small steps, its alternatives in the order of the grammar. A
depth-first search with memory never enters a step twice at the same offset. So it finds the
derivation that takes the first alternative wherever one leads to the end, in time and memory
bounded by steps times characters. Unfolding needs rules that are not recursive, as in all shipped
grammars.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from typing import Final, Literal, NamedTuple, TypeAlias

from uriparse.grammar.matchers import rules

_LONG = 10_000
"""Texts with more characters pause the collector; shorter ones make too few nodes to matter."""


def uncollected(text: str) -> AbstractContextManager[None]:
    """Suspend garbage collection while a long text is cut into its parts.

    The collector would visit the growing parts again and again, though they have no cycles: it
    takes two thirds of the time of a tree of half a million nodes.
    """
    return _held_back() if len(text) > _LONG else nullcontext()


@contextmanager
def _held_back() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


Expression: TypeAlias = "tuple[object, ...]"
Kind: TypeAlias = Literal["enter", "exit", "text"]


class Event(NamedTuple):
    """A step of a derivation: a rule begins, a rule ends, or text is read."""

    kind: Kind
    value: str
    offset: int


def derive(text: str, rule: str, grammar: str) -> tuple[Event, ...] | None:
    """Return the events of the first derivation of the whole text, or None if there is none.

    `rule` is in the RFC's spelling.
    """
    network = _network(grammar, rule)
    found = network.search(text)
    return None if found is None else tuple(network.events(found, text))


def expressions(grammar: str = "rfc3986") -> Mapping[str, Expression]:
    """Return the rules of a grammar, and the core rules they use, as nested tuples.

    `("chars", ranges)`, `("text", value)`, `("ref", rule)`, `("seq", items)`, `("alt", items)`,
    `("rep", item, low, high or -1)`. UnknownRuleError if there is no such grammar.

    >>> expressions()["query"][0], len(expressions()["DIGIT"])
    ('rep', 2)
    """
    rules(grammar)
    found: Mapping[str, Expression] = import_module(f"uriparse._compiled.{grammar}_rules").RULES
    return found


@cache
def _network(grammar: str, rule: str) -> _Network:
    return _Network(expressions(grammar), rule)


# Steps are (what, argument, next steps in order of preference).
_CHARS: Final = 0
_TEXT: Final = 1
_CHOICE: Final = 2
_ENTER: Final = 3
_EXIT: Final = 4
_END: Final = 5

# The steps so far, newest first: (step, offset after it, the path before). A linked list, since the
# pending paths of a search share most of their steps.
Path: TypeAlias = "tuple[int, int, Path] | None"


class _Network:
    """The steps of one rule, with every rule that it refers to unfolded; step 0 is the end."""

    def __init__(self, known: Mapping[str, Expression], rule: str) -> None:
        self._rules = known
        self._what: list[int] = [_END]
        self._argument: list[object] = [None]
        self._next: list[list[int]] = [[]]
        self._start = self._build(("ref", rule), 0)

    def _add(self, what: int, argument: object, following: list[int]) -> int:
        self._what.append(what)
        self._argument.append(argument)
        self._next.append(following)
        return len(self._what) - 1

    def _build(self, expression: Expression, after: int) -> int:
        """Build the steps of an expression that continue with `after`; return the first."""
        match expression:
            case ("chars", tuple(ranges)):
                return self._add(_CHARS, ranges, [after])
            case ("text", str(value)):
                return self._add(_TEXT, value, [after])
            case ("ref", str(rule)):
                inside = self._build(self._rules[rule], self._add(_EXIT, rule, [after]))
                return self._add(_ENTER, rule, [inside])
            case ("seq", tuple(items)):
                for item in reversed(items):  # from the end: each step needs to know the next
                    after = self._build(item, after)
                return after
            case ("alt", tuple(items)):
                return self._add(_CHOICE, None, [self._build(item, after) for item in items])
            case ("rep", tuple(item), int(low), int(high)):
                return self._repeat(item, low, high, after)
            case _:
                raise TypeError(expression)

    def _repeat(self, item: Expression, low: int, high: int, after: int) -> int:
        if high < 0:
            # The item first: ABNF repetition is read greedily. The step must exist before its item,
            # which leads back to it.
            loop = self._add(_CHOICE, None, [])
            self._next[loop] = [self._build(item, loop), after]
            first = loop
        else:
            first = after
            for _ in range(high - low):
                first = self._add(_CHOICE, None, [self._build(item, first), after])
        for _ in range(low):
            first = self._build(item, first)
        return first

    def search(self, text: str) -> Path:
        """Return the path that takes the first choices which lead to the end of the text."""
        steps = len(self._what)
        seen: set[int] = set()
        pending: list[tuple[int, int, Path]] = [(self._start, 0, None)]
        while pending:
            step, offset, path = pending.pop()
            # One number instead of a pair: half the memory of the largest set here. What follows a
            # step at an offset does not depend on the path to it, so a second visit must fail, too.
            visit = offset * steps + step
            if visit in seen:
                continue
            seen.add(visit)
            what = self._what[step]
            if what == _END:
                if offset == len(text):
                    return (step, offset, path)
                continue
            stop = self._read(what, self._argument[step], text, offset)
            if stop < 0:
                continue
            path = (step, stop, path)
            # Reversed: the last one pushed is tried first, and it must be the first choice.
            pending.extend((target, stop, path) for target in reversed(self._next[step]))
        return None

    @staticmethod
    def _read(what: int, argument: object, text: str, offset: int) -> int:
        """Return the offset after a step, or -1 if the text does not allow it."""
        if what == _CHARS:
            if offset < len(text) and _is_in(ord(text[offset]), argument):
                return offset + 1
            return -1
        if what == _TEXT and isinstance(argument, str):
            return offset + len(argument) if text.startswith(argument, offset) else -1
        return offset

    def events(self, path: Path, text: str) -> Iterator[Event]:
        """Yield the events of a path, in order."""
        steps: list[tuple[int, int]] = []
        while path is not None:
            step, stop, path = path
            steps.append((step, stop))
        offset = 0
        for step, stop in reversed(steps):
            what, argument = self._what[step], self._argument[step]
            if what == _ENTER:
                yield Event("enter", str(argument), offset)
            elif what == _EXIT:
                yield Event("exit", str(argument), offset)
            elif what in (_CHARS, _TEXT):
                yield Event("text", text[offset:stop], offset)
            offset = stop


def _is_in(code: int, ranges: object) -> bool:
    spans: Sequence[tuple[int, int]] = ranges if isinstance(ranges, tuple) else ()
    return any(low <= code <= high for low, high in spans)
