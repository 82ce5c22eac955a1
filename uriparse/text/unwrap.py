"""Undo what was done to a URI to make it fit into lines.

RFC 3986 appendix C, RFC 1738 appendix.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

from uriparse.text.found import Flag
from uriparse.text.patterns import BLANKS

_BLANK_RUN = re.compile(f"[{re.escape(BLANKS)}]+")  # white space, which no URI holds
_BREAKS = frozenset("\n\r")

MOST_HYPHENS = 3
"""Hyphens at line ends of which every combination is an alternative; of more, only none and all."""


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The text within delimiters, white space left out.

    Attributes:
        text: the likeliest reading, every hyphen kept.
        others: the readings without hyphens that line ends follow, then the one that ends at the
            first space within a line.
        flags: which of these there were.

    """

    text: str
    others: tuple[str, ...]
    flags: frozenset[Flag]


def unwrapped(raw: str) -> Unwrapped:
    r"""Leave out all white space, and say what else the text may have been.

    >>> unwrapped("http://h/inter-\n  net").others
    ('http://h/internet',)
    """
    raw = raw.strip(BLANKS)
    pieces: list[str] = []
    flags: set[Flag] = set()
    hyphens: list[int] = []
    length = at = 0
    until_space: int | None = None
    for blank in _BLANK_RUN.finditer(raw):
        piece = raw[at : blank.start()]
        pieces.append(piece)
        length += len(piece)
        at = blank.end()
        if _BREAKS.isdisjoint(blank[0]):
            flags.add(Flag.SPACE)
            until_space = length if until_space is None else until_space
        else:
            flags.add(Flag.LINE_BREAK)
            if piece.endswith("-"):
                hyphens.append(length - 1)
    if not pieces:
        return Unwrapped(raw, (), frozenset())
    text = "".join([*pieces, raw[at:]])
    others = _without(text, hyphens)
    if hyphens:
        flags.add(Flag.HYPHEN_LINE_BREAK)
    if until_space is not None:
        others.append(text[:until_space])
    return Unwrapped(text, tuple(others), frozenset(flags))


def _without(text: str, hyphens: list[int]) -> list[str]:
    """Return the readings without some hyphens: fewer left out first."""
    few = len(hyphens) <= MOST_HYPHENS
    sizes = range(1, len(hyphens) + 1) if few else (len(hyphens),)
    return [_leave_out(text, chosen) for size in sizes for chosen in combinations(hyphens, size)]


def _leave_out(text: str, places: tuple[int, ...]) -> str:
    starts = (0, *(place + 1 for place in places))
    ends = (*places, len(text))
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))
