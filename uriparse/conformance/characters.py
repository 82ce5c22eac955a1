"""The characters that stand for a class: a readable one, its borders, and suspects.

A suspect is a character that parsers are known to take for another one, or to pass over.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from uriparse.conformance.automata import Spans

LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What a line may end with, somewhere: `$` in an expression looks past the first one."""

CONTROLS: Final = "\x00\t\x08\x1b\x1f\x7f\x9f"

BLANKS: Final = " \xa0\xad\u2002\u200b\u200e\u202e\u3000\ufeff"
"""Spaces, and characters that nobody sees."""

FOREIGN: Final = "٣۳３²①ÉéＡａＦｆｇα０／．：％＃？＠［］\uff61\u3002"
"""Digits, letters and delimiters of other scripts, many of which fold to ASCII."""

FOLDED: Final = "\u017f\u212aßİıﬁ"
"""Long s, the Kelvin sign and others whose other case is ASCII."""

BEYOND: Final = "\ud800\udfff\ue000\ufdd0\ufffd\ufffe\uffff\U00010000\U0010ffff"
"""Surrogates, private use, noncharacters; the first and the last of the planes beyond the first."""

SUSPECTS: Final = "".join(dict.fromkeys(LINE_ENDS + CONTROLS + BLANKS + FOREIGN + FOLDED + BEYOND))

_READABLE: Final = (("a", "z"), ("1", "9"), ("0", "0"), ("A", "Z"), ("!", "~"))


@cache
def sample(spans: Spans) -> str:
    """Give a readable character of a class: a letter, a digit, or what else can be printed."""
    for first, last in _READABLE:
        for low, high in spans:
            if low <= ord(last) and high >= ord(first):
                return chr(max(low, ord(first)))
    return chr(spans[0][0])


@cache
def borders(spans: Spans) -> tuple[str, ...]:
    """Give the first and the last character of each range of a class."""
    return tuple(dict.fromkeys(chr(end) for span in spans for end in span))


@cache
def suspects(spans: Spans) -> tuple[str, ...]:
    """Give the suspects that are in a class."""
    return tuple(c for c in SUSPECTS if any(low <= ord(c) <= high for low, high in spans))


def stand_ins(spans: Spans, characters: str) -> tuple[str, ...]:
    """Give all that stand for a class, the readable one first: `one`, `borders`, `suspects`, `all`.

    >>> stand_ins(((48, 57), (97, 102)), "borders")
    ('a', '0', '9', 'f')
    """
    found = dict.fromkeys([sample(spans)])
    if characters in ("borders", "all"):
        found |= dict.fromkeys(borders(spans))
    if characters in ("suspects", "all"):
        found |= dict.fromkeys(suspects(spans))
    return tuple(found)
