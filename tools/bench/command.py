"""The command: what to measure, and where the answer goes."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from . import browser_changes, columns, figures, linearity, plot, races, refusals, startup
from .operations import OPERATIONS, Inputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PACKAGES = (
    "uriparse", "abnf", "ada-url", "can-ada", "furl", "httpx", "hyperlink", "lark",
    "linkify-it-py", "django", "pydantic", "validators", "requests-hardened", "url-guard",
    "pydantic-core", "rfc3986", "rfc3986-validator", "rfc3987", "rfc3987-syntax",
    "uritools", "urlextract", "urllib3", "yarl", "pyarrow", "polars", "duckdb", "pyspark",
)  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(
        prog="python -m tools.bench",
        description="Measure uriparse and its peers on the same inputs, in one process, in "
        "interleaved rounds. Run it from the root of a clone: python -m tools.bench. Peers that "
        'are not installed are left out; pip install -e ".[bench]" brings them.',
    )
    names = [operation.name for operation in OPERATIONS]
    subjects = sorted({subject for op in OPERATIONS for subject in op.subjects})
    made.add_argument("--operation", action="append", choices=names, default=[], metavar="NAME",
                      help=f"only this one, repeatable: {', '.join(names)}")  # fmt: skip
    made.add_argument("--subject", action="append", choices=subjects, default=[], metavar="NAME",
                      help=f"only this one, repeatable: {', '.join(subjects)}")  # fmt: skip
    made.add_argument("--peer", action="append", default=[], metavar="NAME",
                      help="only uriparse and this peer, repeatable")  # fmt: skip
    made.add_argument("--corpus", type=Path, metavar="FILE",
                      help='subject "real": the valid lines of a file, 1,000 of them')  # fmt: skip
    made.add_argument("--seed", type=int, default=1, help="of the generated inputs (1)")
    made.add_argument("--rounds", type=int, default=7, help="interleaved rounds (7)")
    made.add_argument("--budget", type=float, default=0.25, metavar="SECONDS",
                      help="a contender's share of a round (0.25)")  # fmt: skip
    made.add_argument("--json", action="store_true", help="print JSON instead of tables")
    made.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the races as SVG")
    part = made.add_mutually_exclusive_group()
    part.add_argument("--linearity", nargs="*", metavar="ENTRY",
                      help="hostile shapes at 100 kB, 1 MB and 8 MB instead")  # fmt: skip
    part.add_argument("--startup", action="store_true", help="cost of the first steps instead")
    part.add_argument("--figures", action="store_true",
                      help="the promised figures instead; exit status 1 if one fails")  # fmt: skip
    part.add_argument("--columns", action="store_true",
                      help="columns in Arrow, Polars, DuckDB and Spark instead")  # fmt: skip
    part.add_argument("--browser-changes", action="store_true",
                      help="what browsers change in the lines of --corpus instead")  # fmt: skip
    part.add_argument("--refusals", action="store_true",
                      help="hostile and real URLs refused by policies and guards instead; real"
                      " ones are the lines of --corpus")  # fmt: skip
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 where a promise is not kept."""
    args = parser().parse_args(arguments)
    inputs = Inputs(args.seed, args.corpus)
    settings = races.Settings(args.rounds, args.budget, tuple(args.peer))
    answer: dict[str, object] = {"about": about(args)}
    status = 0
    if args.linearity is not None:
        growths = list(linearity.measure(tuple(args.linearity), _tell))
        answer["linearity"] = [
            asdict(growth) | {"factor": growth.factor, "each": growth.each} for growth in growths
        ]
        text = linearity.render(growths)
        status = int(not all(growth.linear for growth in growths))
    elif args.columns:
        ways = list(columns.measure(inputs, _tell))
        answer["columns"] = [asdict(way) for way in ways]
        text = columns.render(ways)
    elif args.browser_changes:
        changes = browser_changes.measure(_real(args, inputs))
        answer["changes"] = asdict(changes)
        text = browser_changes.render(changes)
    elif args.refusals:
        shares = list(refusals.measure(_real(args, inputs), _tell))
        answer["refusals"] = [asdict(share) for share in shares]
        text = refusals.render(shares)
    elif args.startup:
        first = startup.measure(11)
        answer["startup"] = asdict(first)
        text = startup.render(first)
    elif args.figures:
        found = list(figures.measure(inputs, settings, _tell))
        answer["figures"] = [asdict(figure) for figure in found]
        text = figures.render(found)
        status = int(any(figure.passed is False for figure in found))
    else:
        chosen = [op for op in OPERATIONS if not args.operation or op.name in args.operation]
        rows = list(races.run(chosen, tuple(args.subject), inputs, settings, _tell))
        answer["rows"] = [asdict(row) for row in rows]
        text = races.render(rows)
        if args.plot:
            args.plot.write_text(plot.draw(rows), "utf-8")
    print(json.dumps(answer, indent=1) if args.json else f"{_heading(answer)}\n\n{text}")
    return status


def _real(args: argparse.Namespace, inputs: Mapping[str, list[str]]) -> list[str]:
    """Return the lines of the corpus that was given, else our own real URLs."""
    corpus: Path | None = args.corpus
    return inputs["real"] if corpus is None else corpus.read_text("utf-8").split("\n")


def about(args: argparse.Namespace) -> dict[str, object]:
    """Return what a reader needs to judge the figures: date, machine, versions, inputs."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.system()} {platform.machine()}, {_processor()}",
        "corpus": args.corpus.name if args.corpus else f"generated, seed {args.seed}",
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
    }


def _heading(answer: dict[str, object]) -> str:
    facts = answer["about"]
    assert isinstance(facts, dict)
    packages = ", ".join(f"{name} {number}" for name, number in facts["packages"].items())
    run = f"{facts['date']}, {facts['python']}, {facts['machine']}; corpus: {facts['corpus']}"
    return f"{run}\n{packages}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").split("\n")
    except OSError:
        return platform.processor() or "unknown processor"
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else platform.processor() or "unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
