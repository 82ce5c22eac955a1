"""Words spoiled by one character, and the characters that spoil most."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from uriparse.coerce import as_str
from uriparse.conformance.characters import SUSPECTS
from uriparse.conformance.sources import source_of
from uriparse.conformance.spots import parts

if TYPE_CHECKING:
    import random

    from uriparse.conformance.sources import Source
    from uriparse.grammar.derivation import Expression

DELIMITERS: Final = "%[]@:/?#&=+;,.-~!$'()* \\^`{|}<>\""

HOSTILE: Final = "".join(dict.fromkeys(SUSPECTS + DELIMITERS))
"""Suspects, and what URIs and other notations are punctuated with."""

_LAST: Final = 0x10FFFF


def characters(grammar: str | Source = "rfc3986") -> str:
    """Give the ends of all the ranges in a grammar, and what lies just beyond."""
    return _characters(source_of(grammar))


@lru_cache(maxsize=64)
def _characters(source: Source) -> str:
    codes: set[int] = set()
    pending: list[Expression] = list(source.expressions.values())
    while pending:
        match expression := pending.pop():
            case ("chars", tuple(ranges)):
                codes.update(end for span in ranges for end in span)
            case ("text", str(value)):
                codes.update(map(ord, value))
        pending.extend(parts(expression))
    beyond = {code + step for code in codes for step in (-1, 1)}
    return "".join(chr(code) for code in sorted(codes | beyond) if 0 <= code <= _LAST)


def spoil(
    word: str,
    chance: random.Random,
    grammar: str | Source = "rfc3986",
    place: int | None = None,
) -> str:
    """Change a word by one character, or cut it short; the result may still be a word.

    place: the offset to spoil it at; any by default.

    TypeError for a word that is no text, UnknownRuleError for a grammar that is not known.
    """
    word = as_str(word, "word")
    if place is None:
        place = chance.randrange(len(word) + 1)
    stranger = chance.choice(chance.choice((HOSTILE, characters(grammar))))
    before, after = word[:place], word[place:]
    kinds = {
        "replace": before + stranger + after[1:],
        "insert": before + stranger + after,
        "delete": before + after[1:],
        "duplicate": before + after[:1] + after,
        "swap": before + after[1:2] + after[:1] + after[2:],
        "truncate": before,
        "newline": word + chance.choice(("\n", "\r\n", "\r", "\u2028")),
    }
    (kind,) = chance.choices(list(kinds), (6, 6, 4, 2, 2, 1, 1))
    return kinds[kind] if kinds[kind] != word else before + stranger + after
