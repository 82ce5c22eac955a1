"""Problems found in a grammar file, collected and shown together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .ir import Position


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a grammar file and the name to show for it."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """Return a line of the file, counted from 1, without its line end."""
        lines = self.text.splitlines()
        return lines[number - 1] if number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (``error``) or doubtful (``warning``) at a place of a grammar file."""

    source: Source
    position: Position
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def headline(self) -> str:
        """Return ``file:line:column: code: message``."""
        at = self.position
        return f"{self.source.name}:{at.line}:{at.column}: {self.code}: {self.message}"

    def show(self) -> str:
        """Return the headline, the line of the file, and a caret under the place."""
        line = self.source.line(self.position.line)
        shown = "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in line)
        pad = "".join("\t" if char == "\t" else " " for char in shown[: self.position.column - 1])
        return f"{self.headline()}\n  {shown}\n  {pad}^"

    def as_dict(self) -> dict[str, str | int]:
        """Return the problem as data, for ``--json``."""
        return {
            "file": self.source.name,
            "line": self.position.line,
            "column": self.position.column,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
        }


class GrammarError(Exception):
    """A grammar cannot be used; ``problems`` says why, all of it at once."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(problem.show() for problem in problems))
        self.problems = problems


def has_errors(problems: list[Problem]) -> bool:
    """Tell whether any problem is more than a warning."""
    return any(problem.severity == "error" for problem in problems)
