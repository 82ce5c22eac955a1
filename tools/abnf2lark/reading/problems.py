"""Problems found in a grammar file, collected and shown together."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

from abnf2lark.reading.ir import Position

MAX_WORD = 80  # characters of a name or number shown in a message
_LONG_WORD = re.compile(rf"\S{{{MAX_WORD + 1},}}")
MAX_SHOWN = 60  # characters of a long line shown on each side of a place


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a grammar file and the name to show for it."""

    name: str
    text: str
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            if line.splitlines()[0] != line:
                starts.append(starts[-1] + len(line))
        object.__setattr__(self, "_starts", starts)

    def line(self, number: int) -> str:
        """Return a line of the file, counted from 1, without its line end."""
        first, last = [*self._starts, len(self.text)][number - 1 : number + 1]
        return "".join(self.text[first:last].splitlines())

    def position(self, offset: int) -> Position:
        """Turn an offset in the text into a line and a column."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (``error``) or doubtful (``warning``) at a place of a grammar file.

    ``witness`` is a text that shows it, where there is one.
    """

    source: Source
    position: Position
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"
    witness: str | None = None

    def headline(self) -> str:
        """Return ``file:line:column: code: message``."""
        at = self.position
        message = _LONG_WORD.sub(lambda word: f"{word[0][:MAX_WORD]}…", self.message)
        return f"{self.source.name}:{at.line}:{at.column}: {self.code}: {message}"

    def show(self) -> str:
        """Return the headline, the line of the file, and a caret under the place."""
        line, place = self.source.line(self.position.line), self.position.column - 1
        start = max(0, place - MAX_SHOWN) if place > 2 * MAX_SHOWN else 0
        before = ("…" if start else "") + _printable(line[start:place])
        after = _printable(line[place : place + MAX_SHOWN])
        after += "…" if len(line) > place + MAX_SHOWN else ""
        pad = "".join("\t" if char == "\t" else " " for char in before)
        return f"{self.headline()}\n  {before}{after}\n  {pad}^"

    def as_dict(self) -> dict[str, str | int]:
        """Return the problem as data, for ``--json``."""
        found: dict[str, str | int] = {
            "file": self.source.name,
            "line": self.position.line,
            "column": self.position.column,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
        }
        return found if self.witness is None else {**found, "witness": self.witness}


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in text)


class InputError(Exception):
    """A file or a setting cannot be used at all; the message is for people."""


class GrammarError(Exception):
    """A grammar cannot be used; ``problems`` says why, all of it at once."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(problem.show() for problem in problems))
        self.problems = problems


def has_errors(problems: list[Problem]) -> bool:
    """Tell whether any problem is more than a warning."""
    return any(problem.severity == "error" for problem in problems)
