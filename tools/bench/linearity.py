"""Is every entry point linear? Hostile shapes at three sizes, what a character costs, growth."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import memory, ours
from .contenders import Contender, load
from .shapes import (
    FIELD_SHAPES,
    HEADING_SHAPES,
    IRI_SHAPES,
    MARKUP_SHAPES,
    PAIR_SHAPES,
    SHAPES,
    TEXT_SHAPES,
    TRIPLET_SHAPES,
    Shape,
)
from .tables import ratio, seconds, table
from .timing import Call, once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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

ENTRY_POINTS: tuple[tuple[str, Callable[[], Call], dict[str, Shape]], ...] = (
    ("is_valid", ours.is_valid, SHAPES),
    ("try_parse", ours.try_parse, SHAPES),
    ("parse", ours.parse, SHAPES),
    ("parse (IRI)", ours.parse_iri, SHAPES),
    ("parse_tree", ours.parse_tree, SHAPES),
    ("parse_tree (full)", ours.full_tree, SHAPES),
    ("parse_tree (Prospero)", ours.prospero_tree, FIELD_SHAPES),
    ("resolve", ours.resolve, SHAPES),
    ("relativize", ours.relativize, SHAPES),
    ("normalize", ours.normalize, SHAPES | TRIPLET_SHAPES),
    ("normalize (IRI)", ours.normalize_iri, IRI_SHAPES),
    ("iri_to_uri", ours.iri_to_uri, IRI_SHAPES),
    ("uri_to_iri", ours.uri_to_iri, IRI_SHAPES | TRIPLET_SHAPES),
    ("equivalent", ours.equivalent, SHAPES),
    ("remove_dot_segments", ours.remove_dot_segments, SHAPES),
    ("quote", ours.quote, SHAPES),
    ("unquote", ours.unquote, SHAPES),
    ("query_pairs", ours.query_pairs, PAIR_SHAPES),
    ("html_base", ours.html_base, MARKUP_SHAPES),
    ("mime_base", ours.mime_base, HEADING_SHAPES),
    ("find_uris", ours.find_uris, SHAPES | TEXT_SHAPES),
    ("find_uris (IRI, suffixes)", ours.find_iris, SHAPES | TEXT_SHAPES),
    ("make", ours.make_path, SHAPES),
    ("add_query", ours.add_query, SHAPES),
    ("redacted_text", ours.redacted_text, SHAPES | TEXT_SHAPES),
    ("whatwg.parse", ours.browser, SHAPES | TRIPLET_SHAPES),
    ("verdicts of a column", ours.verdicts, SHAPES),
    ("parse_url", ours.parse_url, SHAPES | FIELD_SHAPES),
    ("parse_url (RFC 1738)", ours.parse_url_rfc1738, SHAPES | FIELD_SHAPES),
    ("validate", ours.validate, SHAPES),
    ("validate, all findings", ours.validate_strict, SHAPES),
    ("legacy.rfc2396.resolve", ours.resolve_2396, SHAPES),
    ("legacy.wwwoffle.canonicalize", ours.canonicalize, SHAPES),
    ("legacy.sqlalchemy.quote", ours.quote_password, SHAPES),
)


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


def measure(names: tuple[str, ...], tell: Callable[[str], None]) -> Iterator[Growth]:
    """Yield the growth of each entry point that is there, or of those named, on its shapes."""
    if not memory.level():
        tell("linearity: large blocks of memory cost more here than small ones")
    for name, loader, shapes in ENTRY_POINTS:
        if names and name not in names:
            continue
        calls, missing = load([Contender(name, loader)])
        if missing:
            tell(f"linearity: not there: {name}")
            continue
        tell(f"linearity: {name} ...")
        for call in calls.values():
            for shape, make in shapes.items():
                yield _growth(name, shape, call, make)


def _growth(entry: str, shape: str, call: Call, make: Shape) -> Growth:
    growth = Growth(entry, shape, _times(call, make))
    for _ in range(DOUBTS):
        if growth.linear or None in growth.seconds:
            break
        again = _times(call, make)
        growth = Growth(entry, shape, tuple(map(_lesser, growth.seconds, again)))
    return growth


def _lesser(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


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
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        best = once(call, texts)
        for _ in range(REPEATS - 1):
            if best > PATIENCE / REPEATS:
                break
            best = min(best, once(call, texts))
    finally:
        if collecting:
            gc.enable()
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
        *("-" if time is None else seconds(time) for time in (*growth.seconds, each)),
        "-" if factor is None else ratio(factor),
        "slow" * slow if growth.linear else "NOT LINEAR",
    ]
