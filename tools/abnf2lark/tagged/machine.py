"""What a tagged automaton is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Values: TypeAlias = tuple[tuple[int, int], ...]  # constants, and what each becomes


class Notes(NamedTuple):
    """What is to be noted before the next character: places (a bit for each), and constants."""

    places: int
    values: Values


NOTHING = Notes(0, ())


class UntellableError(Exception):
    """What is to be told of texts cannot be told by one value for each place."""


class Act(NamedTuple):
    """What an edge or an end does: what it notes, and what it clears (bits as in ``held``).

    back: how many octets before its own the place lies that is noted.
    """

    notes: Notes
    cleared: int = 0
    back: int = 0


IDLE = Act(NOTHING)


class Step(NamedTuple):
    """An edge: where it leads, and what it does."""

    target: int
    act: Act


Row: TypeAlias = dict[int, Step]


@dataclass(slots=True)
class Tagged:
    """Rules of a grammar in one automaton: a start for each, a row and an end for each state."""

    starts: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    ends: list[Act | None] = field(default_factory=list)
