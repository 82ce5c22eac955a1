"""The readings of one text as a table: ours first, then a row a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.console import printable
from uriparse.cli.coprocess import Silence
from uriparse.cli.drawing import columns
from uriparse.cli.readers.comparison import Member, Row
from uriparse.cli.readers.reading import Reading, Refusal
from uriparse.excerpt import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.cli.console import Span
    from uriparse.cli.readers.comparison import Comparison, Verdict
    from uriparse.cli.readers.passwords import Passwords
    from uriparse.cli.readers.reading import Outcome

WIDTH = 100
"""Columns of a row at most."""

MARKS: dict[Verdict, Span] = {
    "same": (" ", ""),
    "elsewhere": ("≠", "error"),
    "target": ("~", "warning"),
    "refuses": (" ", ""),
    "silent": ("!", "warning"),
}
"""What stands before a row."""

LEGEND = "≠ another scheme, host or port   ~ another request-target   ! no answer"

_GAP = "  "
_MOST = (8, 36, 8)
"""Columns of scheme, host and port at most; the target has what is left."""


def table(
    comparison: Comparison, version: str, passwords: Passwords, width: int = WIDTH
) -> Iterator[list[Span]]:
    """Give the lines of a table as spans; the first is ours.

    version: our own.
    passwords: what the cells must not show.
    """
    ours = comparison.ours
    rows = [Row(Member("uriparse", version), ours, "same"), *comparison.rows]
    cells = [_cells(row.outcome, ours, passwords) for row in rows]
    names = _Column(row.member.name for row in rows)
    versions = _Column(row.member.version for row in rows)
    readings = [each for each in cells if len(each) > 1]
    fields = [_Column((each[at] for each in readings), most) for at, most in enumerate(_MOST)]
    for row, (*first, last) in zip(rows, cells, strict=True):
        front = f" {names.cell(row.member.name)}{versions.cell(row.member.version)}"
        front += "".join(field.cell(text) for field, text in zip(fields, first, strict=False))
        room = width - 1 - columns(front)
        yield [MARKS[row.verdict], (front, ""), (_cut(last, room), "" if first else "faint")]


class _Column:
    """A column as wide as its widest text, up to a limit."""

    def __init__(self, texts: Iterable[str], most: int = WIDTH) -> None:
        self.width = min(most, max(map(columns, texts), default=0))

    def cell(self, text: str) -> str:
        """Write a text in this column, and a gap."""
        text = _cut(text, self.width)
        return text + " " * (self.width - columns(text)) + _GAP


def _cells(outcome: Outcome, ours: Reading | Refusal, passwords: Passwords) -> tuple[str, ...]:
    """Give scheme, host, port and target, or one cell for what is no reading."""
    match outcome:
        case Refusal(reason):
            return (f"refuses: {printable(reason)}",)
        case Silence(reason):
            return (reason,)
    known = ours if isinstance(ours, Reading) else (None,) * len(outcome)
    return tuple(_shown(passwords.hidden(*pair)) for pair in zip(outcome, known, strict=True))


def _shown(value: str | int | None) -> str:
    """Write a value: "-" for none."""
    return "-" if value is None else printable(str(value)) or '""'


def _cut(text: str, width: int) -> str:
    """Shorten a text to a number of columns."""
    if len(text) <= width and columns(text) <= width:
        return text
    text = text[: max(0, width - len(MARK))]
    while columns(text) > width - len(MARK):
        text = text[:-1]
    return text + MARK
