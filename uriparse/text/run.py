"""A run of characters that URIs are made of, and the schemes in it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from uriparse.text.reach import Reach
from uriparse.text.schemes import KNOWN, LONGEST
from uriparse.text.trim import Trim

if TYPE_CHECKING:
    import re

    from uriparse.text.patterns import Patterns

_SEPARATORS = frozenset(",;")
"""Between URIs of a list that has no spaces."""

_OPENERS = {"(": ")", "'": "'"}
"""What each of them may stand in, and how that closes."""


class Run:
    """A run, and where a list of URIs falls apart in it: `http://a/,http://b/`.

    Attributes:
        end: where the run ends.
        reach: how far the grammar lets URIs reach in it.
        trim: where they end.

    """

    __slots__ = ("_splits", "end", "reach", "trim")

    def __init__(self, text: str, start: int, patterns: Patterns, rest: re.Pattern[str]) -> None:
        """Look from `start` to where the run ends, once for all the URIs in it.

        rest: see `Reach`.
        """
        found = patterns.run.match(text, start)
        self.end = start if found is None else found.end()
        self.reach = Reach(text, start, self.end, patterns, rest)
        self.trim = Trim(text, start, self.end)
        self._splits: list[int] = []
        at = text.find("://", start, self.end)
        while at >= 0:
            first = scheme_start(text, at, start, patterns)
            if first is not None and (split := _split(text, start, first)) is not None:
                self._splits.append(split)
            at = text.find("://", at + 1, self.end)

    def stop(self, start: int) -> int:
        """Return how far a URI may reach that begins at `start`."""
        if not self._splits:
            return self.end
        after = bisect_right(self._splits, start)
        return self._splits[after] if after < len(self._splits) else self.end


def _split(text: str, start: int, first: int) -> int | None:
    """Return where the URI ends that a list has before the one at `first`, if it is a list."""
    before = text[max(start, first - 2) : first]
    if before[-1:] in _SEPARATORS:
        return first - 1
    closer = _OPENERS.get(before[-1:])
    if closer is not None and (before[0] in _SEPARATORS or before[0] == closer != before[-1]):
        return first - 2
    return None


def scheme_start(text: str, colon: int, floor: int, patterns: Patterns) -> int | None:
    """Return where the scheme before a colon begins, at or after `floor`; None if there is none.

    After other words and a "." or "-" a known scheme counts alone, so that `See.http://h` has one.
    """
    first = max(floor, colon - LONGEST)
    window = text[first:colon]
    word = window[len(window.rstrip(patterns.scheme_characters)) :]
    if len(word) == LONGEST:
        return None
    name = word.lstrip(patterns.not_first)
    if not name:
        return None
    lowered = name.lower()
    if lowered not in KNOWN:
        tail = lowered[max(lowered.rfind("."), lowered.rfind("-")) + 1 :]
        if tail in KNOWN:
            return colon - len(tail)
    return colon - len(name)
