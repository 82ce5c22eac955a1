"""How far a text matches a rule, and the derivation of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from abnf2lark._native import native
from abnf2lark.charts.engine import Engine, Found, Room
from abnf2lark.charts.network import LimitError, State, States
from abnf2lark.charts.tables import RefusalError, Tables

if TYPE_CHECKING:
    from abnf2lark._native._engine import Engine as NativeEngine
    from abnf2lark.ir import Chars
    from abnf2lark.ir import Literal as String

MAX_ITEMS: Final = 5_000_000
"""Earley items of a chart, at most, besides those that each character allows."""

MAX_WORK: Final = 1_000_000_000
"""Visits of items while reading, at most, besides those that each character allows."""

MAX_STEPS: Final = 2_000_000
"""Steps of a derivation, at most, besides those that each character allows."""

A_CHARACTER: Final = Room(items=50, work=2_000, steps=50)

Item: TypeAlias = "tuple[State, int]"


class Expected(NamedTuple):
    """What a rule in progress expects next.

    rule: its name.
    words: rules of few characters, literals and ranges, as ABNF writes them.
    """

    rule: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a text matches a rule.

    matches: whether the whole text matches.
    offset: the length of the longest viable prefix: some text of the rule begins with it.
    may_end: whether this prefix matches.
    items: the Earley items there: states, each with the offset at which its rule begins; empty if
        there is a derivation.
    derivation: of a text that matches, if rules to be kept are given.
    """

    matches: bool
    offset: int
    may_end: bool
    items: tuple[Item, ...]
    derivation: Derivation | None = None

    def expected(self) -> tuple[Expected, ...]:
        """Return what could have followed there, by the rules in progress.

        The rest of a string is omitted if something else expects its next character, too: of "n"
        and ALPHA after the "d" of a "dn" that may be a name, only ALPHA is returned.
        """
        fresh = [chars for chars in self._characters() if not _place(chars)]
        found: dict[str, dict[str, None]] = {}
        begun: dict[str, str] = {}  # by a called rule: the rule in progress that calls it
        for state, origin in self.items:
            name = state.network.rule
            rule = state.rule if origin < self.offset else begun.get(name, state.rule)
            for word, expecting, called in state.expected(rule, fresh):
                if called:
                    begun.setdefault(called, expecting)
                else:
                    found.setdefault(expecting, {}).setdefault(word)
        return tuple(Expected(rule, tuple(words)) for rule, words in found.items())

    def partial(self) -> tuple[String, ...]:
        """Return the strings of the grammar that are read in part, each at its place."""
        found = (chars.literal for chars in self._characters() if _place(chars))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def begun(self) -> int:
        """Return how many characters before the offset belong only to strings of the grammar.

        If only strings with a common prefix could continue, they are expected where they begin.
        """
        if self.may_end:
            return 0
        return min(map(_place, self._characters()), default=0)

    def _characters(self) -> Iterator[Chars]:
        for state, _ in self.items:
            yield from state.characters()


def _place(chars: Chars) -> int:
    return chars.literal.place if chars.literal else 0


@dataclass(frozen=True, slots=True)
class Derivation:
    """The derivation of a text, as nodes in preorder.

    names: the names of the rules.
    nodes: four numbers each: its rule, where it begins, where it ends, and the number of the first
        node after its subtree.
    """

    text: str
    names: Sequence[str]
    nodes: memoryview


def read(states: States, rule: str, text: str, *, kept: frozenset[str] | None = None) -> Reading:
    """Read the longest viable prefix of a text, and derive the text if rules to be kept are given.

    Of several derivations it is the first in the order of alternatives, in which called rules (see
    `network`) take as much text as they can.

    Raises :class:`LimitError`.
    """
    size = len(text)
    least = Room(MAX_ITEMS, MAX_WORK, MAX_STEPS)
    room = Room(*(one + each * size for one, each in zip(least, A_CHARACTER, strict=True)))
    with states.lock:
        engine, tables, known = _reader(states)
        flags = None if kept is None else known.get(kept)
        if flags is None and kept is not None:
            flags = known[kept] = bytes(name in kept for name in states.grammar.rules)
        try:
            found = Found(*engine.read(tables.number(rule), text, flags, room))
        except RefusalError as refusal:
            raise LimitError(_too_large(rule, room, *refusal.args)) from None
    items = tuple((tables.state(number), origin) for number, origin in found.items)
    nodes = found.nodes
    derivation = None
    if nodes is not None:
        derivation = Derivation(text, tables.names, memoryview(nodes).cast("I"))
    return Reading(found.matches, found.offset, found.may_end, items, derivation)


class _Reader(NamedTuple):
    engine: Engine | NativeEngine
    tables: Tables
    flags: dict[frozenset[str], bytes]  # by rules to be kept: whether each rule is


def _reader(states: States) -> _Reader:
    states.tidy()
    if not isinstance(states.reader, _Reader):
        tables = Tables(states)
        engine = (native or Engine)(tables, tuple(states.cuts), RefusalError)
        states.reader = _Reader(engine, tables, {})
    return states.reader


def _too_large(rule: str, room: Room, what: str, here: int) -> str:
    if what != "steps":
        most = f"{room.items:,} items" if what == "items" else f"{room.work:,} steps"
        return (
            f"{rule} can be read in too many ways: the first {here:,} characters take more than "
            f"{most}; give a shorter text, or make the grammar unambiguous"
        )
    return f"it takes too many steps to find how {rule} derives the text; give a shorter one"
