"""The verdicts of a chunk of texts: what one worker does at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.cli.per_line import masked, masked_beginning
from uriparse.cli.validation.forms import FORMS, Verdict, quick_ndjson, without_line_ends
from uriparse.cli.validation.sources import UNREADABLE, Unreadable
from uriparse.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from uriparse.cli.validation.sources import Item
    from uriparse.parsing import Record
    from uriparse.validation import Policy, Report


@dataclass(frozen=True, slots=True)
class Job:
    """What is wanted of each chunk.

    Attributes:
        policy: by which to judge.
        form: in which to tell, of `FORMS`; None to tell nothing.
        refused_only: whether to pass over what is accepted.
        warnings: whether to look for what else there is to say about accepted texts.
        mask: whether to cover passwords, in sorted texts as well.
        sort: whether good and bad texts are wanted apart.
        hosts: whether hosts are counted.

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
    """What came of a chunk, or of all so far."""

    output: str = ""
    good: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    accepted: int = 0
    refused: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)


def judge(items: Sequence[Item], first: int, job: Job) -> Outcome:
    """Judge a chunk whose first text has a number."""
    outcome = Outcome()
    surely = job.policy.surely_accepts
    simple = not (job.warnings or job.hosts or job.mask)
    told: list[str] = []
    tell = _teller(job)
    good = 0
    for number, item in enumerate(items, first):
        if simple and not isinstance(item, Unreadable) and surely(item):
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
            told.append(FORMS[job.form](verdict))
    outcome.accepted = good
    outcome.refused = len(items) - good
    outcome.output = "".join(told)
    return outcome


def _teller(job: Job) -> Callable[[int, str], str] | None:
    """Give the quickest way to tell of a text that is surely accepted."""
    if job.form is None:
        return None
    if job.form == "text":
        return lambda _, text: f"ok\t\t{text}\n"
    if job.form == "ndjson":
        return quick_ndjson
    form = FORMS[job.form]
    return lambda number, text: form(Verdict(number, text, accepted=True))


def _verdict(number: int, item: Item, job: Job, outcome: Outcome) -> Verdict:
    """Judge one text with all findings, and count them."""
    if isinstance(item, Unreadable):
        (code,) = UNREADABLE
        outcome.codes[code] += 1
        text, reason, is_cut = item
        if job.mask:
            text = masked_beginning(text) if is_cut else excerpt.masked(text)
        outcome.bad.append(without_line_ends(text))
        return Verdict(number, text, False, (code,), code, 0, None, reason)
    report = validate(item, job.policy)
    record = report.record
    text = _masked(item, record) if job.mask else item
    if job.sort and report.accepted:
        outcome.good.append(text)
    elif job.sort:
        outcome.bad.append(without_line_ends(text))
    outcome.codes.update({found.code for found in report.findings})
    if job.hosts and record is not None and record.host is not None:
        outcome.hosts[str(record.host).lower()] += 1
    if job.form is None:
        return Verdict(number, text, report.accepted)
    return told_of(number, report, text)


def _masked(text: str, record: Record | None) -> str:
    """Give a text without its password, or without what may be one where it is not valid."""
    return excerpt.masked(text) if record is None else str(masked(record))


def told_of(number: int, report: Report, text: str) -> Verdict:
    """Say what there is to say of a report."""
    reasons = report.reasons
    others = (found for found in report.findings if found not in reasons)
    codes = tuple(dict.fromkeys(found.code for found in (*reasons, *others)))
    if not reasons:
        return Verdict(number, text, True, codes)
    first = reasons[0]
    cause = None if first.error is None else first.error.cause
    return Verdict(number, text, False, codes, cause, first.offset, first.component, first.message)
