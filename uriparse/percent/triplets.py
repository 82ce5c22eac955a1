"""Percent-encoded triplets within valid text: rewritten, never made or broken up.

Everything here takes text in which each "%" begins a triplet, as in every part of a record, and is
linear in its length.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from uriparse.grammar import charset


def decode_unreserved(text: str) -> str:
    """Decode the triplets of unreserved characters, leaving the others as they are.

    >>> decode_unreserved("%7euser%2f%41")
    '~user%2fA'
    """
    return _replaced(text, _tables().decoded)


def upper(text: str) -> str:
    """Write the hexadecimal digits of triplets in upper case.

    >>> upper("a%2fb")
    'a%2Fb'
    """
    return _replaced(text, _tables().upper)


def fold(text: str) -> str:
    """Decode the triplets of unreserved characters and write the others in upper case, at once.

    >>> fold("%7euser%2f%41")
    '~user%2FA'
    """
    return _replaced(text, _tables().folded)


def lower_around(text: str) -> str:
    """Write ASCII letters in lower case, but those of triplets in upper case.

    >>> lower_around("H%c3%a9.D")
    'h%C3%A9.d'
    """
    lower = text.lower() if text.isascii() else text.translate(_lower_ascii())
    return upper(lower) if "%" in lower else lower


def _replaced(text: str, table: dict[str, str]) -> str:
    first, *rest = text.split("%")
    return "".join([first, *(table[piece[:2]] + piece[2:] for piece in rest)])


class _Tables(NamedTuple):
    """Two hexadecimal digits, in any letter case, to what takes the place of their triplet."""

    decoded: dict[str, str]
    upper: dict[str, str]
    folded: dict[str, str]


@cache
def _tables() -> _Tables:
    unreserved = charset("unreserved")
    pairs = [high + low for high in charset("HEXDIG") for low in charset("HEXDIG")]
    characters = {
        digits: character for digits in pairs if (character := chr(int(digits, 16))) in unreserved
    }
    as_written = {digits: "%" + digits for digits in pairs}
    upper_case = {digits: "%" + digits.upper() for digits in pairs}
    return _Tables(as_written | characters, upper_case, upper_case | characters)


@cache
def _lower_ascii() -> dict[int, str]:
    return {ord(letter): letter.lower() for letter in charset("ALPHA")}
