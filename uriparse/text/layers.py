"""Results of a search, and layers: they decode HTML, escapes or mail, search, and map back."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from uriparse.records import URI


class Lines:
    """Counts lines and columns, from 1, of a text in pieces; each character is read once."""

    __slots__ = ("counted", "line", "start")

    def __init__(self) -> None:
        """Start before the first character."""
        self.line = 1
        self.start = 0
        self.counted = 0

    def count(self, text: str, base: int, upto: int) -> None:
        """Move to an offset in `text`, whose own offset in the whole text is `base`."""
        first = self.counted - base
        breaks = text.count("\n", first, upto)
        if breaks:
            self.line += breaks
            self.start = base + text.rfind("\n", first, upto) + 1
        self.counted = base + max(first, upto)

    def column(self, offset: int) -> int:
        """Return the column, from 1, of an offset of the whole text in the current line."""
        return offset - self.start + 1


class How(StrEnum):
    """What delimits a URI in the text."""

    ANGLE = "angle"
    """Angle brackets, `<...>` or `<URL:...>`."""
    QUOTES = "quotes"
    """Double quotes."""
    PREFIX = "prefix"
    """Only `URL:` before it."""
    BARE = "bare"
    """Nothing: it begins with its scheme and ends before white space or an invalid character."""
    SUFFIX = "suffix"
    """Nothing, and it has no scheme: it begins with `www.` (RFC 3986 section 4.5)."""
    LINK = "link"
    """The markup of a link, in the command's `find --base`; it may be relative there."""


class Flag(StrEnum):
    """Why a reading is uncertain, or differs from the written text."""

    LINE_BREAK = "line-break"
    """Line breaks inside the delimiters were removed."""
    SPACE = "space"
    """White space within a line was removed; the reading that ends there is an alternative."""
    HYPHEN_LINE_BREAK = "hyphen-line-break"
    """A line break follows a hyphen, which may be hyphenation; see the alternatives."""
    PUNCTUATION = "punctuation"
    """Punctuation at the end was left to the sentence; within quotes it was kept, and the reading
    without it is an alternative."""
    CUT = "cut"
    """The URI was probably meant to be longer: an invalid character follows, such as a non-ASCII
    letter, a broken triplet, a placeholder, or an unmatched delimiter with a word after it; or the
    delimiter before it encloses more text."""
    ESCAPED = "escaped"
    """It contains an escaped character, decoded with `html`, `escapes` or `mail`. Without them
    it looks like escaped HTML such as `&amp;`, and the decoded text is an alternative."""


@dataclass(frozen=True, slots=True)
class Found:
    """A URI that was found in a text.

    Offsets are in characters from 0 in the whole text, also if it came in pieces; lines and columns
    count from 1, and a line ends with a line feed.

    uri: the most likely reading, as a record; a suffix reference has `http://` before it.
    span: its half-open range, without delimiters and prefix.
    whole: its range with delimiters and prefix.
    how: what delimits it.
    prefixed: whether `URL:` is before it, within delimiters or not.
    alternatives: other readings, most likely first.
    flags: why the reading is uncertain.
    line: the line in which `span` begins.
    column: the column in which it begins, in characters.
    written: the text of `span` as written. Not in the `repr`: it may contain a password.
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


class Scans(Protocol):
    """Searches a text for URIs piece by piece."""

    base: int
    """The offset in the whole text before which no further find can begin."""
    kept: str
    """The text from that offset on."""

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield the finds that are certain by now."""
        raise NotImplementedError


class Substitution(NamedTuple):
    """An encoded part of a text.

    start, end: its span.
    text: its decoded text; `""` if it is removed.
    flag: the flag for a URI that contains it.
    """

    start: int
    end: int
    text: str
    flag: Flag


