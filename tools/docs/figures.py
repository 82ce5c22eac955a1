"""The measured numbers of the pages: one file, which the bench and the kit write.

    python -m tools.bench --json >bench.json
    uriparse conformance trial --format json yarl httpx >trial.ndjson
    python -m tools.docs.figures bench.json trial.ndjson runs.json

`runs.json` has what the runners of the published suite said: its "version", the "date", "texts",
how many each file has, and "runs", rows of parser, version, language, and how many differ in each.
This puts what was measured into figures.json. Pages and pictures take their numbers from there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from tools.release import install_command, settings
from uriparse import URIError, equivalent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

FILE = Path(__file__).with_name("figures.json")
FIGURES: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
RACES = {"is_valid": "validate", "read": "parse"}
WHOLE = 1000
"""Texts that a contender judges at least, unless it is slow and gets a sample."""
NAMES = {"uriparse": "uriparse, with its kernel"}
"""What the pages call a contender of the bench that is called otherwise there."""
COMPONENTS = (
    "scheme", "userinfo", "authority", "host", "IPv6", "IPvFuture", "port", "path", "query",
    "fragment",
)  # fmt: skip
MARKS = {"accepts": "▲", "rejects": "▼"}


def component(rule: str) -> str:
    """Return the column of a table that a rule of RFC 3986 belongs to."""
    known = {"IPv6address": "IPv6", "URI": "fragment"}  # "URI": after the last character
    if rule.startswith("path"):
        return "path"
    name = known.get(rule, rule)
    return name if name in COMPONENTS else "host"


def duration(microseconds: float) -> str:
    """Write a time of at most 50 µs with three digits or fewer, longer ones as whole numbers."""
    if microseconds >= 100:
        return f"{microseconds:,.0f} µs"
    return f"{microseconds:.{1 if microseconds >= 10 else 2}f} µs"


def _digits(seconds: float) -> float:
    """Return microseconds, of which two digits count."""
    value = float(f"{seconds * 1e6:.2g}")
    return round(value) if value >= 10 else value


def measured(results: dict[str, Any]) -> None:
    """Put what one run measured into the figures."""
    if "races" in results:
        for row in results["races"]:
            if row["race"] in RACES and row["subject"] == "real":
                table = FIGURES[RACES[row["race"]]]
                errors = row["errors"] or {}
                name = NAMES.get(row["contender"], row["contender"])
                name += " (native)" if row["native"] else ""
                name += f" (of {row['inputs']})" if errors.get("judged", WHOLE) < WHOLE else ""
                entry = table.setdefault(name, {})
                entry["µs"] = float(f"{row['seconds'] * 1e6:.3g}")
                if errors:
                    entry["wrong"] = errors["accepts"] + errors["refuses"]
        FIGURES["measured"]["speed"] = results["about"]["date"]
    elif "startup" in results:
        _processes(results["startup"])
        FIGURES["measured"]["commands"] = results["about"]["date"]
    elif "columns" in results:
        table = FIGURES["columns"]
        for row in results["columns"]:
            table.setdefault(row["task"], {})[row["engine"]] = _digits(row["each"])
        FIGURES["differing"] = sum(row["differing"] for row in results["columns"])
        FIGURES["measured"]["columns"] = results["about"]["date"]
    elif "operation" in results:
        parser = f"{results['parser']} {results['version']}".strip()
        column = f"{results['operation']} of {results['asked']}"
        alike = sum(_alike(row["found"], row["expected"]) for row in results["differences"])
        cells = _cells([len(results["differences"]), alike])
        FIGURES["results"].setdefault(parser, {})[column] = cells
    elif "groups" in results:
        parser, marks = results["parser"], {}
        for group in results["groups"]:
            if mark := MARKS.get(group["direction"]):  # not of texts that are written anew
                marks.setdefault(component(group["component"]), set()).add(mark)
        row = {name: "".join(sorted(marks[name])) for name in COMPONENTS if name in marks}
        others = {k: v for k, v in FIGURES["trial"].items() if k.rpartition(" ")[0] != parser}
        place = [k.rpartition(" ")[0] for k in FIGURES["trial"]]
        keys = list(others)
        keys.insert(place.index(parser) if parser in place else len(keys), "")
        FIGURES["trial"] = {k or f"{parser} {results['version']}": others.get(k, row) for k in keys}
        FIGURES["suite"]["trial"] = max(FIGURES["suite"]["trial"], results["texts"])
        FIGURES["measured"]["trial"] = results["date"]
    elif "runs" in results:
        runs = sorted(results["runs"], key=lambda row: sum(row[3:]))
        FIGURES["runs"] = {f"{name} {at} | {of}": _cells(row) for name, at, of, *row in runs}
        FIGURES["published"] = {"version": results["version"], "texts": _cells(results["texts"])}
        FIGURES["measured"]["runs"] = results["date"]


def _processes(results: dict[str, Any]) -> None:
    for name in ("uriparse", "rfc3986"):
        FIGURES["import"][name] = round(1000 * results[f"import {name}"])
    for way, seconds in results["lines"].items():
        command, _, given = way.partition(", ")
        name, *words = command.split()
        if name == "validate":
            FIGURES["stream"][words[1]][words[-1].lstrip("-")] = _digits(seconds)
        else:
            kind = "web" if given == "web" else "unheard" if "not" in given else "heard"
            FIGURES["commands"].setdefault(name, {})[kind] = _digits(seconds)
    for row in results["rivals"]:
        cells = FIGURES["rivals"].setdefault(row["program"], {})
        cells[row["subject"]] = _digits(row["each"])
        cells[f"{row['subject']}, accepted"] = f"{100 * row['accepts']:.0f} %"


def _alike(found: str | None, expected: str) -> bool:
    try:
        return found is not None and equivalent(found, expected)
    except URIError:
        return False


def _cells(numbers: list[int]) -> str:
    return " | ".join(map(str, numbers))


def entries(kind: str) -> Iterator[str]:
    """Yield a table in Markdown: "validate", "parse", "columns", "trial", "runs" or "results"."""
    if kind == "runs":
        texts = FIGURES["published"]["texts"].replace("| ", "| of ")
        yield f"| parser | language | of {texts} |"
        yield "|---|---|--:|--:|--:|"
        yield from (f"| {parser} | {cells} |" for parser, cells in FIGURES[kind].items())
        return
    if kind == "results":
        rows = FIGURES[kind]
        columns = [*rows["uriparse 0.1.0"]]
        yield f"| parser | {' | in spelling | '.join(columns)} | in spelling |"
        yield f"|---|{'--:|' * 2 * len(columns)}"
        for parser in sorted(rows, key=lambda one: int(rows[one][columns[0]].split()[0])):
            found = (rows[parser].get(column, "– | –") for column in columns)
            yield f"| {parser} | {' | '.join(found)} |"
        return
    if kind == "columns":
        engines = [*dict.fromkeys(name for row in FIGURES[kind].values() for name in row)]
        yield f"| µs a row | {' | '.join(engines)} |"
        yield f"|---|{'--:|' * len(engines)}"
        for name, row in FIGURES[kind].items():
            cells = " | ".join(str(row.get(engine, "–")) for engine in engines)
            yield f"| `{name}` | {cells} |"
        return
    if kind == "trial":
        yield f"| parser | {' | '.join(COMPONENTS)} |"
        yield f"|---|{':-:|' * len(COMPONENTS)}"
        for parser, marks in FIGURES[kind].items():
            yield f"| {parser} | {' | '.join(marks.get(name) or '·' for name in COMPONENTS)} |"
        return
    ours = FIGURES[kind]["uriparse, with its kernel"]["µs"]
    yield "| library | time | × ours | wrong |"
    yield "|---|--:|--:|--:|"
    for name, row in FIGURES[kind].items():
        times = row["µs"] / ours
        written = f"{round(times, -3) if times > 1000 else times:,.{1 if times < 10 else 0}f}"
        cells = [name, duration(row["µs"]), written.removesuffix(".0"), str(row.get("wrong", ""))]
        own = "**" if name.startswith("uriparse") else ""
        yield f"| {' | '.join(f'{own}{cell}{own}' if cell else '' for cell in cells)} |"


class Measured(SphinxDirective):
    """A table of measurements, which is the argument."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(entries(self.arguments[0]))))


