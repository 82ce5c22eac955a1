"""Colours on a terminal: when there are any, and which stand for what."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

CHOICES = ("auto", "always", "never")

STYLES: Mapping[str, str] = {
    "scheme": "36",
    "authority": "32",
    "userinfo": "31",
    "host": "1;32",
    "port": "94",
    "path": "1",
    "query": "35",
    "fragment": "94",
    "rule": "36",
    "faint": "2",
    "error": "1;31",
    "warning": "35",
    "good": "32",
    "help": "1;36",
}
"""The numbers of ECMA-48's SGR for each name: none that is faint on black or on white alone."""

_HEADS = re.compile(r"(?m)^(error|help|expected):")
_STYLE_OF_HEADS = {"error": "error", "help": "help", "expected": "faint"}


def wanted(choice: str, stream: TextIO | None) -> bool:
    """Whether what goes to a stream is coloured.

    choice: one of `CHOICES`. "auto" asks the environment, NO_COLOR before FORCE_COLOR, and then
        whether the stream is a terminal that knows colours.
    """
    if choice != "auto" or stream is None:
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def painted(text: str, style: str) -> str:
    r"""Give text in a style; an empty one is none.

    >>> painted("http", "scheme")
    '\x1b[36mhttp\x1b[0m'
    """
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style and text else text


def message(text: str) -> str:
    """Give a message with its heads in colour; what it quotes of untrusted text is indented."""
    return _HEADS.sub(lambda found: painted(found[0], _STYLE_OF_HEADS[found[1]]), text)
