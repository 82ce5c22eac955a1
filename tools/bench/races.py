"""Run the operations and hold what came out, ready for a table or for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .contenders import Contender, load
from .operations import BULK, UNSUITED_TO_SLOW, Inputs, Operation
from .tables import ratio, seconds, table
from .timing import Call, race
from .verdicts import Errors, Truth, errors, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

VERDICT_RULES = {
    "is_valid": "URI",
    "parse": "URI-reference",
    "field": "URI",
    "format": "URI",
}
"""The rule whose language an operation decides."""


@dataclass(frozen=True, slots=True)
class Row:
    """One contender on one subject.

    Attributes:
        seconds: median for one input, or for the whole text where the subject is one text.
        ratio: its time by ours; None where we are not there.
        inputs: how many inputs it ran on.
        rate: million characters a second, for bulk subjects.
        errors: against the grammar, where the operation is a verdict.

    """

    operation: str
    subject: str
    contender: str
    native: bool
    seconds: float
    ratio: float | None
    inputs: int
    rate: float | None
    errors: Errors | None


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard to measure."""

    rounds: int = 7
    budget: float = 0.25
    peers: tuple[str, ...] = ()

    def wants(self, contender: Contender) -> bool:
        """Whether a contender was asked for: uriparse always is."""
        return contender.ours or not self.peers or contender.name in self.peers


def run(
    operations: Iterable[Operation],
    subjects: tuple[str, ...],
    inputs: Inputs,
    settings: Settings,
    tell: Callable[[str], None],
) -> Iterator[Row]:
    """Yield the rows of each operation on each of its subjects that was asked for."""
    for operation in operations:
        calls, missing = load(filter(settings.wants, operation.contenders))
        if missing:
            tell(f"{operation.name}: not there: {', '.join(missing)}")
        known = _truth(operation, inputs, tell) if operation.verdicts else None
        wrong = {} if known is None else {c: errors(c, call, known) for c, call in calls.items()}
        for subject in operation.subjects:
            if subjects and subject not in subjects:
                continue
            tell(f"{operation.name} on {subject} ...")
            yield from _rows(operation, subject, calls, wrong, inputs, settings)


def _rows(
    operation: Operation,
    subject: str,
    calls: dict[Contender, Call],
    wrong: dict[Contender, Errors],
    inputs: Inputs,
    settings: Settings,
) -> Iterator[Row]:
    fit = {c: call for c, call in calls.items() if not (c.slow and subject in UNSUITED_TO_SLOW)}
    if not fit:
        return
    texts = inputs[subject]
    measures = race(
        {c.name: call for c, call in fit.items()},
        texts,
        rounds=settings.rounds,
        budget=settings.budget,
    )
    ours = next((measures[c.name].seconds for c in fit if c.ours), None)
    for contender in fit:
        measure = measures[contender.name]
        yield Row(
            operation.name,
            subject,
            contender.name,
            contender.native,
            measure.seconds,
            measure.seconds / ours if ours else None,
            measure.inputs,
            len(texts[0]) / measure.seconds / 1e6 if subject in BULK else None,
            wrong.get(contender),
        )


def _truth(operation: Operation, inputs: Inputs, tell: Callable[[str], None]) -> Truth | None:
    try:
        from uriparse import is_valid
    except ImportError:
        return None
    rule = VERDICT_RULES[operation.name]
    texts = [*inputs["real"], *inputs["ipv6"], *inputs["corrupted"]]
    known = truth(texts, lambda text: is_valid(text, rule))
    if rule == "URI":
        tell(
            f"ground truth: {len(texts)} texts, {sum(known.answers)} of them valid; abnf checked "
            f"{known.checked} and disagrees on {len(known.disagreements)}"
        )
        for text in known.disagreements:
            tell(f"  abnf disagrees on {text!r}")
    return known


def render(rows: Iterable[Row]) -> str:
    """One table for each operation and subject, fastest first."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.operation, row.subject), []).append(row)
    return "\n".join(_render(*key, group) for key, group in groups.items())


def _render(operation: str, subject: str, rows: list[Row]) -> str:
    bulk = any(row.rate for row in rows)
    judged = any(row.errors for row in rows)
    head = ["", "MB/s" if bulk else "median", "to ours", "inputs"]
    head += ["wrongly valid", "wrongly invalid", "of"] if judged else []
    body = []
    for row in sorted(rows, key=lambda row: row.seconds):
        time = f"{row.rate:.1f}" if row.rate else seconds(row.seconds)
        cells = [
            row.contender + (" (native)" if row.native else ""),
            time,
            ratio(row.ratio) if row.ratio else "",
            str(row.inputs),
        ]
        if judged:
            wrong = row.errors
            cells += [str(wrong.accepts), str(wrong.refuses), str(wrong.judged)] if wrong else []
        body.append(cells)
    return table(f"{operation}: {subject}", head, body)
