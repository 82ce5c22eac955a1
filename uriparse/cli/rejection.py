"""Say what is wrong with a text: to people on standard error, to programs as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uriparse import excerpt

if TYPE_CHECKING:
    from uriparse.cli.console import Console
    from uriparse.errors import URISyntaxError

_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def as_text(error: URISyntaxError, console: Console) -> None:
    """Write the message and, under it, the text with a caret, to standard error."""
    lines = "".join(f"\n  {line}" for line in error.pointer().split("\n"))
    console.error(f"{reason(error)}{lines}")


def as_object(error: URISyntaxError, console: Console) -> None:
    """Write one JSON object, in which what may be a password is masked."""
    console.json(
        {
            **console.place,
            "text": excerpt.masked(error.text),
            "valid": False,
            "error": {
                "message": reason(error),
                "offset": error.offset,
                "component": error.component,
                "rule": error.rule,
                "expected": list(error.expected),
            },
        }
    )


def reason(error: URISyntaxError) -> str:
    """Give the message, or the plain truth about a byte that was no text to begin with."""
    if error.found is not None and _NOT_UTF8.fullmatch(error.found):
        return f"byte 0x{ord(error.found) - 0xDC00:02X} at offset {error.offset} is not UTF-8"
    return str(error)
