"""Kinds of characters, for people: what a parser that takes one of a kind takes all of."""

from __future__ import annotations

from typing import Final

from uriparse import excerpt
from uriparse.conformance.characters import LINE_ENDS

THE_END: Final = "the end"

_SURROGATES: Final = range(0xD800, 0xE000)


def kind(character: str) -> str:
    r"""Name the kind of a character; `""` is the end of a text.

    >>> kind("]"), kind("7"), kind("x"), kind("\n"), kind("\x00"), kind("é"), kind("")
    ('"]"', 'DIGIT', 'ALPHA', 'a line end', 'a control', 'non-ASCII', 'the end')
    """
    if not character:
        return THE_END
    if character in LINE_ENDS:
        return "a line end"
    if ord(character) in _SURROGATES:
        return "a surrogate"
    if not character.isascii():
        return "non-ASCII"
    if character == " ":
        return "a space"
    if not character.isprintable():
        return "a control"
    if character.isalnum():
        return "DIGIT" if character.isdigit() else "ALPHA"
    return excerpt.named(character)
