"""Draw the components of a text under it."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from uriparse.cli.console import Span, printable

Row = list["Span"]


class DrawnPart(NamedTuple):
    """A component, from one offset to another, and what to write under it."""

    name: str
    start: int
    end: int
    label: str


class _Mark(NamedTuple):
    """A part by columns of the screen, with the column of its stem."""

    name: str
    left: int
    right: int
    stem: int
    label: str


def text_row(text: str, parts: Sequence[DrawnPart]) -> Row:
    """Split the text itself into styled spans."""
    row: Row = []
    done = 0
    for part in parts:
        row += [(text[done : part.start], ""), (text[part.start : part.end], part.name)]
        done = part.end
    return [*row, (text[done:], "")]


def draw(text: str, parts: Sequence[DrawnPart]) -> list[Row]:
    """Return the rows that go under the text: braces, stems, labels. Empty parts are left out."""
    marks = _marks(text, [part for part in parts if part.start < part.end])
    if not marks:
        return []
    stems = [(mark.stem, "|", "faint") for mark in marks]
    sizes = [mark.right - mark.left for mark in marks]
    braces = ["|" if size == 1 else f"\\{'_' * (size - 2)}/" for size in sizes]
    rows = [_row((m.left, brace, m.name) for m, brace in zip(marks, braces, strict=True))]
    rows.append(_row(stems))
    starts = _one_row(marks)
    if starts is not None:
        labels = zip(starts, marks, strict=True)
        return [*rows, _row((at, mark.label, mark.name) for at, mark in labels)]
    # As compilers do: the last label in the first row, the others below, each at its own stem.
    for count in range(len(marks) - 1, -1, -1):
        mark = marks[count]
        rows.append(_row([*stems[:count], (mark.stem, mark.label, mark.name)]))
    return rows


def _marks(text: str, parts: Sequence[DrawnPart]) -> list[_Mark]:
    """Turn offsets into columns, which differ where a character is escaped or wide."""
    marks = []
    column = done = 0
    for part in parts:
        left = column + columns(text[done : part.start])
        column = left + columns(text[part.start : part.end])
        done = part.end
        marks.append(_Mark(part.name, left, column, (left + column - 1) // 2, part.label))
    return marks


def columns(text: str) -> int:
    """Return how many columns the printable form of a text takes."""
    shown = printable(text)
    if shown.isascii():
        return len(shown)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown)


def _one_row(marks: Sequence[_Mark]) -> list[int] | None:
    """Return the columns of the labels if all fit on one row, centred if possible; else None."""
    for centred in (True, False):
        starts: list[int] = []
        free = 0
        for mark in marks:
            size = len(mark.label)
            at = max(mark.stem - (size // 2 if centred else size - 1), free)
            if at > mark.stem:
                break
            starts.append(at)
            free = at + size + 1
        else:
            return starts
    return None


def _row(cells: Iterable[tuple[int, str, str]]) -> Row:
    """Put texts at columns, in order, with blanks between them."""
    row: Row = []
    done = 0
    for at, text, style in cells:
        row += [(" " * (at - done), ""), (text, style)]
        done = at + len(text)
    return row
