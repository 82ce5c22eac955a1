"""Judge items of files by a policy, in several processes, and show the verdicts."""

import csv
import io
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from math import inf
from typing import Literal, NamedTuple, Self, TypeAlias, cast

from uriparse.cli.console import Console, quoted, standard_error, without_line_ends
from uriparse.cli.per_line import json_value, json_words, masked, masked_beginning
from uriparse.cli.validation_sources import UNREADABLE, Item, Unreadable, safe_cell
from uriparse.errors import excerpt
from uriparse.parsing import Record
from uriparse.validation import Policy, report
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.first_sight import CODES, NULL, SYNTAX, UNDECIDED, codes_of_texts
from uriparse.validation.report import codes_of_invalid, evaluate, parse_by_policy

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


Form: TypeAlias = Callable[[VerdictRow], str]
"""Writes a verdict as one line, with its line end."""


def as_text(verdict: VerdictRow) -> str:
    """Verdict, codes and text, with tabs between them; a refused text on one line."""
    codes = ",".join(verdict.codes)
    if verdict.accepted:  # and so without line ends
        return f"ok\t{codes}\t{verdict.text}\n"
    return f"refused\t{codes}\t{without_line_ends(verdict.text)}\n"


def as_ndjson(verdict: VerdictRow) -> str:
    """One JSON object, in ASCII."""
    number, accepted, code, cause, offset, component, message, codes, text = verdict
    # Written out: `json.dumps` takes three times as long.
    return (
        f'{{"line": {number}, "accepted": {"true" if accepted else "false"},'
        f' "code": {json_value(code)}, "cause": {json_value(cause)},'
        f' "offset": {"null" if offset is None else offset}, "component": {json_value(component)},'
        f' "message": {json_value(message)}, "codes": {json_words(codes)},'
        f' "text": {quoted(text)}}}\n'
    )


def as_brief(verdict: VerdictRow) -> str:
    """Verdict, first code and text, with tabs between them, as `as_text`."""
    return as_text(verdict._replace(codes=verdict.codes[:1]))


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


