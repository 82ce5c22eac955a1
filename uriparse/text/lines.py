"""Lines and columns of places in a text that comes in pieces."""

from __future__ import annotations


class Lines:
    """A count of lines, moved forward over the text; each character is looked at once.

    Attributes:
        line: the line that was reached, from 1.

    """

    __slots__ = ("_counted", "_start", "line")

    def __init__(self) -> None:
        """Start before the first character."""
        self.line = 1
        self._start = 0  # of the line, in the whole text
        self._counted = 0  # up to here

    def count(self, text: str, base: int, upto: int) -> None:
        """Move on to an offset in `text`, whose own place in the whole text is `base`."""
        first = self._counted - base
        breaks = text.count("\n", first, upto)
        if breaks:
            self.line += breaks
            self._start = base + text.rfind("\n", first, upto) + 1
        self._counted = base + max(first, upto)

    def column(self, offset: int) -> int:
        """Return the column, from 1, of an offset in the whole text within the line reached."""
        return offset - self._start + 1
