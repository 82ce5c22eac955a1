"""What looking for URIs in a text gives: where one is, how it was marked, and what is unsure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.records import URI


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
