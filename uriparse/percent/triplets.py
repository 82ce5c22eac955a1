"""Percent-encoded triplets within valid text: rewritten, never made or broken up.

Everything here takes text in which each "%" begins a triplet, as in every part of a record, and is
linear in its length.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from uriparse.grammar import charset


def decode_unreserved(text: str) -> str:
    """Decode the triplets of unreserved characters, leaving the others as they are.

    >>> decode_unreserved("%7euser%2f%41")
    '~user%2fA'
    """
    return _replaced(text, _rewritings().decoded)


def upper(text: str) -> str:
    """Write the hexadecimal digits of triplets in upper case.

    >>> upper("a%2fb")
    'a%2Fb'
    """
    return _replaced(text, _rewritings().upper)


def fold(text: str) -> str:
    """Decode the triplets of unreserved characters and write the others in upper case, at once.

    >>> fold("%7euser%2f%41")
    '~user%2FA'
    """
    return _replaced(text, _rewritings().folded)


def lower_around(text: str) -> str:
    """Write ASCII letters in lower case, but those of triplets in upper case.

    >>> lower_around("H%c3%a9.D")
    'h%C3%A9.d'
    """
    if "%" not in text:
        return lower(text)
    return upper(lower(text) if _capital().search(text) else text)


def lower(text: str) -> str:
    """Write ASCII letters in lower case, those of triplets too.

    >>> lower("ÉH%C3%A9.D")
    'Éh%c3%a9.d'
    """
    return text.lower() if text.isascii() else text.encode().lower().decode()


class _Rewriting(NamedTuple):
    """What takes the place of triplets.

    Attributes:
        table: the same by their two hexadecimal digits, in any letter case.
        changed: a triplet that does not stay as it is.

    """

    table: dict[str, str]
    changed: re.Pattern[str]


def _replaced(text: str, rewriting: _Rewriting) -> str:
    if rewriting.changed.search(text) is None:
        return text
    table = rewriting.table
    first, *rest = text.split("%")
    pieces = [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in rest]
    return first + "".join(pieces)


class _Rewritings(NamedTuple):
    decoded: _Rewriting
    upper: _Rewriting
    folded: _Rewriting


@cache
def _rewritings() -> _Rewritings:
    unreserved = charset("unreserved")
    pairs = [high + low for high in charset("HEXDIG") for low in charset("HEXDIG")]
    characters = {
        digits: character for digits in pairs if (character := chr(int(digits, 16))) in unreserved
    }
    as_written = {digits: "%" + digits for digits in pairs}
    upper_case = {digits: "%" + digits.upper() for digits in pairs}
    return _Rewritings(
        _rewriting(as_written | characters),
        _rewriting(upper_case),
        _rewriting(upper_case | characters),
    )


def _rewriting(table: dict[str, str]) -> _Rewriting:
    """Put together what stays, by first digits that have the same second ones, for speed."""
    seconds: dict[str, str] = {}
    for digits, written in sorted(table.items()):
        if written == "%" + digits:
            seconds[digits[0]] = seconds.get(digits[0], "") + digits[1]
    firsts: dict[str, str] = {}
    for first, second in seconds.items():
        firsts[second] = firsts.get(second, "") + first
    kept = "|".join(f"[{first}][{second}]" for second, first in firsts.items())
    return _Rewriting(table, re.compile(f"%(?!{kept})"))


@cache
def _capital() -> re.Pattern[str]:
    """Match a capital letter of ASCII that is no digit of a triplet."""
    capitals = "".join(letter for letter in charset("ALPHA") if letter.isupper())
    return re.compile(f"[{capitals}](?<!%.)(?<!%..)")
