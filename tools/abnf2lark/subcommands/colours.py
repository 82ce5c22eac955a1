"""Problems in colours, for terminals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from abnf2lark.process import Painted, for_terminals, is_terminal

if TYPE_CHECKING:
    from abnf2lark.reading.problems import Problem

CHOICES = ("auto", "always", "never")
_BOLD, _RED, _MAGENTA, _GREEN = "1", "1;31", "1;35", "1;32"


def wanted(choice: str, to: Literal["stdout", "stderr"]) -> bool:
    """Tell whether what goes to standard output, or to standard error, is coloured.

    "auto" asks the environment, NO_COLOR before FORCE_COLOR, and then whether it is a terminal.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and is_terminal(to)


def shown(problem: Problem, *, colours: bool) -> str:
    """Show a problem as `Problem.show` does; its place, its code and the caret may have colours."""
    if not colours:
        return problem.show()
    headline, line, caret = for_terminals(problem.show()).split("\n")
    place, code, message = headline.split(": ", 2)
    style = _RED if problem.severity == "error" else _MAGENTA
    pad = caret[: caret.index("^")]
    first = f"{_in(place, _BOLD)}: {_in(code, style)}: {message}"
    return Painted(f"{first}\n{line}\n{pad}{_in('^', _GREEN)}")


def _in(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"