FORMS: dict[str, Form] = {
    "text": as_text,
    "brief": as_brief,
    "ndjson": as_ndjson,
    "csv": as_csv,
}
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
    counts: whether to count codes and hosts.
    whatwg: whether to judge and write the URLs that browsers make of the texts.
    """

    policy: Policy
    form: str | None = "text"
    refused_only: bool = False
    warnings: bool = False
    mask: bool = False
    sort: bool = False
    counts: bool = False
    whatwg: bool = False


@dataclass(slots=True)
class Counts:
    """How many texts were accepted and refused, their findings and hosts; rows may be null too."""

    rows: int = 0
    accepted: int = 0
    refused: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)

    def count(self, codes: Iterable[str], record: Record | None) -> None:
        """Count the findings and the host of a text."""
        self.codes.update(codes)
        if record is not None and record.host is not None:
            self.hosts[str(record.host).lower()] += 1

    def add(self, other: "Counts") -> None:
        """Count what another has counted."""
        self.rows += other.rows
        self.accepted += other.accepted
        self.refused += other.refused
        self.codes.update(other.codes)
        self.hosts.update(other.hosts)


@dataclass(slots=True)
class Outcome(Counts):
    """The result of a chunk."""

    output: str = ""
    good: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)


def judge(chunk: tuple[list[Item], int], job: Job) -> Outcome:
    """Judge a chunk whose first text has a number.

    All get the code of a first reason at once; more is found out for what is written alone.
    """
    items, first = chunk
    outcome = Outcome()
    texts, unread = cast("list[str]", items), list[int]()
    if Unreadable in set(map(type, items)):
        unread = [at for at, item in enumerate(items) if isinstance(item, Unreadable)]
        texts = ["" if isinstance(item, Unreadable) else item for item in items]
    # What is written of these needs more than the first code.
    others = job.form not in {None, "brief"}
    if job.whatwg:
        numbers = bytearray([UNDECIDED]) * len(items)
    else:
        numbers = codes_of_texts(job.policy, texts, leaves_others=others)
    for at in unread:
        numbers[at] = NULL
    outcome.accepted = numbers.count(0)
    if job.counts and not job.whatwg:
        from uriparse.arrow.policies import codes_and_hosts_of_texts

        read = [one for one in items if isinstance(one, str)] if unread else texts
        outcome.codes, outcome.hosts = codes_and_hosts_of_texts(read, job.policy)
    outcome.codes.update(dict.fromkeys(UNREADABLE, len(unread)) if unread else {})
    if job.form is None and not (job.sort or job.whatwg):
        outcome.refused = len(items) - outcome.accepted
        return outcome
    told: list[str] = []
    tell, brief, explain = _teller(job), _brief(job), _explainer(job)
    shortest = inf if job.form == "brief" else compiled(job.policy).least_limit
    for number, (code, item) in enumerate(zip(numbers, items, strict=True), first):
        if not job.mask and code in brief and len(text := cast("str", item)) <= shortest:
            told.append(f"{brief[code]}{without_line_ends(text)}\n")
            if job.sort:
                outcome.bad.append(f"{without_line_ends(text)}\n")
        elif not job.mask and code == 0 and not job.warnings:
            if job.sort:
                outcome.good.append(f"{item}\n")
            if tell is not None and not job.refused_only:
                told.append(tell(number, cast("str", item)))
        elif (
            not job.mask
            and code == SYNTAX
            and explain
            and len(text := cast("str", item)) <= shortest
        ):
            told.append(explain(number, text))
            if job.sort:
                outcome.bad.append(f"{without_line_ends(text)}\n")
        else:
            verdict = _verdict(number, item, job, outcome)
            outcome.accepted += code == UNDECIDED and verdict.accepted
            if job.form is not None and not (verdict.accepted and job.refused_only):
                told.append(FORMS_AND_SAFE[job.form](verdict))
    outcome.refused = len(items) - outcome.accepted
    outcome.output = "".join(told)
    return outcome


def _brief(job: Job) -> dict[int, str]:
    """Return the beginnings of lines by the codes that say all which is written of a text.

    In the form "text" only for texts that exceed no limit.
    """
    if job.form == "brief":
        return {number: f"refused\t{code}\t" for number, code in enumerate(CODES) if code}
    if job.form != "text":
        return {}
    return {SYNTAX: f"refused\t{','.join(codes_of_invalid(job.policy))}\t"}


def _teller(job: Job) -> Callable[[int, str], str] | None:
    if job.form is None:
        return None
    if job.form in {"text", "brief"}:
        return lambda _, text: f"ok\t\t{text}\n"
    form = FORMS_AND_SAFE[job.form]
    nothing = None, None, None, None, None, ()
    return lambda number, text: form(VerdictRow(number, True, *nothing, text))


def _explainer(job: Job) -> Callable[[int, str], str] | None:
    """Return what writes an invalid text that exceeds no limit; None without a sentence."""
    if job.form not in _WITH_SENTENCE:
        return None
    from uriparse.diagnosis import diagnose

    form, codes = FORMS_AND_SAFE[job.form], codes_of_invalid(job.policy)
    rule, grammar = compiled(job.policy).start, job.policy.grammar

    def line(number: int, text: str) -> str:
        error = diagnose(text, rule, grammar)
        facts = "syntax", error.cause, error.offset, error.component, str(error), codes
        return form(VerdictRow(number, False, *facts, text))

    return line


def _verdict(number: int, item: Item, job: Job, outcome: Outcome) -> VerdictRow:
    if isinstance(item, Unreadable):
        (code,) = UNREADABLE
        text, reason, is_cut = item
        if job.mask:
            text = masked_beginning(text) if is_cut else excerpt.masked(text)
        outcome.bad.append(f"{without_line_ends(text)}\n")
        return VerdictRow(number, False, code, code, 0, None, reason, (code,), text)
    if job.whatwg:
        item, judged = report.evaluate_as_browsers(item, job.policy)
    else:
        judged = evaluate(item, job.policy)
    codes, accepted = judged.codes, judged.is_accepted
    text = item
    record = parse_by_policy(item, job.policy) if judged.is_read else None
    if job.mask:
        text = excerpt.masked(item) if record is None else str(masked(record))
    if job.counts and job.whatwg:
        outcome.count(codes, record)
    if job.sort:
        (outcome.good if accepted else outcome.bad).append(f"{without_line_ends(text)}\n")
    if accepted or job.form not in _WITH_SENTENCE:
        codes = codes if job.warnings or not accepted else ()
        return VerdictRow(number, accepted, None, None, None, None, None, codes, text)
    first = judged.first
    cause = None if first.error is None else first.error.cause
    facts = (first.code, cause, first.offset, first.component, first.message, codes)
    return VerdictRow(number, False, *facts, text)


_WITH_SENTENCE = frozenset({"ndjson", "csv", SAFE_CSV})


# The summary, and the progress.

_HOSTS = 10
_SECONDS = 0.5


def summary(total: Counts) -> str:
    """Return the counts, the codes by frequency, and the commonest hosts."""
    number = total.accepted + total.refused
    rows = [f"{number:,} texts: {total.accepted:,} accepted, {total.refused:,} refused"]
    for title, counts, most in (
        ("findings", total.codes, None),
        ("commonest hosts", total.hosts, _HOSTS),
    ):
        if counted := sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]:
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
