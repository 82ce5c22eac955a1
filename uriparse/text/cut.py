"""Whether a bare URI was meant to be longer than the grammar lets it be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.text.reach import joins
from uriparse.text.schemes import LONGEST

if TYPE_CHECKING:
    from uriparse.text.patterns import Patterns
    from uriparse.text.run import Run
    from uriparse.text.trim import Trim

_MEANT_LONGER = frozenset("\\{^")
"""What no URI holds where one was made to end, and yet is no end of a URI either."""

_ENDS = {"]": "[", "}": "{", "`": "`", "|": "|", '"': '"'}
"""What ends a URI if the other stands before it, and otherwise if no word follows at once."""

_WITHIN_WORDS = frozenset(".,:;!?")
"""Punctuation that stands in URIs, and behind which a sentence puts a space."""

_CLOSERS = {"<": ">", '"': '"'}
"""What has to follow, if the other stands before a URI: else the two hold more than it."""

_RESTART = 1 + LONGEST + len("://")
"""Characters in which another URI would begin behind white space."""


def is_cut(
    text: str,
    end: int,
    reach: tuple[int, int],
    run: Run,
    before: str,
    patterns: Patterns,
    *,
    final: bool,
) -> bool | None:
    """Tell by what follows a URI and by what is before it; None if the text ends too soon.

    end: where it ends for people.
    reach: how far the grammar lets it reach, and how far it would if all that URIs are made of
        could stand anywhere.
    before: the character before it, or "".
    """
    reached, stop = reach
    closer = _CLOSERS.get(before)
    if closer is not None:
        far = reached + _RESTART
        if far > len(text) and not final:
            return None
        if patterns.restart.match(text, reached, far) is None:
            return not text.startswith(closer, end)
    if end == reached or reached < stop:
        return _goes_on(text, reached, stop, run.trim, before)
    return _goes_on_behind(text, reached)


def _goes_on(text: str, end: int, stop: int, trim: Trim, before: str) -> bool:
    """Whether what follows a URI says that it was meant to be longer.

    end: how far the grammar lets it reach.
    stop: how far it would reach, if all that URIs are made of could stand anywhere.
    before: the character before it, or "".
    """
    first, second = text[end : end + 1], text[end + 1 : end + 2]
    if first in _ENDS:
        return second.isalnum() and before != _ENDS[first]
    if end < stop:
        return trim.trimmed(end, stop, "") > end
    if first == "<":
        return second.isalpha() and not text[end - 1].isalnum()
    return first != "" and (first in _MEANT_LONGER or (not first.isascii() and first.isalnum()))


def _goes_on_behind(text: str, end: int) -> bool:
    """Whether a word goes on behind punctuation that was taken for the sentence's.

    end: where the punctuation ends. Scripts that put no spaces between words put none here.
    """
    first = text[end : end + 1]
    if text[end - 1] not in _WITHIN_WORDS:
        return False
    return first in _MEANT_LONGER or (not first.isascii() and joins(first))
