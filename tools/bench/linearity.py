"""Is every entry point linear? Hostile shapes at three sizes, what a character costs, growth.

The shapes make careless parsers backtrack, recurse or copy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .ours import ENTRIES
from .timing import Call, level_memory, once, ratio, seconds, table, uncollected

if TYPE_CHECKING:
    from .races import Tell

SIZES = (100_000, 1_000_000, 8_000_000)
"""Characters."""

MOST_GROWTH = 20.0
"""From the second size to the third, which is eight times as large: many small objects outgrow the
caches of a machine once, so linear time may grow by more. Quadratic time grows 64 times."""

MOST_EACH = 150e-9
"""Seconds for a character at the two largest sizes, beyond which a shape is called slow."""

NOISE = 0.004
"""Seconds at the largest size below which a growth says nothing."""

PATIENCE = 4.0
"""Seconds after which the next size is not tried any more."""

REPEATS = 5

DOUBTS = 3
"""Times that a shape is measured again, the best times kept, before it is called crooked."""

Shape = Callable[[int], str]
"""Makes a text of about that many characters."""


def _filled(before: str, unit: str, after: str = "", then: str = "") -> Shape:
    """Repeat a unit, and after all of it another one as often."""

    def make(size: int) -> str:
        room = size - len(before) - len(after)
        times = max(1, room // len(unit + then))
        return before + unit * times + then * times + after

    return make


FILE = Path(__file__).with_name("shapes.json")
_GROUPS: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text("utf-8"))
_GIVEN = _GROUPS.pop("given")
"""The groups of shapes for an entry point, where they are not "URIs" alone."""


def shapes_of(entry: str) -> dict[str, Shape]:
    """Return the shapes that an entry point is given, by name."""
    groups = _GIVEN.get(entry, ["URIs"])
    return {name: _filled(*parts) for group in groups for name, parts in _GROUPS[group].items()}


@dataclass(frozen=True, slots=True)
class Growth:
    """One entry point on one shape.

    Attributes:
        seconds: the best time at each of `SIZES`; None where it would have taken too long.

    """

    entry: str
    shape: str
    seconds: tuple[float | None, ...]

    @property
    def factor(self) -> float | None:
        """The largest size's time by the middle one's."""
        middle, largest = self.seconds[-2:]
        return largest / middle if middle and largest else None

    @property
    def each(self) -> float | None:
        """Seconds for a character at the two largest sizes, the longer ones."""
        costs = [time and time / size for time, size in zip(self.seconds, SIZES, strict=True)][-2:]
        return None if None in costs else max(filter(None, costs), default=0.0)

    @property
    def linear(self) -> bool:
        """Whether that factor is one of linear time, noise apart."""
        largest = self.seconds[-1]
        if largest is None or self.factor is None:
            return False
        return largest <= NOISE or self.factor <= MOST_GROWTH


def measure(names: tuple[str, ...], tell: Tell) -> Iterator[Growth]:
    """Yield the growth of each entry point that is there, or of those named, on its shapes."""
    if not level_memory():
        tell("linearity: large blocks of memory cost more here than small ones")
    for entry in ENTRIES:
        if names and entry.name not in names:
            continue
        try:
            call = entry.load()
        except ImportError:
            tell(f"linearity: not there: {entry.name}")
            continue
        tell(f"linearity: {entry.name} ...")
        for shape, make in shapes_of(entry.name).items():
            yield _growth(entry.name, shape, call, make)


def _growth(entry: str, shape: str, call: Call, make: Shape) -> Growth:
    growth = Growth(entry, shape, _times(call, make))
    for _ in range(DOUBTS):
        if growth.linear or None in growth.seconds:
            break
        both = zip(growth.seconds, _times(call, make), strict=True)
        least = (min(filter(None, times), default=None) for times in both)
        growth = Growth(entry, shape, tuple(least))
    return growth


def _times(call: Call, make: Shape) -> tuple[float | None, ...]:
    times: list[float | None] = []
    once(call, [make(100)])
    for size in SIZES:
        if times and (times[-1] is None or times[-1] > PATIENCE):
            times.append(None)
            continue
        times.append(_best(call, [make(size)]))
    return tuple(times)


def _best(call: Call, texts: list[str]) -> float:
    with uncollected():
        best = once(call, texts)
        for _ in range(REPEATS - 1):
            if best > PATIENCE / REPEATS:
                break
            best = min(best, once(call, texts))
    return best


def render(growths: list[Growth]) -> str:
    """One table for each entry point."""
    head = ["", *(f"{size // 1000} kB" for size in SIZES), "a character", "growth", ""]
    groups: dict[str, list[Growth]] = {}
    for growth in growths:
        groups.setdefault(growth.entry, []).append(growth)
    return "\n".join(
        table(entry, head, [_cells(growth) for growth in group]) for entry, group in groups.items()
    )


def _cells(growth: Growth) -> list[str]:
    factor, each = growth.factor, growth.each
    slow = each is None or each > MOST_EACH
    return [
        growth.shape,
        *map(seconds, (*growth.seconds, each)),
        ratio(factor),
        "slow" * slow if growth.linear else "NOT LINEAR",
    ]
