"""How far the grammar lets a bare URI reach."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

    from uriparse.text.patterns import Patterns


class Reach:
    """How far URIs reach in a run; however many begin in it, it is not read for each.

    A match in which places lie that lead to the same end (the group `same`) is kept and serves
    all of them. `stop` is how far the run allows the URI to reach, the same for all such places.
    """

    __slots__ = ("_authority", "_last_at", "_matches", "_patterns", "_rest", "_text")

    def __init__(
        self, text: str, start: int, end: int, patterns: Patterns, rest: re.Pattern[str]
    ) -> None:
        """Serve the run between two offsets.

        rest: what may follow the authority, `patterns.rest` or the same without fragments.
        """
        self._text = text
        self._last_at = text.rfind("@", start, end)
        self._patterns = patterns
        self._rest = rest
        self._matches: dict[str, re.Match[str]] = {}

    def uri(self, body: int, stop: int) -> int | None:
        """Return how far a URI reaches whose scheme and colon end at `body`; None if in doubt."""
        if self._text.startswith("//", body, stop):
            return self.authority(body + 2, stop)
        return self._past_rest(body, stop)

    def authority(self, start: int, stop: int) -> int | None:
        """Return how far an authority and what follows it reach.

        None where the authority goes on beyond what is valid, and the host with it, or may do so:
        a host cut in two is another host.
        """
        text = self._text
        userinfo = self._userinfo(start, stop)
        host = self._host(start, stop) if userinfo is None else self._behind(userinfo, stop)
        self._authority = userinfo, host
        end = host.end()
        following = text[end : end + 1]
        if end == stop:
            return None if joins(following) else end
        if following in "/?#":
            return self._past_rest(end, stop)
        if following == "%":
            return None
        ahead = self._match("ahead", self._patterns.ahead, end, stop).end()
        return None if text.startswith("@", ahead, stop) else end

    def host(self, start: int, end: int, stop: int) -> tuple[int, int] | None:
        """Return where the host is in the authority asked for last, if the URI ends at `end`.

        None if it is no URI any more when it ends there.
        """
        userinfo, match = self._authority
        if userinfo is not None and end <= userinfo:
            match = self._host(start, stop)
            if match.end() < end:
                return None
        first, last = match.span("literal")
        if first < 0:
            last = match.end("same")
        elif first < end < last:
            return None
        return match.start(), min(last, end)

    def _past_rest(self, start: int, stop: int) -> int:
        return self._match("rest", self._rest, start, stop).end()

    def _userinfo(self, start: int, stop: int) -> int | None:
        """Return where the userinfo ends that an authority begins with; None if there is none."""
        if self._last_at < start:
            return None
        end = self._match("userinfo", self._patterns.userinfo, start, stop).end()
        return end if self._text.startswith("@", end, stop) else None

    def _host(self, start: int, stop: int) -> re.Match[str]:
        return self._match("host", self._patterns.host, start, stop)

    def _behind(self, userinfo: int, stop: int) -> re.Match[str]:
        return self._match("behind", self._patterns.host, userinfo + 1, stop)

    def _match(self, name: str, pattern: re.Pattern[str], start: int, stop: int) -> re.Match[str]:
        kept = self._matches.get(name)
        if kept is not None and (kept.start() <= start < kept.end("same") or kept.start() == start):
            return kept
        match = pattern.match(self._text, start, stop)
        assert match is not None  # noqa: S101 - all of them match no characters, too
        self._matches[name] = match
        return match


def joins(following: str) -> bool:
    """Whether the character behind a host name, if any, would belong to it but for the grammar.

    Letters and marks do, except in scripts that put no spaces between words: there the name ends.
    """
    if not following or following.isascii() or unicodedata.east_asian_width(following) in "WF":
        return False
    return following.isalnum() or unicodedata.category(following).startswith("M")
