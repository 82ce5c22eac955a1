"""Where a bare URI ends for people, although the grammar would go on.

Nearly all punctuation is allowed in a URI, and prose puts it right behind one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

from uriparse.text.parentheses import Parentheses

_AFTER = ".,:;!?'()"
"""Never belongs to a bare URI at its end: it is the sentence's. But for parentheses that close."""

_MARKUP = "*_~"
"""Belongs to the text at the end of a URI that the same character precedes: `*http://h/*`."""

_POSSESSIVE = "'s"

_TAILS = {
    markup: re.compile(f"(?:[{re.escape(_AFTER + markup)}]++|(?<=')s)++")
    for markup in ("", *_MARKUP)
}
"""Punctuation in a row, by the markup that counts as such."""

_FEW = 8
"""So much punctuation is looked at each time; where there is more, all rows are found, once."""


class Trim:
    """Where the URIs in a part of a text end; however many they are, it is not read for each.

    >>> text = "(see http://h/a_(b).)"
    >>> end = Trim(text, 0, len(text)).trimmed(5, len(text), " ")
    >>> text[5:end]
    'http://h/a_(b)'
    """

    __slots__ = ("_last_opened", "_parentheses", "_span", "_tails", "_text")

    def __init__(self, text: str, start: int, end: int) -> None:
        """Serve URIs that lie between two offsets."""
        self._text = text
        self._span = start, end
        self._last_opened = text.rfind("(", start, end)
        self._parentheses: Parentheses | None = None
        self._tails: dict[str, list[int]] = {}

    def trimmed(self, start: int, end: int, before: str) -> int:
        """Return where a bare URI ends that the grammar lets run from `start` to `end`.

        before: the character before it, or "".

        Punctuation goes, closing parentheses that nothing opens, a possessive ending, and the
        other half of quotes, parentheses or markup that surround it.
        """
        if before == "'" and (quote := self._text.find("'", start, end)) >= 0:
            end = quote
        elif before == "(":
            end = self._closing(start, end)
        markup = before if before in _MARKUP else ""
        if end > start and not _goes(self._text, end - 1, markup):
            return end
        few = end - _FEW if end - start > _FEW else start
        first = end
        while first > few and _goes(self._text, first - 1, markup):
            first -= 1
        if first > few or few == start:
            if self._text.find(")", first, end) < 0:
                return first
        else:
            first = max(start, self._tail(end, markup))
        return first if self._last_opened < start else self._counted().needed(start, first, end)

    def _closing(self, start: int, end: int) -> int:
        """Return where the parenthesis closes that was opened before `start`, or `end`."""
        if self._last_opened >= start:
            return self._counted().closing(start, end)
        closed = self._text.find(")", start, end)  # at most once: only one can be the last opened
        return end if closed < 0 else closed

    def _counted(self) -> Parentheses:
        if self._parentheses is None:
            self._parentheses = Parentheses(self._text, *self._span)
        return self._parentheses

    def _tail(self, end: int, markup: str) -> int:
        """Return where the punctuation begins that goes on up to `end`."""
        start = self._span[0]
        if markup not in self._tails:
            part = _plain(self._text[slice(*self._span)])
            self._tails[markup] = [found.start() for found in _TAILS[markup].finditer(part)]
        firsts = self._tails[markup]
        return start + firsts[bisect_left(firsts, end - start) - 1]


def _goes(text: str, at: int, markup: str) -> bool:
    """Whether a character is punctuation that the end of a URI may lose."""
    character = text[at]
    return (
        character in _AFTER
        or character == markup
        or (character == "s" and text.startswith(_POSSESSIVE, at - 1))
        or (not character.isascii() and _punctuation(character))
    )


def _plain(text: str) -> str:
    """Write full stops for the punctuation beyond ASCII, which an IRI may hold."""
    if text.isascii():
        return text
    beyond = (ord(one) for one in set(text) if not one.isascii() and _punctuation(one))
    return text.translate(dict.fromkeys(beyond, "."))


def _punctuation(character: str) -> bool:
    return unicodedata.category(character) in {"Po", "Pd", "Pf", "Pe"}
