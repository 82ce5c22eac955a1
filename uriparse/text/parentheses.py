"""The parentheses of a text, counted once for any number of questions about them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

_OPENING = re.compile(r"\(")
_CLOSING = re.compile(r"\)")


class Parentheses:
    """Where parentheses of prose close that were opened elsewhere.

    What counts is the level of a place: how many more have closed than opened before it. It moves
    in steps of one, so that a level is reached where it is looked for, and nowhere passed over.
    """

    __slots__ = ("_closed", "_levels", "_opened")

    def __init__(self, text: str, start: int, end: int) -> None:
        """Count those between two offsets."""
        self._opened = [found.end() for found in _OPENING.finditer(text, start, end)]
        self._closed = [found.end() for found in _CLOSING.finditer(text, start, end)]
        self._levels: dict[int, list[int]] = {}
        for number, place in enumerate(self._closed, 1):
            level = number - bisect_left(self._opened, place)
            self._levels.setdefault(level, []).append(place)

    def closing(self, start: int, end: int) -> int:
        """Return where the one closes that was opened right before `start`, or `end`."""
        places = self._levels.get(self._level(start) + 1, ())
        after = bisect_right(places, start)
        return min(places[after] - 1, end) if after < len(places) else end

    def needed(self, start: int, first: int, end: int) -> int:
        """Return the end of the last one that closes what was opened since `start`.

        Only those between `first` and `end` are looked at; `first` if there is none.
        """
        before = self._level(start)
        last = bisect_right(self._closed, end)
        if not last or self._closed[last - 1] <= first:
            return first
        place = self._closed[last - 1]
        if self._level(place) <= before:
            return place
        places = self._levels.get(before, ())
        last = bisect_right(places, end)
        return max(places[last - 1], first) if last else first

    def _level(self, place: int) -> int:
        return bisect_right(self._closed, place) - bisect_right(self._opened, place)
