"""Text within text: what is decoded is searched, and what is found is placed in what was given."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from uriparse.text.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.text.found import Flag, Found


class Scans(Protocol):
    """What looks for URIs in pieces of a text."""

    @property
    def base(self) -> int:
        """The offset in the whole text before which nothing will be found any more."""
        raise NotImplementedError

    @property
    def kept(self) -> str:
        """What is kept of the text."""
        raise NotImplementedError

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield what can be told by now."""
        raise NotImplementedError


class Change(NamedTuple):
    """A part of a text that stands for another.

    Attributes:
        start, end: where it is.
        text: what it stands for; `""` where it is to be left out.
        flag: what that says of a URI in which it is.

    """

    start: int
    end: int
    text: str
    flag: Flag


class Decodes(Protocol):
    """An encoding of texts, decoded piece by piece."""

    def changes(self, text: str, *, final: bool) -> tuple[list[Change], int]:
        """Give the changes in their order, and up to where they are decided.

        What lies behind comes again, at the beginning of the next text. What is decided comes
        once, so that there may be memory of it.
        """
        raise NotImplementedError


class Layer:
    """Searches a text by searching what it stands for.

    Attributes:
        base: the offset of the first character that is kept.
        kept: what is kept of the text, for the places of what will be found.

    """

    def __init__(self, decoder: Decodes, inner: Scans) -> None:
        """Start before the first character.

        inner: what searches the decoded text.
        """
        self.base = 0
        self.kept = ""
        self._decoder = decoder
        self._inner = inner
        self._given = 0  # where the text begins that has not been decided
        self._size = 0  # of the decoded text, up to there
        self._starts: list[int] = []  # of changes in the decoded text,
        self._ends: list[int] = []  # where they end there,
        self._changes: list[Change] = []  # and they themselves, placed in the whole text
        self._shift = 0  # by how much changes that are forgotten have moved what follows
        self._lines = Lines()

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield what the text up to the end of this piece holds."""
        self.kept += piece
        decoded = self._decode(final=final)
        for found in self._inner.scan(decoded, final=final):
            yield self._placed(found)
        self._forget()

    def _decode(self, *, final: bool) -> str:
        """Decode what is decided, and remember where changes were."""
        text = self.kept[self._given - self.base :]
        changes, decided = self._decoder.changes(text, final=final)
        parts: list[str] = []
        at = 0
        for start, end, instead, flag in changes:
            parts += text[at:start], instead
            self._size += start - at
            self._starts.append(self._size)
            self._size += len(instead)
            self._ends.append(self._size)
            self._changes.append(Change(self._given + start, self._given + end, instead, flag))
            at = end
        parts.append(text[at:decided])
        self._size += decided - at
        self._given += decided
        return "".join(parts)

    def _placed(self, found: Found) -> Found:
        """Place what was found in the decoded text in that which was given."""
        first, last = found.span
        start, end = self._start_of(first), self._end_of(last)
        low, high = bisect_right(self._ends, first), bisect_left(self._starts, last)
        flags = {change.flag for change in self._changes[low:high]}
        self._lines.count(self.kept, self.base, start - self.base)
        return replace(
            found,
            span=(start, end),
            whole=(self._start_of(found.whole[0]), self._end_of(found.whole[1])),
            flags=found.flags | flags if flags else found.flags,
            line=self._lines.line,
            column=self._lines.column(start),
            written=self.kept[start - self.base : end - self.base],
        )

    def _start_of(self, offset: int) -> int:
        """Return where the character stands that has an offset in the decoded text."""
        before = bisect_right(self._starts, offset) - 1
        if before < 0:
            return offset + self._shift
        if self._ends[before] > offset:  # within what stands for several characters, or one
            return self._changes[before].start
        return self._changes[before].end + offset - self._ends[before]

    def _end_of(self, offset: int) -> int:
        """Return where the character ends that ends at an offset in the decoded text."""
        before = bisect_left(self._starts, offset) - 1
        if before < 0:
            return offset + self._shift
        return self._changes[before].end + max(0, offset - self._ends[before])

    def _forget(self) -> None:
        """Drop the changes and the text before which nothing will be found any more."""
        keep = self._inner.base
        done = bisect_right(self._ends, keep - 1) if keep else 0
        if done:
            self._shift = self._changes[done - 1].end - self._ends[done - 1]
            del self._starts[:done], self._ends[:done], self._changes[:done]
        cut = self._start_of(keep) - self.base
        if self._starts and self._starts[0] <= keep:
            cut = min(cut, self._changes[0].start - self.base)
        cut = min(cut, self._given - self.base)
        self._lines.count(self.kept, self.base, cut)
        self.kept = self.kept[cut:]
        self.base += cut
