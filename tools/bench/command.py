"""The command: what to measure, and where the answer goes."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import packages_distributions, version
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from uriparse import implementation

from . import figures, linearity, races, startup
from .inputs import MAKERS, Inputs
from .peers import RACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(
        prog="python -m tools.bench",
        description="Measure uriparse and its peers on the same inputs, in one process, in "
        "interleaved rounds. Run it from the root of a clone: python -m tools.bench. Peers that "
        "are not installed are left out; pip install -e . --group bench brings them.",
    )
    add = made.add_argument

    def several(name: str, text: str, choices: Iterable[str] | None = None) -> None:
        text += f", repeatable: {'; '.join(choices)}" if choices else ", repeatable"
        add(name, action="append", choices=choices, default=[], metavar="NAME", help=text)

    several("--race", "only this one", [race.name for race in RACES])
    several("--subject", "only this one", sorted(MAKERS))
    several("--peer", "only uriparse and this peer")
    add("--corpus", type=Path, metavar="FILE", help='subject "real": valid lines of a file')
    add("--count", type=int, default=1000, help="inputs of a subject (1000)")
    add("--seed", type=int, default=1, help="of the generated inputs (1)")
    add("--rounds", type=int, default=7, help="interleaved rounds (7)")
    add("--budget", type=float, default=0.25, metavar="SECONDS",
        help="a contender's share of a round (0.25)")  # fmt: skip
    add("--json", action="store_true", help="print JSON instead of tables")
    part = made.add_mutually_exclusive_group()
    part.add_argument("--linearity", nargs="*", metavar="ENTRY",
                      help="hostile shapes at 100 kB, 1 MB and 8 MB instead")  # fmt: skip
    for name, text in {
        "startup": "the first steps, and the command and other programs on lines",
        "figures": "the promised figures; exit status 1 if one fails",
        "columns": "every function of columns in every engine, on generated URLs or a subject; "
        "exit status 1 if Python differs on a row",
    }.items():
        part.add_argument(f"--{name}", action="store_true", help=f"{text}, instead")
    add("--rows", type=int, default=1_000_000, help="of the columns (1000000)")
    several("--engine", "for columns: only this one")
    several("--task", "for columns: only this function")
    add("--threads", type=int, nargs="+", default=[1], help="for columns (1)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 where a promise is not kept."""
    args = parser().parse_args(arguments)
    inputs = Inputs(args.seed, args.corpus, args.count)
    settings = races.Settings(args.rounds, args.budget, tuple(args.peer), tuple(args.subject))
    part, found, text, failed = _measure(args, inputs, settings)
    answer: dict[str, object] = {"about": about(args), part: found}
    print(json.dumps(answer, indent=1) if args.json else f"{_heading(answer)}\n\n{text}")
    return int(failed)


def _measure(
    args: argparse.Namespace, inputs: Inputs, settings: races.Settings
) -> tuple[str, object, str, bool]:
    """Return the part, what was measured, its tables, and whether a promise is not kept."""
    if args.linearity is not None:
        growths = list(linearity.measure(tuple(args.linearity), _tell))
        dicts = [asdict(one) | {"factor": one.factor, "each": one.each} for one in growths]
        crooked = not all(growth.linear for growth in growths)
        return "linearity", dicts, linearity.render(growths), crooked
    if args.columns:
        from . import columns

        urls = columns.generated(args.rows, args.seed)
        texts = islice(cycle(inputs[args.subject[0]]), args.rows) if args.subject else urls
        asked = {"engines": args.engine, "tasks": args.task, "threads": args.threads}
        rows = list(columns.measure(texts, _tell, **asked))
        wrong = any(row.differing for row in rows)
        return "columns", [asdict(row) for row in rows], columns.render(rows), wrong
    if args.startup:
        first = startup.measure()
        lines = {str(way): startup.stream(inputs[way.subject], way) for way in startup.WAYS}
        others = list(startup.rivals(inputs, _tell))
        found = first | {"lines": lines, "rivals": [one._asdict() for one in others]}
        return "startup", found, startup.render(first, lines, others), False
    if args.figures:
        held = list(figures.measure(inputs, settings, _tell))
        unkept = any(figure.passed is False for figure in held)
        return "figures", [asdict(figure) for figure in held], figures.render(held), unkept
    chosen = [race for race in RACES if not args.race or race.name in args.race]
    ran = list(races.run(chosen, inputs, settings, _tell))
    return "races", [asdict(row) for row in ran], races.render(ran), False


def about(args: argparse.Namespace) -> dict[str, object]:
    """Return what a reader needs to judge the figures: date, machine, versions, inputs."""
    needs = " ".join(c.needs for race in RACES for c in race.contenders).split()
    roots = {need.partition(":")[0].partition(".")[0] for need in needs}
    known = packages_distributions()
    names = {"lark", "uriparse"}.union(*(known.get(root, ()) for root in roots))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "implementation": implementation,
        "machine": f"{platform.system()} {platform.machine()}, {_processor()}",
        "corpus": args.corpus.name if args.corpus else f"generated, seed {args.seed}",
        "packages": {name: version(name) for name in sorted(names)},
    }


def _heading(answer: dict[str, object]) -> str:
    facts = answer["about"]
    assert isinstance(facts, dict)
    packages = ", ".join(f"{name} {number}" for name, number in facts["packages"].items())
    run = f"{facts['date']}, {facts['python']}, {facts['machine']}; corpus: {facts['corpus']}"
    return f"{run}\n{packages}"


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text("utf-8").split("\n") if cpus.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else platform.processor() or "unknown"


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
