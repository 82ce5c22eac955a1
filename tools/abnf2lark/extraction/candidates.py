"""Gather the lines that may be a rule: one that begins like one, and those that go on with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abnf2lark.extraction.pages import Line

# ABNF's own beginning of a rule, and those of other notations that it is mistaken for.
_HEADING = re.compile(
    r"""[ ]*(?P<name><?[A-Za-z][\w-]*>?)
    (?P<before>[ ]*) (?P<defined>::?=|=/?) (?![=>]) (?P<after>[ ]*) (?P<rest>.*)""",
    re.VERBOSE | re.ASCII,
)
# What stands in quotes or angle brackets or is a comment, and signs of older RFCs that do not.
_TEXT = re.compile(r'"[^"]*"|<[^<>]*>|;.*|(?P<older>[|_])')
OLDER = {"|": "/", "_": "-"}
_HANGING = ("/", "|", "=", "(", "[", "*")  # what a rule does not end with
_GOING_ON = ("/", "|", ")", "]")  # what a rule does not begin with
MENDED = 6  # columns by which a line is indented that goes on with a rule and is not deeper


@dataclass(frozen=True, slots=True)
class Heading:
    """The beginning of a rule: its name, its sign, and the column of its first element."""

    name: str
    sign: str
    spaced: bool
    column: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a rule: its lines in the document, without blank ones."""

    heading: Heading
    lines: tuple[Line, ...]

    def shift(self, index: int) -> int:
        """Return by how many columns a line is to move so that the rule reads as ABNF."""
        first = self.lines[0].depth
        depth = self.lines[index].depth
        return -first if not index or depth > first else MENDED - depth

    def written(self) -> list[str]:
        """Return the lines, the first without indentation and the others deeper."""
        return [
            " " * (line.depth + self.shift(index)) + line.text.lstrip()
            for index, line in enumerate(self.lines)
        ]


def heading(text: str) -> Heading | None:
    """Read the beginning of a rule.

    >>> heading('   a  =  "x"').column
    9
    >>> heading("if a = b") is None
    True
    """
    found = _HEADING.fullmatch(text)
    if found is None or (found["name"][0] == "<" and "::" not in found["defined"]):
        return None
    spaced = bool(found["before"] or found["after"])
    return Heading(found["name"], found["defined"], spaced, found.start("rest"))


def candidates(lines: Sequence[Line]) -> Iterator[Candidate]:
    """Yield whatever may be a rule, in the order of the document."""
    filled = [(place, line) for place, line in enumerate(lines) if line.text.strip()]
    growing: _Growing | None = None
    for number, (place, line) in enumerate(filled):
        begun = heading(line.text)
        blank = bool(number) and place - filled[number - 1][0] > 1
        if begun is not None:
            if growing is not None:
                yield growing.candidate()
            growing = _Growing(begun, line)
        elif growing is not None and growing.goes_on(line, blank=blank):
            growing.add(line)
        else:
            if growing is not None:
                yield growing.candidate()
            # Alternatives without a rule before them are told rather than passed over.
            lost = line.text.lstrip().startswith(("/ ", "| "))
            growing = _Growing(Heading("", "=", True, 0), line) if lost else None
    if growing is not None:
        yield growing.candidate()


class _Growing:
    """A rule whose end has not come."""

    def __init__(self, begun: Heading, line: Line) -> None:
        self.heading = begun
        self.lines = [line]
        self.nesting = 0
        self.last = ""
        self._count(line.text)

    def candidate(self) -> Candidate:
        return Candidate(self.heading, tuple(self.lines))

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self._count(line.text)

    def _count(self, text: str) -> None:
        bare = bare_text(text).rstrip()
        self.nesting += sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))
        self.last = bare or self.last

    def goes_on(self, line: Line, *, blank: bool) -> bool:
        """Tell whether a line belongs to the rule.

        Deeper lines do, as far as no blank line is between. Behind one, and where a line is not
        deeper, there must be more than indentation to it; at a page break, where nobody knows about
        blank lines, that it stands below the elements of the rule.
        """
        depth, first = line.depth, self.lines[0].depth
        more = line.text.lstrip().startswith(_GOING_ON)
        unfinished = self.nesting > 0 or self.last.endswith(_HANGING)
        if line.after_break:
            return more or (depth > first and (unfinished or depth >= self.heading.column))
        if blank:
            return depth > first and (more or unfinished)
        return depth > first or more or unfinished


def bare_text(text: str) -> str:
    """Return what stands neither in quotes nor in angle brackets nor in a comment.

    >>> bare_text('a = "(" b ; (')
    'a =  b '
    """
    return _TEXT.sub(lambda found: found["older"] or "", text)


def in_abnf(text: str) -> tuple[str, list[str]]:
    """Write a line with ABNF's signs for those of older RFCs; return those that it had.

    >>> in_abnf('a_b | "|_" ; |')
    ('a-b / "|_" ; |', ['_', '|'])
    """
    older = [found["older"] for found in _TEXT.finditer(text) if found["older"]]
    return _TEXT.sub(lambda found: OLDER.get(found["older"], found[0]), text), older
