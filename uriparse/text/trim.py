"""Where a bare URI ends for people, although the grammar would go on.

Nearly all punctuation is allowed in a URI, and prose puts it right behind one.
"""

from __future__ import annotations

import re
import unicodedata

_AFTER = frozenset(".,:;!?'(")
"""Never belongs to a bare URI at its end: it is the sentence's."""

_MARKUP = frozenset("*_~")
"""Belongs to the text at the end of a URI that the same character precedes: `*http://h/*`."""

_PARENTHESIS = re.compile(r"[()]")
"""Parentheses of the prose around a URI, by hand for that reason."""

_POSSESSIVE = "'s"


def trimmed(text: str, start: int, end: int, before: str) -> int:
    """Return where a bare URI ends that the grammar lets run from `start` to `end`.

    before: the character before it, or "".

    Punctuation goes, closing parentheses that nothing opens, a possessive ending, and the other
    half of quotes, parentheses or markup that surround it.

    >>> text = "(see http://h/a_(b).)"
    >>> text[5 : trimmed(text, 5, len(text), " ")]
    'http://h/a_(b)'
    """
    if before == "'" and (quote := text.find("'", start, end)) >= 0:
        end = quote
    elif before == "(":
        end = _closed(text, start, end)
    surplus: int | None = None
    while end > start:
        last = text[end - 1]
        if last == ")":
            if surplus is None:
                surplus = text.count(")", start, end) - text.count("(", start, end)
            if surplus <= 0:
                break
            surplus -= 1
        elif text.endswith(_POSSESSIVE, start, end):
            end -= 1
        elif not (last in _AFTER or (last in _MARKUP and last == before) or _punctuation(last)):
            break
        elif last == "(" and surplus is not None:
            surplus += 1
        end -= 1
    return end


def _punctuation(character: str) -> bool:
    """Whether it is punctuation beyond ASCII, which an IRI may hold."""
    return not character.isascii() and unicodedata.category(character) in {"Po", "Pd", "Pf", "Pe"}


def _closed(text: str, start: int, end: int) -> int:
    """Return where the parenthesis closes that stands before `start`, or `end`."""
    depth = 0
    for found in _PARENTHESIS.finditer(text, start, end):
        depth += 1 if found[0] == "(" else -1
        if depth < 0:
            return found.start()
    return end
