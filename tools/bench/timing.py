"""Interleaved races: every contender runs on the same inputs in turn, round after round.

Times are processor times of this process, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import ctypes
import gc
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

Call = Callable[[str], object]
LIMITS: dict[str, Any] = json.loads(Path(__file__).with_name("limits.json").read_text("utf-8"))
"""The promises, in seconds, or in times of another. "races" has a race, subject and contender, what
it is compared with, if anything, and the limits with the kernel and without it; "*" stands for the
fastest such contender. Those of columns are for a row, with the kernel."""

_WARM_UP = 3
"""Inputs on which a contender is tried before the rounds, to find out how slow it is."""

_BEGUN = 0.002
"""Seconds that a contender has at the beginning of its turn, untimed."""

_UNITS = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))


@dataclass(frozen=True, slots=True)
class Measure:
    """What one contender took.

    Attributes:
        seconds: median over the rounds of the mean time for one input.
        inputs: how many of the inputs it ran on: all, unless it is too slow for its budget.

    """

    seconds: float
    inputs: int


def once(call: Call, texts: Sequence[str]) -> float:
    """Seconds for one pass over the texts; an exception is an answer like any other."""
    start = process_time()
    for text in texts:
        try:
            call(text)
        except Exception:  # noqa: BLE001 - peers raise what they like
            continue
    return process_time() - start


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from running between two measures."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def race(
    calls: dict[str, Call], texts: Sequence[str], *, rounds: int, budget: float
) -> dict[str, Measure]:
    """Time each call on the texts.

    budget: seconds that a contender may take in one round; a slower one runs on as many of the
        first texts as fit, at least one.
    """
    portions = {name: _portion(call, texts, budget) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    for turn in range(rounds):
        shift = turn % len(order)
        with uncollected():
            for name in order[shift:] + order[:shift]:
                portion, first = portions[name]
                once(calls[name], first)  # another has had the caches of the processor
                times[name].append(once(calls[name], portion) / len(portion))
    return {name: Measure(median(took), len(portions[name][0])) for name, took in times.items()}


def _portion(
    call: Call, texts: Sequence[str], budget: float
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the texts that a contender runs on, and those that it begins with untimed."""
    trial = texts[:_WARM_UP]
    once(call, texts[:1])
    each = max(once(call, trial) / len(trial), 1e-9)
    count = len(texts) if each * len(texts) <= budget else max(1, int(budget / each))
    return texts[:count], texts[: min(count, int(_BEGUN / each))]


def level_memory() -> bool:
    """Have large blocks come from the heap and stay there; return whether that is so.

    The GNU library fetches every block larger than 128 kB from the kernel and gives it back, page
    by page: strings of 1 MB would pay for that, strings of 100 kB would not, and linear code would
    look crooked by a factor of two.
    """
    trim_threshold, mmap_threshold, never = -1, -3, 1 << 30
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return all(mallopt(option, never) == 1 for option in (trim_threshold, mmap_threshold))


def seconds(value: float | None) -> str:
    """Three significant digits and a unit.

    >>> seconds(0.00000068), seconds(0.0124), seconds(None)
    ('680 ns', '12.4 ms', '-')
    """
    if value is None:
        return "-"
    for scale, unit in reversed(_UNITS):
        if value >= scale:
            return f"{_digits(value / scale)} {unit}"
    return f"{_digits(value / _UNITS[0][0])} ns"


def ratio(value: float | None) -> str:
    """Return "x" and three significant digits.

    >>> ratio(2.5), ratio(123.4), ratio(0.00042)
    ('x2.50', 'x123', 'x0.00042')
    """
    return "-" if value is None else f"x{_digits(value)}"


def _digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    if 0 < value < 0.1:
        return f"{value:.2g}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need; the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([title, line(head), rule, *(line(row) for row in rows), ""])
