"""The figures that uriparse holds itself to, each measured in one run, passed or failed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import cycle, islice
from typing import TYPE_CHECKING

from uriparse import implementation

from . import linearity, startup
from .peers import RACES
from .races import Row, Settings, run
from .timing import LIMITS, ratio, seconds, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .inputs import Inputs
    from .races import Tell

NATIVE = implementation == "native"

PARQUET = ("uriparse validate --parquet", "Arrow's verdict")


@dataclass(frozen=True, slots=True)
class Figure:
    """One promise and what came of it: `passed` is None where a part is not there."""

    what: str
    measured: str
    limit: str
    passed: bool | None


def at_most(what: str, value: float | None, limit: float, *, times: bool = False) -> Figure:
    """Judge a value, in seconds or in times of another."""
    show = ratio if times else seconds
    return Figure(what, show(value), f"<= {show(limit)}", None if value is None else value <= limit)


def measure(inputs: Inputs, settings: Settings, tell: Tell) -> Iterator[Figure]:
    """Yield every figure."""
    yield from _races(inputs, settings, tell)
    yield from _trees(tell)
    if NATIVE and find_spec("pyarrow") and find_spec("psutil"):
        from .columns import measure as columns

        for task, subject, limit in LIMITS["columns"]:
            given = islice(cycle(inputs[subject]), 200_000)
            (row,) = columns(given, tell, engines=["Arrow"], tasks=[task])
            yield at_most(f"a row of a column, {subject}: {task}", row.each, limit)
    yield from _large(tell)
    tell("figures: processes ...")
    load, verdict, record, tree, lark, peer = startup.measure().values()
    by_peer = load / peer if load and peer else None
    yield at_most("import uriparse by import rfc3986", by_peer, 0.6, times=True)
    yield Figure("lark loaded by the import", "yes" if lark else "no", "no", not lark)
    yield at_most("first parse", verdict and record and verdict + record, 0.015)
    yield at_most("first parse_tree", tree, 0.12)
    for way in startup.WAYS:
        each = startup.stream(inputs[way.subject], way)
        yield at_most(f"a line of a stream: {way}", each, way.limit)
    found = {one[:2]: one.each for one in startup.rivals(inputs, tell, [*PARQUET])}
    for subject in startup.SUBJECTS:
        mine, arrow = (found.get((name, subject)) for name in PARQUET)
        by_arrow = mine / arrow if mine and arrow else None
        yield at_most(f"{' by '.join(PARQUET)}: {subject}", by_arrow, 1.3, times=True)


def _races(inputs: Inputs, settings: Settings, tell: Tell) -> Iterator[Figure]:
    both = [(*names, kernel if NATIVE else pure) for *names, kernel, pure in LIMITS["races"]]
    bounds = [bound for bound in both if bound[-1]]
    needed = [name.split("/") for one, other, _ in bounds for name in (one, other) if name]
    rows: dict[str, Row] = {}
    for race in RACES:
        subjects = tuple({subject: 0 for name, subject, _ in needed if name == race.name})
        named = {who for name, _, who in needed if name == race.name}
        every = any("*" in who for who in named)
        chosen = tuple(c for c in race.contenders if every or c.name in named)
        own = Settings(max(settings.rounds, 9), settings.budget, subjects=subjects)
        if subjects:
            race = replace(race, contenders=chosen, truth=None)  # noqa: PLW2901 - narrowed
            for row in run([race], inputs, own, tell):
                rows[f"{row.race}/{row.subject}/{row.contender}"] = row
    for one, other, limit in bounds:
        took, than = _seconds(rows, one), _seconds(rows, other) if other else 1.0
        value = took / than if took and than else None
        yield at_most(f"{one} by {other}" if other else one, value, limit, times=bool(other))


def _seconds(rows: dict[str, Row], name: str) -> float | None:
    before, star, after = name.partition("*")
    found = [
        row.seconds
        for key, row in rows.items()
        if (key.startswith(before) and key.endswith(after) if star else key == name)
    ]
    return min(found, default=None)


def _trees(tell: Tell) -> Iterator[Figure]:
    """Trees of grammars that have nothing to do with URIs, for a character."""
    try:
        from tools.collection.rivals import costs
    except ImportError:
        return
    tell("figures: trees by grammars ...")
    found = costs()
    for what, limit in LIMITS["trees"].items():
        for name, (took, octets) in found[what].items():
            yield at_most(f"a character of {name}: {what}", took * 1e-6, limit)
            if "node" in what:
                yield Figure("the same, octets", f"{octets:.0f}", "<= 150", octets <= 150)
    by_hand = found["Lark, a grammar by hand"]
    for name, (took, _) in found["Lark, a grammar by abnf2lark"].items():
        times = took / by_hand[name][0]
        yield at_most(f"{name} in Lark by hand", times, LIMITS["by hand"], times=True)


def _large(tell: Tell) -> Iterator[Figure]:
    groups: dict[str, list[linearity.Growth]] = {}
    for growth in linearity.measure((), tell):
        groups.setdefault(growth.entry, []).append(growth)
    for entry, growths in groups.items():
        crooked = [growth for growth in growths if not growth.linear]
        worst = max((g.factor or float("inf") for g in crooked or growths), default=0.0)
        where = f" ({', '.join(g.shape for g in crooked)})" if crooked else ""
        yield Figure(
            f"{entry}: growth from 1 to 8 MB, {len(growths)} shapes",
            ratio(worst) + where if crooked or worst <= linearity.MOST_GROWTH else "in the noise",
            f"<= {ratio(linearity.MOST_GROWTH)}",
            not crooked,
        )
        slowest = max(growths, key=lambda growth: growth.each or float("inf"))
        limit = LIMITS["characters"].get(entry, linearity.MOST_EACH)
        yield at_most(f"{entry}: a character, {slowest.shape}", slowest.each, limit)


def render(figures: Sequence[Figure]) -> str:
    """One table, with a verdict in each line."""
    words = {True: "pass", False: "FAIL", None: "not there"}
    rows = [[f.what, f.measured, f.limit, words[f.passed]] for f in figures]
    return table("figures", ["", "measured", "limit", ""], rows)
