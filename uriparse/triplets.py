"""Percent-encoded triplets within valid text: rewritten, never made or broken up.

Everything here takes text in which each "%" begins a triplet, as in every part of a record, and is
linear in its length.
"""

from __future__ import annotations

from functools import cache

from uriparse.matchers import charset


def decode_unreserved(text: str) -> str:
    """Decode the triplets of unreserved characters, leaving the others as they are.

    >>> decode_unreserved("%7euser%2f%41")
    '~user%2fA'
    """
    unreserved = _unreserved()
    first, *rest = text.split("%")
    pieces = [first]
    for piece in rest:
        character = unreserved.get(piece[:2])
        pieces.append("%" + piece if character is None else character + piece[2:])
    return "".join(pieces)


def upper(text: str) -> str:
    """Write the hexadecimal digits of triplets in upper case.

    >>> upper("a%2fb")
    'a%2Fb'
    """
    first, *rest = text.split("%")
    return "%".join([first, *(piece[:2].upper() + piece[2:] for piece in rest)])


def lower_around(text: str) -> str:
    """Write ASCII letters in lower case, but those of triplets in upper case.

    >>> lower_around("H%c3%a9.D")
    'h%C3%A9.d'
    """
    lower = text.lower() if text.isascii() else text.translate(_lower_ascii())
    return upper(lower) if "%" in lower else lower


@cache
def _unreserved() -> dict[str, str]:
    """Two hexadecimal digits, in every letter case, to the unreserved character they encode."""
    return {
        digits: character
        for character in charset("unreserved")
        for upper_digits in [f"{ord(character):02X}"]
        for digits in _spellings(upper_digits)
    }


def _spellings(digits: str) -> set[str]:
    high, low = (sorted({digit, digit.lower()}) for digit in digits)
    return {first + second for first in high for second in low}


@cache
def _lower_ascii() -> dict[int, str]:
    return {ord(letter): letter.lower() for letter in charset("ALPHA")}