class Figure(SphinxRole):
    """One number of the file: `{figure}` with its names, joined by dots."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write it."""
        value: Any = FIGURES
        for name in self.text.split("."):
            value = value[name]
        return [nodes.Text(f"{value:,}" if isinstance(value, int) else str(value))], []


class Install(SphinxRole):
    """The command that installs an extra, as `tools.release` knows it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write it."""
        command = install_command("" if self.text == "uriparse" else self.text)
        return [nodes.literal(command, command)], []


class Owner(SphinxRole):
    """A setting of the owner, such as `contact`; "the maintainers" until it is filled in."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write it."""
        return [nodes.Text(str(settings()[self.text] or "the maintainers"))], []


class Installation(SphinxDirective):
    """A block with the command that installs uriparse."""

    def run(self) -> list[nodes.Node]:
        """Make the block."""
        where = "" if settings()["published"] else "    # in a clone of the repository"
        text = f"{install_command()}{where}"
        return [nodes.literal_block(text, text, language="sh")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.add_directive("measured", Measured)
    app.add_directive("installation", Installation)
    app.add_role("figure", Figure())
    app.add_role("install", Install())
    app.add_role("owner", Owner())
    return {"parallel_read_safe": True}


def main() -> None:
    """Read results from files, one JSON object or several lines of them, and write the figures."""
    for name in sys.argv[1:]:
        written = Path(name).read_text("utf-8").strip()
        for one in written.splitlines() if "\n{" in written else [written]:
            measured(json.loads(one))
    FILE.write_text(json.dumps(FIGURES, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