class Layer:
    """Decodes a text, searches the result, and maps the finds back to the text.

    A decoder returns decided changes in order, and up to where; the rest is given again.
    """

    def __init__(self, decoder: References | Escapes | QuotedPrintable, inner: Scans) -> None:
        """Start before the first character."""
        self.base = 0
        self.kept = ""
        self._decoder = decoder
        self._inner = inner
        self._given = 0  # the offset of the first undecided character
        self._size = 0  # the length of the decoded text up to there
        self._starts: list[int] = []  # of changes, in the decoded text
        self._ends: list[int] = []  # of changes, in the decoded text
        self._changes: list[Substitution] = []  # with offsets in the whole text
        self._shift = 0  # the offset by which forgotten changes moved the following text
        self._lines = Lines()

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield the finds up to the end of this piece."""
        self.kept += piece
        decoded = self._decode(final=final)
        for found in self._inner.scan(decoded, final=final):
            yield self._placed(found)
        self._forget()

    def _decode(self, *, final: bool) -> str:
        """Return the decoded text as far as it is decided, and record the changes."""
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
            self._changes.append(
                Substitution(self._given + start, self._given + end, instead, flag)
            )
            at = end
        parts.append(text[at:decided])
        self._size += decided - at
        self._given += decided
        return "".join(parts)

    def _placed(self, found: Found) -> Found:
        """Return a find of the decoded text with offsets in the original text."""
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
        """Return the original start of the character at an offset in the decoded text."""
        before = bisect_right(self._starts, offset) - 1
        if before < 0:
            return offset + self._shift
        if self._ends[before] > offset:  # within the decoded text of one change
            return self._changes[before].start
        return self._changes[before].end + offset - self._ends[before]

    def _end_of(self, offset: int) -> int:
        """Return the original end of the character that ends at an offset in the decoded text."""
        before = bisect_left(self._starts, offset) - 1
        if before < 0:
            return offset + self._shift
        return self._changes[before].end + max(0, offset - self._ends[before])

    def _forget(self) -> None:
        """Drop the changes and the text that no further find can need."""
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


# Character references of HTML.

_LONGEST_REFERENCE = 34
"""The most characters of a reference, "&" and ";" included: those of the longest name."""

REFERENCE = re.compile("&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
"""A reference that ends with ";". Without ";" `&copy=1` would be one, which is a pair in URIs."""


class References:
    """Decodes character references, wherever they are: in an attribute, in text, or in a script."""

    def changes(self, text: str, *, final: bool) -> tuple[list[Substitution], int]:
        """Return the known references; see `Layer`."""
        decided = len(text)
        if not final:
            last = text.rfind("&", max(0, decided - _LONGEST_REFERENCE))
            if last >= 0 and text.find(";", last) < 0:
                decided = last
        found = []
        for reference in REFERENCE.finditer(text, 0, decided):
            decoded = _character(reference[0])
            if decoded != reference[0]:
                found.append(Substitution(*reference.span(), decoded, Flag.ESCAPED))
        return found, decided


_character = lru_cache(maxsize=256)(unescape)


# Escapes of JSON (RFC 8259 section 7), of source code and of shells.

_HEX, _HIGH = "[0-9A-Fa-f]", "[dD][89abAB][0-9A-Fa-f]{2}"
ESCAPE = re.compile(
    rf"\\(?:(u{_HIGH}\\u[dD][c-fC-F]{_HEX}{{2}}|u{_HEX}{{4}}|x{_HEX}{{2}})|([^ux]))", re.DOTALL
)
_BEGUN = re.compile(rf"\\(?:u{_HEX}{{0,3}}|u{_HIGH}(?:\\(?:u{_HEX}{{0,3}})?)?|x{_HEX}?)?\Z")
_CONTROLS = dict(zip("bfnrtv", "\b\f\n\r\t\v", strict=True))


def of_escape(escape: re.Match[str]) -> str:
    """Return the character of a match of `ESCAPE`, which may be that of two surrogates."""
    if escape[1] is None:
        return _CONTROLS.get(escape[2], escape[2])
    code = escape[1][1:].replace(r"\u", "").zfill(4)
    return bytes.fromhex(code).decode("utf-16-be", "surrogatepass")


class Escapes:
    """Decodes escapes that begin with a backslash; of other characters it is removed."""

    def changes(self, text: str, *, final: bool) -> tuple[list[Substitution], int]:
        """Return the escapes; see `Layer`."""
        escapes = [*ESCAPE.finditer(text)]
        if not final and escapes and _BEGUN.match(text, escapes[-1].start()):
            escapes.pop()  # another surrogate may follow
        end = escapes[-1].end() if escapes else 0
        found = [Substitution(*one.span(), of_escape(one), Flag.ESCAPED) for one in escapes]
        begun = None if final else _BEGUN.search(text, max(end, len(text) - len(r"\ud83d\ude0")))
        return found, len(text) if begun is None else begun.start()


def unescaped(text: str, start: int, end: int) -> str | None:
    """Return a part of a text decoded as HTML, up to a delimiter that would end a URI.

    None if it contains no reference. A reference whose ";" directly follows the part counts.
    """
    if text.find("&", start, end) < 0:
        return None
    if text.startswith(";", end):
        end += 1
    part = text[start:end]
    if REFERENCE.search(part) is None:
        return None
    decoded = unescape(part)
    for delimiter in '<>"':
        decoded = decoded.partition(delimiter)[0]
    return decoded if decoded != part else None


# Quoted-printable parts of a stored message (RFC 2045 section 6.7).

_LONGEST_LINE = 1 << 16
"""The most characters of a header or line that are collected; a longer one is not mail."""

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
    """Decodes a message's quoted-printable parts; a text without a header is one part."""

    def __init__(self) -> None:
        self._in_heading: bool | None = None  # None before the first line
        self._quoted = True
        self._boundaries: set[str] = set()

    def changes(self, text: str, *, final: bool) -> tuple[list[Substitution], int]:
        """Return the encoded characters and soft line breaks; see `Layer`."""
        found: list[Substitution] = []
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
            # The header of an enclosed message is followed by another header.
            heading, at = text[at:end], end
            self._quoted = _IS_QUOTED.search(heading) is not None
            self._in_heading = _ENCLOSES.search(heading) is not None
            self._boundaries |= {f"--{one or bare}" for one, bare in _BOUNDARY.findall(heading)}
        return found, at

    def _body(self, text: str, at: int, decided: int) -> tuple[int, int, int]:
        """Return where a body begins and ends, and where the line after it ends."""
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
        """Return whether a line ends a part, before a header or text that is not encoded."""
        begins = line in self._boundaries
        if begins or line.removesuffix("--") in self._boundaries:
            self._in_heading, self._quoted = begins, False
            return True
        return False


def _whole(text: str, *, final: bool) -> int:
    """Return the end of the last complete line, or of the text if its last line is too long."""
    if final:
        return len(text)
    end = text.rfind("\n") + 1
    return end if len(text) - end <= _LONGEST_LINE else len(text) - _TRIPLET


def _decoded(text: str, start: int, end: int) -> Iterator[Substitution]:
    for quoted in _QUOTED.finditer(text, start, end):
        first, last = quoted.span()
        if text[last - 1] == "\n":
            # A line with only a soft break is an empty line: removing it would join its neighbours.
            alone = first == start or text[first - 1] == "\n"
            yield Substitution(first, last, "\n" if alone else "", Flag.LINE_BREAK)
        else:
            yield Substitution(first, last, _characters(quoted[0]), Flag.ESCAPED)


@lru_cache(maxsize=256)
def _characters(triplets: str) -> str:
    octets = bytes.fromhex(triplets.replace("=", ""))
    return octets.decode("utf-8", "surrogateescape")
