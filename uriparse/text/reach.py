"""How far the grammar lets a bare URI reach, and whether that is where its writer ended it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from uriparse.text.trim import trimmed

if TYPE_CHECKING:
    import re

    from uriparse.text.patterns import Patterns

_MEANT_LONGER = frozenset("\\{^")
"""What no URI holds where one was made to end, and yet is no end of a URI either."""


def reach(text: str, body: int, stop: int, patterns: Patterns, rest: re.Pattern[str]) -> int | None:
    """Return how far a URI reaches whose scheme and colon end at `body`; None if in doubt.

    rest: what may follow the authority, `patterns.rest` or the same without fragments.
    """
    if text.startswith("//", body, stop):
        return reach_authority(text, body + 2, stop, patterns, rest)
    return _past(rest, text, body, stop)


def reach_authority(
    text: str, start: int, stop: int, patterns: Patterns, rest: re.Pattern[str]
) -> int | None:
    """Return how far an authority and what follows it reach.

    None where the authority goes on beyond what is valid, and the host with it, or may do so: a
    host cut in two is another host.
    """
    authority = patterns.authority.match(text, start, stop)
    if authority is None:
        return None
    end = authority.end()
    following = text[end : end + 1]
    if end < stop:
        if following in "/?#":
            return _past(rest, text, end, stop)
        remainder = patterns.authority_run.match(text, end, stop)
        last = end if remainder is None else remainder.end()
        return None if following == "%" or text.find("@", end, last) >= 0 else end
    return None if _joins(following) else end


def goes_on(text: str, end: int, stop: int) -> bool:
    """Whether what follows a URI says that it was meant to be longer.

    end: how far the grammar lets it reach.
    stop: how far it would reach, if all that URIs are made of could stand anywhere.
    """
    first, second = text[end : end + 1], text[end + 1 : end + 2]
    if end < stop:
        return first != "]" and trimmed(text, end, stop, "") > end
    if first == "<":
        return second.isalpha() and not text[end - 1].isalnum()
    return first != "" and (first in _MEANT_LONGER or (not first.isascii() and first.isalnum()))


def _past(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    match = pattern.match(text, start, stop)
    return start if match is None else match.end()


def _joins(following: str) -> bool:
    """Whether the character behind a host name, if any, would belong to it but for the grammar.

    Letters and marks do, except in scripts that put no spaces between words: there the name ends.
    """
    if not following or following.isascii() or unicodedata.east_asian_width(following) in "WF":
        return False
    return following.isalnum() or unicodedata.category(following).startswith("M")
