"""Judge items of files by a policy, in several processes, and show the verdicts."""

from __future__ import annotations

import csv
import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import repeat
from typing import Literal, NamedTuple, Self, TypeAlias

from uriparse.cli.console import Console, standard_error, without_line_ends
from uriparse.cli.per_line import masked, masked_beginning
from uriparse.cli.validation_sources import UNREADABLE, Item, Unreadable, safe_cell
from uriparse.errors import excerpt
from uriparse.validation import Policy, Report, validate
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.first_sight import accepted_texts

# A verdict as a line: for people and grep, as NDJSON, or as CSV.


class VerdictRow(NamedTuple):
    """The verdict on a text; NDJSON and CSV have these fields in this order.

    Code, cause, offset, component and message are those of the first reason for refusing it;
    `codes` has all findings, the reasons first; `line` counts from 1; `text` may be masked.
    """

    line: int
    accepted: bool
    code: str | None
    cause: str | None
    offset: int | None
    component: str | None
    message: str | None
    codes: tuple[str, ...]
    text: str


def _accepted(number: int, text: str, codes: tuple[str, ...] = ()) -> VerdictRow:
    return VerdictRow(number, True, None, None, None, None, None, codes, text)


Form: TypeAlias = "Callable[[VerdictRow], str]"
"""Writes a verdict as one line, with its line end."""


def as_text(verdict: VerdictRow) -> str:
    """Verdict, codes and text, with tabs between them; a refused text on one line."""
    codes = ",".join(verdict.codes)
    if verdict.accepted:  # and so without line ends
        return f"ok\t{codes}\t{verdict.text}\n"
    return f"refused\t{codes}\t{without_line_ends(verdict.text)}\n"


def as_ndjson(verdict: VerdictRow) -> str:
    """One JSON object, in ASCII."""
    return json.dumps(verdict._asdict()) + "\n"


def as_csv(verdict: VerdictRow) -> str:
    """One row of CSV (RFC 4180)."""
    row = verdict._asdict()
    row |= {"accepted": str(verdict.accepted).lower(), "codes": " ".join(verdict.codes)}
    return csv_row(list(row.values()))


def as_safe_csv(verdict: VerdictRow) -> str:
    """One row that a spreadsheet shows as it is, whichever delimiter it expects."""
    (row,) = csv.reader([as_csv(verdict)])
    return csv_row(list(map(safe_cell, row)), csv.QUOTE_ALL)


