"""The figures that uriparse holds itself to, each measured in one run, passed or failed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from uriparse import implementation

from . import linearity, startup
from .peers import FINDINGS, LARK, PURE, RACES
from .races import Row, Settings, run
from .timing import ratio, seconds, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .inputs import Inputs
    from .races import Tell

NATIVE = implementation == "native"

CHARACTER = {"is_valid": 50e-9, "try_parse": 50e-9, "parse": 50e-9}
"""Seconds for a character of any shape, where it is not `linearity.MOST_EACH`."""

KERNEL = (
    ("is_valid/real/uriparse", "is_valid/real/can-ada", 0.3),
    ("parse/real/uriparse", "parse/real/can-ada", 0.6),
    ("parse/real/uriparse", "parse/real/pydantic-core", 0.4),
    ("read/real/uriparse", "read/real/pydantic-core", 0.6),
    ("reject/invalid/uriparse.parse", "reject/invalid/*, raising", 0.4),
    ("normalize/messy/uriparse", "normalize/messy/ada-url", 0.45),
    ("resolve/references/uriparse", "resolve/references/ada-url", 0.45),
    ("make/hosts/uriparse", "make/hosts/yarl", 0.45),
    ("parse_url/http/uriparse", "", 2e-6),
    ("parse_url/ftp/uriparse", "", 2e-6),
    ("parse_url/mailto/uriparse", "", 2e-6),
)
"""A race, subject and contender; what it is compared with, if not with seconds; and the limit.
These are held with the kernel; "*" stands for the fastest such contender."""

ALWAYS = (
    (f"is_valid/real/{PURE}", "is_valid/real/urllib.parse", 0.3),
    (f"parse/real/{PURE}", "parse/real/uritools", 1.1),
    ("reject/invalid/uriparse.is_valid", "reject/real/uriparse.is_valid", 1.0 if NATIVE else 1.5),
    ("reject/invalid/uriparse.try_parse", "reject/real/uriparse.try_parse", 1.0 if NATIVE else 1.5),
    ("reject/invalid/uriparse.parse", "", 60e-6),
    (f"engines/real/{LARK}", "", 25e-6),
    ("parse_tree/real/uriparse", "", 45e-6),
    ("parse_tree/real/uriparse", "parse_tree/real/abnf", 1 / 50),
    ("parse_tree/real/uriparse", "parse_tree/real/rfc3987-syntax", 1 / 250),
    ("validate/accepted/uriparse", f"validate/accepted/{PURE}", 2.2),
    ("validate/refused/uriparse", f"validate/refused/{PURE}", 30),
    (f"validate/refused/{FINDINGS}", f"validate/refused/{PURE}", 30),
    ("find_uris/plain prose/uriparse", "", 1 / 20),  # a text has 1,000,000 characters: 20 MB/s
    ("find_uris/linked prose/uriparse", "", 1 / 100 if NATIVE else 1 / 10),
)

COLUMNS = (
    ("is_valid", "real", 30e-9),
    ("split", "real", 130e-9),
    ("normalize", "real", 150e-9),
    ("verdict", "real", 150e-9),
    ("verdict", "stream", 250e-9),
)
"""Tasks, subjects, and seconds for a row, with the kernel."""

TREES = {"abnf2lark, with every node looked at": 1e-6, "abnf2lark, records": 1.5e-6}
"""Seconds for a character of a tree, with the kernel; of nodes 150 octets as well."""

BY_HAND = 1.5
"""Times that a grammar of ours takes in Lark of what one by hand takes."""


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

        for task, subject, limit in COLUMNS:
            given = inputs[subject]
            (row,) = columns(
                given, tell, rows=200_000, engines=["Arrow"], tasks=[task], threads=[1]
            )
            yield at_most(f"a row of a column, {subject}: {task}", row.each, limit)
    yield from _large(tell)
    tell("figures: processes ...")
    load, lark, verdict, record, tree, peer = startup.measure().values()
    by_peer = load / peer if load and peer else None
    yield at_most("import uriparse by import rfc3986", by_peer, 0.6, times=True)
    yield Figure("lark loaded by the import", "yes" if lark else "no", "no", not lark)
    yield at_most("first parse", verdict and record and verdict + record, 0.015)
    yield at_most("first parse_tree", tree, 0.12)
    for way in startup.WAYS:
        each = startup.stream(inputs[way.subject], way)
        yield at_most(f"a line of a stream: {way}", each, way.limit)


def _races(inputs: Inputs, settings: Settings, tell: Tell) -> Iterator[Figure]:
    bounds = (*KERNEL, *ALWAYS) if NATIVE else ALWAYS
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
        took, than = _seconds(rows, one), _seconds(rows, other)
        if other:
            value = took / than if took and than else None
            yield at_most(f"{one} by {other}", value, limit, times=True)
        else:
            yield at_most(one, took, limit)


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
    for what, limit in TREES.items():
        for name, (took, octets) in found[what].items():
            yield at_most(f"a character of {name}: {what}", took * 1e-6, limit)
            if "node" in what:
                yield Figure("the same, octets", f"{octets:.0f}", "<= 150", octets <= 150)
    by_hand = found["Lark, a grammar by hand"]
    for name, (took, _) in found["Lark, a grammar by abnf2lark"].items():
        yield at_most(f"{name} in Lark by hand", took / by_hand[name][0], BY_HAND, times=True)


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
        limit = CHARACTER.get(entry, linearity.MOST_EACH)
        yield at_most(f"{entry}: a character, {slowest.shape}", slowest.each, limit)


def render(figures: Sequence[Figure]) -> str:
    """One table, with a verdict in each line."""
    words = {True: "pass", False: "FAIL", None: "not there"}
    rows = [[f.what, f.measured, f.limit, words[f.passed]] for f in figures]
    return table("figures", ["", "measured", "limit", ""], rows)
