"""The outcome of trials as lines of text and as JSON objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.cli.console import on_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uriparse.conformance import Fault, Part, Trial, Trials

SIGNS: Final = {"accepts": "▲", "rejects": "▼", "differs": "≠", "rewrites": "↻"}

LEGEND: Final = "▲ accepts wrongly   ▼ rejects wrongly   ≠ tells otherwise   ↻ writes otherwise"

_TITLE: Final = 72


class Report(NamedTuple):
    """What is written of trials, in whatever form.

    Attributes:
        trials: the trials.
        date: of the day, as 2026-11-22.
        means: what each parser's verdict is, by its name, in one line.
        troubles: parsers that could not be asked, and why.
        shown: gives a text as it may be shown.

    """

    trials: Trials
    date: str
    means: dict[str, str]
    troubles: tuple[tuple[str, str], ...]
    shown: Callable[[str], str]

    def witness(self, text: str) -> str:
        """Give a text for people, on one line; in quotes if it is empty or a space is at an end."""
        shown = on_one_line(self.shown(text))
        return shown if shown and shown == shown.strip() else f'"{shown}"'


def text_lines(report: Report) -> Iterator[str]:
    """Give the lines for people: a head, then each parser with a line a group."""
    found = report.trials
    yield (
        f"{found.rule} of {found.grammar}: {found.texts:,} texts, {found.valid:,} of them valid "
        f"({report.date})"
    )
    yield LEGEND
    for trial in found.trials:
        yield ""
        yield from _lines(trial, report)
    for name, why in report.troubles:
        yield ""
        yield f"{name}: {why}"


def _lines(trial: Trial, report: Report) -> Iterator[str]:
    yield f"{title(trial)}: {summary(trial, report.trials)}"
    yield f"  accepts when: {report.means[trial.name]}"
    for fault in trial.faults:
        head = f"  {SIGNS[fault.direction]} {fault.title}"
        share = f", {fault.steps:,} of {fault.of:,} {nouns(fault)}" if fault.steps else ""
        yield f"{head:<{_TITLE}} {fault.number:,}{share}: {report.witness(fault.witness)}"
    for part in trial.unanswered:
        yield f"  ! {part.what}: {part.number:,}: {report.witness(part.witness)}"


def title(trial: Trial) -> str:
    """Name a parser and its version."""
    return f"{trial.name} {trial.version}".rstrip()


def summary(trial: Trial, trials: Trials) -> str:
    """Say how many groups of wrong verdicts there are, and what else; never a sum of texts."""
    wrong = sum(fault.direction in ("accepts", "rejects") for fault in trial.faults)
    said = "no wrong verdict" if not wrong else _count(wrong, "group") + " of wrong verdicts"
    if trial.asked and sum(part.number for part in trial.unanswered) == trial.asked:
        said = "no verdict"
    if trial.asked < trials.texts:
        said += f"; asked about {trial.asked:,} of {trials.texts:,} texts"
    return said


def nouns(fault: Fault) -> str:
    """Name what the share of a group is a share of."""
    return "refusals" if fault.direction == "accepts" else "transitions"


def objects(report: Report) -> Iterator[dict[str, object]]:
    """Give an object a parser."""
    found = report.trials
    head = {"rule": found.rule, "grammar": found.grammar, "date": report.date}
    for trial in found.trials:
        yield {
            "parser": trial.name,
            "version": trial.version,
            "means": report.means[trial.name],
            **head,
            "texts": found.texts,
            "asked": trial.asked,
            "groups": [_fault(fault, report) for fault in trial.faults],
            "unanswered": _parts(trial.unanswered, report),
        }
    for name, why in report.troubles:
        yield {"parser": name, **head, "trouble": why}


def _fault(fault: Fault, report: Report) -> dict[str, object]:
    return {
        "direction": fault.direction,
        "component": fault.component,
        "title": fault.title,
        "number": fault.number,
        "steps": fault.steps,
        "of": fault.of,
        "witness": report.shown(fault.witness),
        "parts": _parts(fault.parts, report),
    }


def _parts(parts: tuple[Part, ...], report: Report) -> list[dict[str, object]]:
    return [
        {"what": part.what, "number": part.number, "witness": report.shown(part.witness)}
        for part in parts
    ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
