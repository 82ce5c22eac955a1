"""The edit that makes an invalid text valid, where there is one that leaves nothing to choose."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse import excerpt, percent
from uriparse.grammar import matcher

if TYPE_CHECKING:
    from uriparse.errors import URISyntaxError


class Remedy(NamedTuple):
    """An edit of a text.

    Attributes:
        span: what is replaced, in characters of the text.
        replacement: by what; "" if it is removed.

    """

    span: tuple[int, int]
    replacement: str

    def apply(self, text: str) -> str:
        """Return the text with this edit.

        >>> Remedy((10, 11), "%20").apply("http://h/a b")
        'http://h/a%20b'
        """
        start, end = self.span
        return f"{text[:start]}{self.replacement}{text[end:]}"


_ENCODED: Final = frozenset(
    {"space", "excluded", "bracket", "second-hash", "non-ascii", "bad-triplet"}
)
"""Causes that end where the characters at fault are written as triplets."""

_STRIPPED: Final = frozenset({"surrounding-space", "line-end", "byte-order-mark"})
"""Causes that end where the characters around the text are removed."""

_ENCODABLE: Final = frozenset({"path", "query", "fragment"})
"""Components whose characters may be written as triplets.

A scheme or a port has none, and the triplets of a host or a user are read differently by clients:
what was meant there is not to be guessed.
"""


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Controls: some are there by accident, and nobody can say which."""


def find_remedy(
    error: URISyntaxError, rule: str = "URI-reference", grammar: str = "rfc3986"
) -> Remedy | None:
    """Return the edit after which a rule matches the text; None if there is none, or a choice.

    error: why the rule does not match it.

    Characters of path, query and fragment that are not allowed there are written as triplets, a
    "%" that begins no triplet as %25, a second "#" as %23; blanks, line ends and a byte order mark
    on one side of the text are removed. Linear in time. None too if the edit would show a password.

    >>> from uriparse.diagnosis import diagnose
    >>> find_remedy(diagnose("http://h/50% off"))
    Remedy(span=(12, 13), replacement='25%20')
    >>> find_remedy(diagnose("http://a b/")) is None
    True
    """
    text = error.text
    bare = text.strip(" \t\r\n\ufeff")
    is_encodable = bare == text and not _CONTROL.search(text)
    if error.cause in _STRIPPED:
        edited = bare
    elif is_encodable and error.cause in _ENCODED and error.component in _ENCODABLE:
        start = error.offset
        if error.cause == "bad-triplet":  # the offset is where a digit is missing
            start = text.rindex("%", 0, error.offset)
        try:
            tail = _encoded(text[start:], in_fragment=error.component == "fragment")
        except UnicodeEncodeError:  # a lone surrogate is not a character
            return None
        edited = text[:start] + tail
    else:
        return None
    if matcher(rule, grammar).fullmatch(edited) is None:
        return None
    remedy = _difference(text, edited)
    secret = excerpt.secret_span(text)
    shows = secret is not None and remedy.span[0] < secret[1] and secret[0] < remedy.span[1]
    return None if shows else remedy


def _encoded(text: str, *, in_fragment: bool) -> str:
    """Return text of path, query and fragment with triplets for what is not allowed there."""
    allowed, digits = _allowed(), _digits()
    parts = []
    for at, char in enumerate(text):
        if char == "%":
            is_triplet = digits.issuperset(text[at + 1 : at + 3]) and at + 2 < len(text)
            parts.append("%" if is_triplet else "%25")
        elif char == "#" and not in_fragment:
            in_fragment = True
            parts.append(char)
        else:
            parts.append(char if char in allowed else percent.triplets(char, "strict"))
    return "".join(parts)


@cache
def _allowed() -> frozenset[str]:
    """Characters of queries, which are also those of fragments, and of paths with their "?"."""
    return frozenset(filter(matcher("query").fullmatch, map(chr, range(128))))


@cache
def _digits() -> frozenset[str]:
    return frozenset(filter(matcher("HEXDIG", "core").fullmatch, map(chr, range(128))))


def _difference(text: str, edited: str) -> Remedy:
    """Return the shortest edit between two texts, as one span."""
    shorter = min(len(text), len(edited))
    start = next((n for n in range(shorter) if text[n] != edited[n]), shorter)
    rest = shorter - start
    same = next((n for n in range(rest) if text[-1 - n] != edited[-1 - n]), rest)
    return Remedy((start, len(text) - same), edited[start : len(edited) - same])
