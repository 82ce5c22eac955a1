"""The command: measure the collection, and print what became of it as a table."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from json import dumps
from typing import TYPE_CHECKING

from .grammars import COLLECTED, GRAMMARS
from .measuring import Figures, Limits, as_json, in_this_process, measured

if TYPE_CHECKING:
    from collections.abc import Sequence


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(
        prog="python -m tools.collection",
        description="Lint and compile every grammar of the collection, and of the abnf package, "
        "each in a process of its own; print what became of it. The exit status is 1 where one "
        "needs more time or memory than is allowed.",
    )
    made.add_argument("name", nargs="*", metavar="NAME", help="only these grammars")
    made.add_argument("--json", action="store_true", help="print JSON instead of a table")
    made.add_argument("--measure", metavar="NAME", help="measure one, in this process")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    command = parser()
    args = command.parse_args(arguments)
    for name in [*args.name, *([args.measure] if args.measure else [])]:
        if name not in GRAMMARS:
            command.error(f"{name} is not in the collection")
    if args.measure:
        sys.stdout.write(as_json(in_this_process(args.measure)) + "\n")
        return 0
    found: list[Figures] = []
    for name in args.name or GRAMMARS:
        sys.stderr.write(f"{name}\n")
        found.append(measured(name))
    limits = Limits()
    text = dumps([asdict(one) for one in found], indent=1) if args.json else table(found, limits)
    sys.stdout.write(f"{text}\n")
    return int(any(one.beyond(limits) for one in found))


def table(found: Sequence[Figures], limits: Limits) -> str:
    """Write the figures as a table, with a line of what they come to."""
    head = ("grammar", "rules", "lint", "s", "parser", "s", "MB", "source", "why not LALR")
    rows = [head, *(_row(one) for one in found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head) - 1)]
    numbers = {1, 2, 3, 5, 6}
    lines = [
        "  ".join(
            [
                *(
                    cell.rjust(width) if at in numbers else cell.ljust(width)
                    for at, (cell, width) in enumerate(zip(row, widths, strict=False))
                ),
                row[-1],
            ]
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", _sum(found, limits)])


def _row(one: Figures) -> tuple[str, ...]:
    why = one.reason
    if one.advice:
        why += f" (LALR with {' '.join(f'--leaf {rule}' for rule in one.advice)})"
    return (
        one.name,
        str(one.rules),
        str(sum((one.problems or {}).values())),
        f"{one.lint:.2f}",
        one.parser.replace("lalr", "LALR").replace("earley", "Earley"),
        f"{one.compile:.2f}",
        f"{one.megabytes:.0f}",
        one.source if len(one.source) <= 40 else f"{one.source[:39]}…",
        why,
    )


def _sum(found: Sequence[Figures], limits: Limits) -> str:
    lalr = sum(one.parser == "lalr" for one in found)
    rules = sum(one.rules for one in found)
    collected = sum(one.name in COLLECTED for one in found)
    lines = [
        f"{len(found)} grammars, {collected} of them collected, and {rules} rules",
        f"LALR: {lalr}, Earley: {len(found) - lalr}",
    ]
    for what, unit in (("lint", "s"), ("compile", "s"), ("megabytes", "")):
        most = max(found, key=lambda one: float(getattr(one, what)))
        lines.append(
            f"{what}: at most {getattr(most, what):.2f}{unit}, {most.name} "
            f"(allowed: {getattr(limits, what):.0f}{unit})"
        )
    wanting = [(one.name, one.beyond(limits)) for one in found]
    lines += [f"{name} needs too much: {', '.join(beyond)}" for name, beyond in wanting if beyond]
    return "\n".join(lines)
