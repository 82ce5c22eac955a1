"""The command: what to measure, and where the answer goes."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import TYPE_CHECKING

from uriparse import implementation

from . import figures, linearity, races, startup
from .inputs import Inputs
from .peers import RACES

if TYPE_CHECKING:
    from collections.abc import Sequence


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(
        prog="python -m tools.bench",
        description="Measure uriparse and its peers on the same inputs, in one process, in "
        "interleaved rounds. Run it from the root of a clone: python -m tools.bench. Peers that "
        "are not installed are left out; pip install -e . --group bench brings them.",
    )
    names = [race.name for race in RACES]
    subjects = sorted({subject for race in RACES for subject in race.subjects})
    add = made.add_argument
    add("--race", action="append", choices=names, default=[], metavar="NAME",
        help=f"only this one, repeatable: {', '.join(names)}")  # fmt: skip
    add("--subject", action="append", choices=subjects, default=[], metavar="NAME",
        help=f"only this one, repeatable: {'; '.join(subjects)}")  # fmt: skip
    add("--peer", action="append", default=[], metavar="NAME",
        help="only uriparse and this peer, repeatable")  # fmt: skip
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
    part.add_argument("--startup", action="store_true",
                      help="the first steps, and the command on a stream instead")  # fmt: skip
    part.add_argument("--figures", action="store_true",
                      help="the promised figures instead; exit status 1 if one fails")  # fmt: skip
    part.add_argument("--columns", action="store_true",
                      help="columns in Arrow and in each engine of columns instead")  # fmt: skip
    part.add_argument("--engines", action="store_true",
                      help="every function of columns in every engine, and rows on which "
                      "Python differs, instead; exit status 1 if there are some")  # fmt: skip
    add("--rows", type=int, default=1_000_000, help="of the columns (1000000)")
    add("--engine", action="append", default=[], metavar="NAME", help="for columns, repeatable")
    add("--task", action="append", default=[], metavar="NAME", help="a function, for columns")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 where a promise is not kept."""
    args = parser().parse_args(arguments)
    inputs = Inputs(args.seed, args.corpus, args.count)
    settings = races.Settings(args.rounds, args.budget, tuple(args.peer), tuple(args.subject))
    answer: dict[str, object] = {"about": about(args)}
    failed = False
    if args.linearity is not None:
        growths = list(linearity.measure(tuple(args.linearity), _tell))
        answer["linearity"] = [
            asdict(growth) | {"factor": growth.factor, "each": growth.each} for growth in growths
        ]
        text = linearity.render(growths)
        failed = not all(growth.linear for growth in growths)
    elif args.columns:
        from . import columns

        ways = list(
            columns.measure(
                inputs["real"],
                _tell,
                rows=args.rows,
                engines=args.engine,
                tasks=args.task or (*columns.TASKS, columns.REGEX),
            )
        )
        answer["columns"] = [asdict(way) for way in ways]
        text = columns.render(ways)
    elif args.engines:
        from . import engines

        cells = list(
            engines.measure(
                _tell, rows=args.rows, seed=args.seed, engines=args.engine, tasks=args.task
            )
        )
        answer["engines"] = [asdict(cell) for cell in cells]
        text = engines.render(cells)
        failed = any(cell.differing for cell in cells)
    elif args.startup:
        first = startup.measure()
        lines = {str(way): startup.stream(inputs[way.subject], way) for way in startup.WAYS}
        answer["startup"] = first | {"lines": lines}
        text = startup.render(first, lines)
    elif args.figures:
        found = list(figures.measure(inputs, settings, _tell))
        answer["figures"] = [asdict(figure) for figure in found]
        text = figures.render(found)
        failed = any(figure.passed is False for figure in found)
    else:
        chosen = [race for race in RACES if not args.race or race.name in args.race]
        rows = list(races.run(chosen, inputs, settings, _tell))
        answer["races"] = [asdict(row) for row in rows]
        text = races.render(rows)
    print(json.dumps(answer, indent=1) if args.json else f"{_heading(answer)}\n\n{text}")
    return int(failed)


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
