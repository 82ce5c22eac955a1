"""Text in columns: what it is about in front, and its lines one below the other."""

from __future__ import annotations

import textwrap

_LEAST = 20
"""Columns that the text has at least; where there are fewer, it begins on a line of its own."""

_INDENT = 4


def hung(front: str, text: str, width: int | None) -> str:
    """Give a text behind what stands in front of it, broken into lines that fit.

    width: columns; None to break nothing.

    >>> print(hung("  a  ", "one two three four five six", 25))
      a  one two three four
         five six
    >>> print(hung("  a long name in front  ", "one two three four five six", 25))
      a long name in front
        one two three four
        five six
    """
    if width is None:
        return front + text
    indent = " " * len(front)
    if width - len(front) < _LEAST:
        indent = " " * _INDENT
        return f"{front.rstrip()}\n{_filled(text, max(width, _INDENT + _LEAST), indent, indent)}"
    return _filled(text, width, front, indent)


def _filled(text: str, width: int, first: str, others: str) -> str:
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )
