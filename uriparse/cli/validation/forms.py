"""A verdict as a line: for people and grep, as NDJSON, or as CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FIELDS = ("line", "accepted", "code", "cause", "offset", "component", "message", "codes", "text")
"""What NDJSON and CSV tell of each text."""


class Verdict(NamedTuple):
    """What is told of a text.

    Attributes:
        line: the number of its line or record, from 1.
        text: as it came, or masked where that was asked for.
        accepted: whether the policy accepts it.
        codes: of all findings, the reasons for refusing first.
        cause: of a syntax error, or None.
        offset: of the first reason, in characters; None if there is none.
        component: where that lies, or None.
        message: of the first reason, or None.

    """

    line: int
    text: str
    accepted: bool
    codes: tuple[str, ...] = ()
    cause: str | None = None
    offset: int | None = None
    component: str | None = None
    message: str | None = None


Form: TypeAlias = "Callable[[Verdict], str]"
"""Writes a verdict as one line, with its line end."""


def without_line_ends(text: str) -> str:
    r"""Give a text with escapes for its line ends; what else is in it stays as it came.

    A cell, a JSON string or a text that ends with NUL may hold some, and what is behind one would
    read as a line of ours.

    >>> print(without_line_ends("x\nok"))
    x\nok
    """
    return text.replace("\n", "\\n").replace("\r", "\\r")


def as_text(verdict: Verdict) -> str:
    """Verdict, codes and text, with tabs between them; a refused text on one line."""
    codes = ",".join(verdict.codes)
    if verdict.accepted:  # and so without line ends
        return f"ok\t{codes}\t{verdict.text}\n"
    return f"refused\t{codes}\t{without_line_ends(verdict.text)}\n"


_NOTHING = (
    '"accepted": true, "code": null, "cause": null, "offset": null, "component": null, '
    '"message": null, "codes": []'
)


def as_ndjson(verdict: Verdict) -> str:
    """One JSON object, in ASCII."""
    return json.dumps(dict(zip(FIELDS, _values(verdict), strict=True))) + "\n"


def as_csv(verdict: Verdict) -> str:
    """One row of CSV (RFC 4180)."""
    row = dict(zip(FIELDS, _values(verdict), strict=True))
    row |= {"accepted": str(verdict.accepted).lower(), "codes": " ".join(verdict.codes)}
    return csv_row(list(row.values()))


def csv_row(values: Sequence[object]) -> str:
    """Write one row of CSV; None is an empty cell."""
    line = io.StringIO()
    csv.writer(line).writerow(values)
    return line.getvalue()


def quick_ndjson(number: int, text: str) -> str:
    """Write the object of an accepted text of which nothing else is said."""
    if text.isascii() and text.isprintable() and not ('"' in text or "\\" in text):
        return f'{{"line": {number}, {_NOTHING}, "text": "{text}"}}\n'
    return as_ndjson(Verdict(number, text, accepted=True))


def _values(verdict: Verdict) -> tuple[int, bool, *tuple[object, ...]]:
    code = verdict.codes[0] if verdict.codes and not verdict.accepted else None
    return (
        verdict.line,
        verdict.accepted,
        code,
        verdict.cause,
        verdict.offset,
        verdict.component,
        verdict.message,
        verdict.codes,
        verdict.text,
    )


FORMS: dict[str, Form] = {"text": as_text, "ndjson": as_ndjson, "csv": as_csv}
"""By the names of `--format`."""

HEADS = {"csv": csv_row(FIELDS)}
"""What comes before the first verdict."""
