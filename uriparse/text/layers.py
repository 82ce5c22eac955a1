"""Encodings around URIs in text: what is decoded is searched, and mapped back to its place."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.records import URI


# Lines and columns of places in a text that comes in pieces.


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


# What looking for URIs in a text gives: where one is, how it was marked, and what is unsure.


class How(StrEnum):
    """What marks a URI off from the text around it."""

    ANGLE = "angle"
    """Angle brackets, `<...>` or `<URL:...>`."""
    QUOTES = "quotes"
    """Double quotes."""
    PREFIX = "prefix"
    """Nothing but `URL:` before it."""
    BARE = "bare"
    """Nothing: its scheme begins it, and white space or what no URI holds ends it."""
    SUFFIX = "suffix"
    """Nothing, and its scheme is left out: it begins with `www.` (RFC 3986 section 4.5)."""


class Flag(StrEnum):
    """What makes a reading unsure, or differs from the text as it stands."""

    LINE_BREAK = "line-break"
    """Line breaks inside the delimiters were left out."""
    SPACE = "space"
    """White space within a line was left out; the reading that ends there is an alternative."""
    HYPHEN_LINE_BREAK = "hyphen-line-break"
    """A line break follows a hyphen, which may have come with it; see the alternatives."""
    PUNCTUATION = "punctuation"
    """Punctuation at the end was taken for the sentence's; within quotes it was kept, and the
    reading without it is an alternative."""
    CUT = "cut"
    """The text runs on with something that no URI holds there, such as a letter beyond ASCII, a
    broken triplet or a placeholder, or a delimiter that nothing opened and a word behind it; or
    the delimiter before it holds more."""
    ESCAPED = "escaped"
    """It holds what stands for another character: decoded where that was asked for (`html`,
    `mail`). Otherwise it looks like escaped HTML, as `&amp;` does, and what that would mean is an
    alternative."""


@dataclass(frozen=True, slots=True)
class Found:
    """A URI that a text holds.

    Offsets are in characters from 0, in the whole text, however it came in pieces; lines and
    columns count from 1, and a line ends with a line feed.

    Attributes:
        uri: the likeliest reading, as a record; for a suffix reference with `http://` before it.
        span: where it stands, without delimiters and prefix, as a half-open range.
        whole: the same with them.
        how: what marks it off.
        prefixed: whether `URL:` stands before it, within delimiters or not.
        alternatives: other readings, likelier ones first.
        flags: what is unsure.
        line: the line in which `span` begins.
        column: the column in which it begins, in characters.
        written: the text of `span` as it stands. Not in the `repr`: it may hold a password.

    """

    uri: URI
    span: tuple[int, int]
    whole: tuple[int, int]
    how: How
    prefixed: bool = False
    alternatives: tuple[URI, ...] = ()
    flags: frozenset[Flag] = frozenset()
    line: int = 1
    column: int = 1
    written: str = field(default="", repr=False)


# Text within text: what is decoded is searched, and what is found is placed in what was given.


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


# Character references of HTML, as they stand in markup that is searched as text.

_LONGEST_REFERENCE = 34
"""Characters of a reference at most, "&" and ";" included: that is what the longest name has."""

REFERENCE = re.compile("&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
"""A reference that ends with ";". Without it `&copy=1` would be one, which in URIs is a pair."""


class References:
    """Decodes them, wherever they are: in an attribute, in text, or in a script."""

    def changes(self, text: str, *, final: bool) -> tuple[list[Change], int]:
        """Give the references that mean something; see `Decodes`."""
        decided = len(text)
        if not final:
            last = text.rfind("&", max(0, decided - _LONGEST_REFERENCE))
            if last >= 0 and text.find(";", last) < 0:
                decided = last
        found = []
        for reference in REFERENCE.finditer(text, 0, decided):
            meant = _character(reference[0])
            if meant != reference[0]:
                found.append(Change(*reference.span(), meant, Flag.ESCAPED))
        return found, decided


@lru_cache(maxsize=256)
def _character(reference: str) -> str:
    return unescape(reference)


def unescaped(text: str, start: int, end: int) -> str | None:
    """Read a part of a text as escaped HTML, up to where a delimiter would end a URI.

    None where no reference is in it. One whose ";" stands behind the part counts.

    >>> unescaped("x:?a&amp;b x:c&gt;,", 0, 10), unescaped("x:?a&amp;b x:c&gt;,", 11, 17)
    ('x:?a&b', 'x:c')
    """
    if text.find("&", start, end) < 0:
        return None
    if text.startswith(";", end):
        end += 1
    part = text[start:end]
    if REFERENCE.search(part) is None:
        return None
    meant = unescape(part)
    for delimiter in '<>"':
        meant = meant.partition(delimiter)[0]
    return meant if meant != part else None


# Mail as it is stored: the parts of a message that are quoted-printable (RFC 2045 section 6.7).

_LONGEST_LINE = 1 << 16
"""Characters of a heading, or of a line, that are waited for; what is longer is no mail."""

_QUOTED = re.compile(r"(?:=[89A-Fa-f][0-9A-Fa-f])+|=[0-7][0-9A-Fa-f]|=[ \t]{0,76}\r?\n")
_TRIPLET = len("=XX")

_FIELD = re.compile("[!-9;-~]+:|From ")
_EMPTY_LINE = re.compile(r"^[ \t\r]*\n", re.MULTILINE)
_IS_QUOTED = re.compile(
    r"^content-transfer-encoding:\s*quoted-printable", re.IGNORECASE | re.MULTILINE
)
_ENCLOSES = re.compile(r"^content-type:\s*message/rfc822", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(r'boundary=(?:"([^"\n]+)"|([^\s";]+))', re.IGNORECASE)


class QuotedPrintable:
    """Decodes a message: each part that its heading says is quoted-printable, and no other.

    A text that does not begin with a heading is a part by itself, and is decoded.
    """

    def __init__(self) -> None:
        self._in_heading: bool | None = None  # None before the first line
        self._quoted = True
        self._boundaries: set[str] = set()

    def changes(self, text: str, *, final: bool) -> tuple[list[Change], int]:
        """Give the triplets, and the line breaks that are none; see `Decodes`."""
        found: list[Change] = []
        at, decided = 0, _whole(text, final=final)
        while at < decided:
            if self._in_heading is None:
                self._in_heading = _FIELD.match(text) is not None
            if not self._in_heading:
                quoted = self._quoted
                start, end, at = self._body(text, at, decided)
                if quoted:
                    found.extend(_decoded(text, start, end))
                continue
            empty = _EMPTY_LINE.search(text, at, decided)
            if empty is None and not final and decided - at < _LONGEST_LINE:
                break
            end = decided if empty is None else empty.end()
            self._heading(text[at:end])
            at = end
        return found, at

    def _heading(self, heading: str) -> None:
        """Read a heading; that of a message in a message is followed by another one."""
        self._quoted = _IS_QUOTED.search(heading) is not None
        self._in_heading = _ENCLOSES.search(heading) is not None
        self._boundaries |= {f"--{quoted or bare}" for quoted, bare in _BOUNDARY.findall(heading)}

    def _body(self, text: str, at: int, decided: int) -> tuple[int, int, int]:
        """Give where a body begins and ends, and where the line behind it does."""
        line = at
        while self._boundaries:
            if not text.startswith("--", line):
                line = text.find("\n--", line, decided) + 1
                if line == 0:
                    break
            end = text.find("\n", line, decided) + 1 or decided
            if self._ends_part(text[line:end].rstrip()):
                return at, line, end
            line = end
        return at, decided, decided

    def _ends_part(self, line: str) -> bool:
        """Whether a line ends a part; then a heading follows, or nothing that is encoded."""
        begins = line in self._boundaries
        if begins or line.removesuffix("--") in self._boundaries:
            self._in_heading, self._quoted = begins, False
            return True
        return False


def _whole(text: str, *, final: bool) -> int:
    """Return up to where lines are whole, or too long for that."""
    if final:
        return len(text)
    end = text.rfind("\n") + 1
    return end if len(text) - end <= _LONGEST_LINE else len(text) - _TRIPLET


def _decoded(text: str, start: int, end: int) -> Iterator[Change]:
    for quoted in _QUOTED.finditer(text, start, end):
        first, last = quoted.span()
        if text[last - 1] == "\n":
            # A line of nothing but a break that is none would be no line: it is an empty one.
            alone = first == start or text[first - 1] == "\n"
            yield Change(first, last, "\n" if alone else "", Flag.LINE_BREAK)
        else:
            yield Change(first, last, _characters(quoted[0]), Flag.ESCAPED)


@lru_cache(maxsize=256)
def _characters(triplets: str) -> str:
    octets = bytes.fromhex(triplets.replace("=", ""))
    return octets.decode("utf-8", "surrogateescape")
