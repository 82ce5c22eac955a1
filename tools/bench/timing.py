"""Interleaved races: every contender runs on the same inputs in turn, round after round.

Times are processor times of this process, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

Call = Callable[[str], object]

_WARM_UP = 3
"""Inputs on which a contender is tried before the rounds, to find out how slow it is."""

_BEGUN = 0.002
"""Seconds that a contender has at the beginning of its turn, untimed."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What one contender took.

    Attributes:
        seconds: median over the rounds of the mean time for one input.
        best: the same for its fastest round.
        inputs: how many of the inputs it ran on: all, unless it is too slow for its budget.

    """

    seconds: float
    best: float
    inputs: int


def once(call: Call, texts: Sequence[str]) -> float:
    """Seconds for one pass over the texts; a refusal by exception is an answer like any other."""
    start = process_time()
    for text in texts:
        try:
            call(text)
        except Exception:  # noqa: BLE001 - peers raise what they like
            continue
    return process_time() - start


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
    collecting = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            shift = turn % len(order)
            for name in order[shift:] + order[:shift]:
                portion, first = portions[name]
                once(calls[name], first)  # another has had the caches of the processor
                times[name].append(once(calls[name], portion) / len(portion))
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return {
        name: Measure(median(taken), min(taken), len(portions[name][0]))
        for name, taken in times.items()
    }


def _portion(
    call: Call, texts: Sequence[str], budget: float
) -> tuple[Sequence[str], Sequence[str]]:
    """Give the texts that a contender runs on, and those that it begins with untimed."""
    trial = texts[:_WARM_UP]
    once(call, texts[:1])
    each = once(call, trial) / len(trial)
    count = len(texts) if each * len(texts) <= budget else max(1, int(budget / each))
    return texts[:count], texts[: min(count, int(_BEGUN / each))]
