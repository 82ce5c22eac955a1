"""Judge items of files by a policy, in several processes, and show the verdicts."""

import csv
import io
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Literal, NamedTuple, Self, TypeAlias, cast

from uriparse.cli.console import Console, quoted, standard_error, without_line_ends
from uriparse.cli.per_line import json_words, masked, masked_beginning
from uriparse.cli.validation_sources import UNREADABLE, Item, Unreadable, safe_cell
from uriparse.errors import excerpt
from uriparse.parsing import Record
from uriparse.validation import Finding, Policy, report
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.first_sight import (
    CODES,
    IS_INVALID,
    IS_NULL,
    SYNTAX,
    UNDECIDED,
    code_lists_of_texts,
    codes_of_list,
    codes_of_texts,
    places_of,
)
from uriparse.validation.report import codes_of_invalid, evaluate, first_finding, parse_by_policy

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
    words, ends = json_words(codes), quoted(text)
    if code is None or message is None or offset is None:
        return (
            f'{{"line": {number}, "accepted": {"true" if accepted else "false"}, "code": null,'
            ' "cause": null, "offset": null, "component": null, "message": null,'
            f' "codes": {words}, "text": {ends}}}\n'
        )
    return (
        f'{{"line": {number}, "accepted": false, "code": "{code}",'
        f' "cause": {"null" if cause is None else quoted(cause)}, "offset": {offset},'
        f' "component": {"null" if component is None else quoted(component)},'
        f' "message": {quoted(message)}, "codes": {words}, "text": {ends}}}\n'
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


class KnownVerdict(NamedTuple):
    """What is known of all texts with a number: the verdict, and the codes that are written.

    begin: of their lines in the forms for people.
    """

    accepted: bool
    codes: tuple[str, ...]
    begin: str


def answered(codes: tuple[str, ...], *, accepted: bool = False) -> KnownVerdict:
    """Return an answer for texts with some codes."""
    return KnownVerdict(accepted, codes, f"{'ok' if accepted else 'refused'}\t{','.join(codes)}\t")


class KnownVerdicts(dict[int, KnownVerdict | None]):
    """KnownVerdicts by number; None for texts that are judged alone.

    Without what is known beforehand, the numbers are lists of codes (`code_lists`).

    alone: a number of those that are judged alone.
    """

    def __init__(self, job: Job, known: dict[int, KnownVerdict] | None = None) -> None:
        super().__init__(known or {})
        self._job, self._are_lists = job, known is None
        self.alone = IS_NULL if self._are_lists else UNDECIDED

    def __missing__(self, number: int) -> KnownVerdict | None:
        found, severities = None, compiled(self._job.policy).of_scheme(None)
        if self._are_lists and number == IS_INVALID:
            found = answered(codes_of_invalid(self._job.policy))
        elif self._are_lists and number >= 0:
            codes = severities.codes(codes_of_list(number))
            accepted = severities.refusing.isdisjoint(codes)
            found = answered(codes if self._job.warnings or not accepted else (), accepted=accepted)
        self[number] = found
        return found


def judge(chunk: tuple[list[Item], int], job: Job) -> Outcome:
    """Judge a chunk whose first text has a number.

    All texts get the code of a first reason at once, or all codes if they are written; a sentence
    is found for what is written alone.
    """
    items, first = chunk
    outcome = Outcome()
    texts, unread = cast("list[str]", items), list[int]()
    if Unreadable in set(map(type, items)):
        unread = [at for at, item in enumerate(items) if isinstance(item, Unreadable)]
        texts = ["" if isinstance(item, Unreadable) else item for item in items]
    numbers, answers = _numbers(texts, job)
    for at in unread:
        numbers[at] = answers.alone
    if job.counts and not job.whatwg:
        from uriparse.arrow.policies import codes_and_hosts_of_texts

        read = [one for one in items if isinstance(one, str)] if unread else texts
        outcome.codes, outcome.hosts = codes_and_hosts_of_texts(read, job.policy)
    outcome.codes.update(dict.fromkeys(UNREADABLE, len(unread)) if unread else {})
    if job.form is None and not (job.sort or job.whatwg):
        outcome.accepted = numbers.count(0)
        outcome.refused = len(items) - outcome.accepted
        return outcome
    told, accepted_count = list[str](), 0
    is_sorted, refused_only = job.sort, job.refused_only
    form, tell = FORMS_AND_SAFE.get(job.form or ""), _teller(job)
    for number, (known, item) in enumerate(zip(numbers, items, strict=True), first):
        answer = answers[known]
        if answer is None:
            row = _verdict(number, item, job, outcome)
            accepted, text = row.accepted, row.text
        else:
            accepted, text = answer.accepted, item  # type: ignore[assignment]  # others are alone
        accepted_count += accepted
        if is_sorted:
            (outcome.good if accepted else outcome.bad).append(f"{without_line_ends(text)}\n")
        if form is None or (accepted and refused_only):
            continue
        if answer is None:
            told.append(form(row))
        elif tell is None:
            told.append(f"{answer.begin}{without_line_ends(text)}\n")
        else:
            told.append(tell(number, text, answer))
    outcome.accepted = accepted_count
    outcome.refused = len(items) - outcome.accepted
    outcome.output = "".join(told)
    return outcome


def _numbers(texts: Sequence[str], job: Job) -> tuple[list[int] | bytearray, KnownVerdicts]:
    """Return for each text the number of its answer: 0 for what is accepted without codes."""
    if job.whatwg or (job.mask and (job.form or job.sort)):
        return bytearray([UNDECIDED]) * len(texts), KnownVerdicts(job, {})
    is_brief = job.form in {None, "brief"}
    numbers = codes_of_texts(job.policy, texts, leaves_others=not is_brief)
    known = {} if job.warnings and job.form else {0: answered((), accepted=True)}
    if is_brief:
        known |= {number: answered((code,)) for number, code in enumerate(CODES) if code}
        return numbers, KnownVerdicts(job, known)
    known[SYNTAX] = answered(codes_of_invalid(job.policy))
    least = compiled(job.policy).least_limit
    if max(map(len, texts), default=0) > least:  # there may be codes of limits, too
        for at in places_of(SYNTAX, numbers):
            numbers[at] = UNDECIDED if len(texts[at]) > least else SYNTAX
    if not numbers.translate(None, bytes(known)):
        return numbers, KnownVerdicts(job, known)
    sure = {number: IS_INVALID if number == SYNTAX else 0 for number in known}
    lists = [sure.get(number, IS_NULL) for number in numbers]
    left = [at for at, number in enumerate(lists) if number == IS_NULL]
    found = code_lists_of_texts(job.policy, [texts[at] for at in left])
    for at, number in zip(left, found or (), strict=False):
        lists[at] = number
    return lists, KnownVerdicts(job)


def _teller(job: Job) -> Callable[[int, str, KnownVerdict], str] | None:
    """Return what writes a text that has an answer; None without sentences."""
    if job.form not in _WITH_SENTENCE:
        return None
    from uriparse.diagnosis import diagnose

    form, policy = FORMS_AND_SAFE[job.form], job.policy
    rule, grammar = compiled(policy).start, policy.grammar

    def tell(number: int, text: str, answer: KnownVerdict) -> str:
        accepted, codes, _ = answer
        if accepted or codes[0] != "syntax":
            first = None if accepted else first_finding(text, policy)
            return form(_row(number, first, codes, text))
        error = diagnose(text, rule, grammar)
        facts = "syntax", error.cause, error.offset, error.component, str(error), codes
        return form(VerdictRow(number, False, *facts, text))

    return tell


def _row(number: int, first: Finding | None, codes: tuple[str, ...], text: str) -> VerdictRow:
    """Return the verdict on a text with a first reason for refusing it, or none."""
    if first is None:
        return VerdictRow(number, True, None, None, None, None, None, codes, text)
    cause = None if first.error is None else first.error.cause
    facts = (first.code, cause, first.offset, first.component, first.message, codes)
    return VerdictRow(number, False, *facts, text)


def _verdict(number: int, item: Item, job: Job, outcome: Outcome) -> VerdictRow:
    if isinstance(item, Unreadable):
        (code,) = UNREADABLE
        text, reason, is_cut = item
        if job.mask:
            text = masked_beginning(text) if is_cut else excerpt.masked(text)
        return VerdictRow(number, False, code, code, 0, None, reason, (code,), text)
    if job.whatwg:
        item, judged = report.evaluate_as_browsers(item, job.policy)
    else:
        judged = evaluate(item, job.policy)
    codes, text = judged.codes, item
    record = parse_by_policy(item, job.policy) if judged.is_read else None
    if job.mask:
        text = excerpt.masked(item) if record is None else str(masked(record))
    if job.counts and job.whatwg:
        outcome.count(codes, record)
    if judged.is_accepted:
        return _row(number, None, codes if job.warnings else (), text)
    if job.form not in _WITH_SENTENCE:
        return VerdictRow(number, False, None, None, None, None, None, codes, text)
    return _row(number, judged.first, codes, text)


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