def csv_row(values: Sequence[object], quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> str:
    """Write one row of CSV; None is an empty cell."""
    line = io.StringIO()
    csv.writer(line, quoting=quoting).writerow(values)
    return line.getvalue()


_NOTHING = as_ndjson(_accepted(0, "")).partition(", ")[2].removesuffix(' ""}\n')
"""The members between `line` and `text` for an accepted text without findings."""


def quick_ndjson(number: int, text: str) -> str:
    """Return the object of an accepted text without findings."""
    if text.isascii() and text.isprintable() and not ('"' in text or "\\" in text):
        return f'{{"line": {number}, {_NOTHING} "{text}"}}\n'
    return as_ndjson(_accepted(number, text))


FORMS: dict[str, Form] = {"text": as_text, "ndjson": as_ndjson, "csv": as_csv}
"""By the names of `--format`."""

SAFE_CSV = "csv --csv-safe"
FORMS_AND_SAFE = {**FORMS, SAFE_CSV: as_safe_csv}

HEADS = {"csv": csv_row(VerdictRow._fields), SAFE_CSV: csv_row(VerdictRow._fields, csv.QUOTE_ALL)}
"""What comes before the first verdict."""


# The verdicts of a chunk of texts: what one worker does at a time.


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with each chunk.

    form: a key of `FORMS_AND_SAFE`; None for no output.
    warnings: whether to report findings of accepted texts.
    mask: whether to mask passwords, also in sorted texts.
    sort: whether to return good and bad texts separately.
    """

    policy: Policy
    form: str | None = "text"
    refused_only: bool = False
    warnings: bool = False
    mask: bool = False
    sort: bool = False
    hosts: bool = False


@dataclass(slots=True)
class Outcome:
    """The result of a chunk, or of all so far."""

    output: str = ""
    good: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    accepted: int = 0
    refused: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)


_FEW = 16
"""So many texts are judged one by one."""


def judge(chunk: tuple[list[Item], int], job: Job) -> Outcome:
    """Judge a chunk whose first text has a number."""
    items, first = chunk
    outcome = Outcome()
    surely = compiled(job.policy).fast_accept
    simple = not (job.warnings or job.hosts or job.mask)
    told: list[str] = []
    tell = _teller(job)
    good = 0
    known: Iterable[bool] = repeat(False)
    if simple and len(items) > _FEW:
        known = accepted_texts(job.policy, ["" if isinstance(i, Unreadable) else i for i in items])
    for number, (item, sure) in enumerate(zip(items, known, strict=False), first):
        if simple and not isinstance(item, Unreadable) and (sure or surely(item)):
            good += 1
            if job.sort:
                outcome.good.append(item)
            if tell is not None and not job.refused_only:
                told.append(tell(number, item))
            continue
        verdict = _verdict(number, item, job, outcome)
        if verdict.accepted:
            good += 1
        if job.form is not None and not (verdict.accepted and job.refused_only):
            told.append(FORMS_AND_SAFE[job.form](verdict))
    outcome.accepted = good
    outcome.refused = len(items) - good
    outcome.output = "".join(told)
    return outcome


def _teller(job: Job) -> Callable[[int, str], str] | None:
    if job.form is None:
        return None
    if job.form == "text":
        return lambda _, text: f"ok\t\t{text}\n"
    if job.form == "ndjson":
        return quick_ndjson
    form = FORMS_AND_SAFE[job.form]
    return lambda number, text: form(_accepted(number, text))


def _verdict(number: int, item: Item, job: Job, outcome: Outcome) -> VerdictRow:
    if isinstance(item, Unreadable):
        (code,) = UNREADABLE
        outcome.codes[code] += 1
        text, reason, is_cut = item
        if job.mask:
            text = masked_beginning(text) if is_cut else excerpt.masked(text)
        outcome.bad.append(without_line_ends(text))
        return VerdictRow(number, False, code, code, 0, None, reason, (code,), text)
    report = validate(item, job.policy)
    record = report.record
    text = (excerpt.masked(item) if record is None else str(masked(record))) if job.mask else item
    if job.sort and report.accepted:
        outcome.good.append(text)
    elif job.sort:
        outcome.bad.append(without_line_ends(text))
    outcome.codes.update({found.code for found in report.findings})
    if job.hosts and record is not None and record.host is not None:
        outcome.hosts[str(record.host).lower()] += 1
    return verdict_of(number, report, text)


def verdict_of(number: int, report: Report, text: str) -> VerdictRow:
    """Return the verdict of a report."""
    reasons = report.reasons
    others = (found for found in report.findings if found not in reasons)
    codes = tuple(dict.fromkeys(found.code for found in (*reasons, *others)))
    if not reasons:
        return _accepted(number, text, codes)
    first = reasons[0]
    cause = None if first.error is None else first.error.cause
    facts = (codes[0], cause, first.offset, first.component, first.message, codes)
    return VerdictRow(number, False, *facts, text)


# The summary, and the progress.

_HOSTS = 10
_SECONDS = 0.5


def summary(total: Outcome) -> str:
    """Return the counts, the codes by frequency, and the commonest hosts."""
    number = total.accepted + total.refused
    rows = [f"{number:,} texts: {total.accepted:,} accepted, {total.refused:,} refused"]
    for title, counted in (
        ("findings", total.codes.most_common()),
        ("commonest hosts", total.hosts.most_common(_HOSTS)),
    ):
        if counted:
            width = len(f"{counted[0][1]:,}")
            rows += ["", title, *(f"  {count:>{width},}  {name}" for name, count in counted)]
    return "\n".join(rows)


class Progress:
    """A line that counts, if standard error is a terminal and standard output is not."""

    def __init__(self, console: Console, *, alone: bool = False) -> None:
        """Begin; alone: nothing else is written to the terminal."""
        self._errors = standard_error()
        self._wanted = bool(console.options.get("progress"))
        self._shown = self._errors.is_terminal and (alone or console.width is None)
        self._begun = time.monotonic()
        self._next = self._begun + _SECONDS
        self._last: tuple[int, float | None] = (0, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._errors.progress("")
        if self._wanted:
            self._errors.tell(self._line(self._last[0], None))

    def show(self, number: int, share: float | None = None) -> None:
        """Show how many texts are done, and which share of all: at most twice a second."""
        self._last = number, share
        if not (self._shown or self._wanted) or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (_SECONDS if self._shown else 10 * _SECONDS)
        line = self._line(number, share)
        if self._shown:
            self._errors.progress(line)
        else:
            self._errors.tell(line)

    def _line(self, number: int, share: float | None) -> str:
        return progress_line(number, share, time.monotonic() - self._begun)


def progress_line(number: int, share: float | None, seconds: float) -> str:
    """Return the progress, the speed, and the remaining time at this speed.

    share: of all; None if it is unknown, or 1.

    >>> progress_line(25_000, 0.25, 2.0)
    '█████                 25 %, 25,000 texts, 12,500 a second, 0:00:06 left'
    >>> progress_line(25_000, None, 2.0)
    '25,000 texts, 12,500 a second'
    """
    told = f"{number:,} texts, {int(number / max(seconds, 0.001)):,} a second"
    if not share:
        return told
    share = min(share, 1.0)
    left = timedelta(seconds=int(seconds / share - seconds))
    bar = f"{'█' * int(share * _BAR):{_BAR}} {share:4.0%}".replace("%", " %")
    return f"{bar}, {told}, {left} left"


_BAR = 20


def outcomes(chunks: Iterable[list[Item]], job: Job, jobs: int) -> Iterator[Outcome]:
    """Judge chunks, in this process or in several; yield the results in order."""
    work = partial(judge, job=job)
    if jobs == 1:
        return map(work, _numbered(chunks))
    from uriparse.cli.processes import in_order

    return in_order(work, _numbered(chunks), jobs)


def _numbered(chunks: Iterable[list[Item]]) -> Iterator[tuple[list[Item], int]]:
    first = 1
    for items in chunks:
        yield items, first
        first += len(items)
