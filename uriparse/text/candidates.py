"""Candidates for URIs in text: where one begins, how far it reaches, where people end it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from uriparse.text.patterns import BLANKS, FAR, KNOWN, LONGEST, Schemes, Shape, shape

if TYPE_CHECKING:
    from uriparse.text.patterns import Patterns


# How far the grammar lets a bare URI reach.


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


# The parentheses of a text, counted once for any number of questions about them.

_OPENING = re.compile(r"\(")
_CLOSING = re.compile(r"\)")


class Parentheses:
    """Where parentheses of prose close that were opened elsewhere.

    What counts is the level of a place: how many more have closed than opened before it. It moves
    in steps of one, so that a level is reached where it is looked for, and nowhere passed over.
    """

    __slots__ = ("_closed", "_levels", "_opened")

    def __init__(self, text: str, start: int, end: int) -> None:
        """Count those between two offsets."""
        self._opened = [found.end() for found in _OPENING.finditer(text, start, end)]
        self._closed = [found.end() for found in _CLOSING.finditer(text, start, end)]
        self._levels: dict[int, list[int]] = {}
        for number, place in enumerate(self._closed, 1):
            level = number - bisect_left(self._opened, place)
            self._levels.setdefault(level, []).append(place)

    def closing(self, start: int, end: int) -> int:
        """Return where the one closes that was opened right before `start`, or `end`."""
        places = self._levels.get(self._level(start) + 1, ())
        after = bisect_right(places, start)
        return min(places[after] - 1, end) if after < len(places) else end

    def needed(self, start: int, first: int, end: int) -> int:
        """Return the end of the last one that closes what was opened since `start`.

        Only those between `first` and `end` are looked at; `first` if there is none.
        """
        before = self._level(start)
        last = bisect_right(self._closed, end)
        if not last or self._closed[last - 1] <= first:
            return first
        place = self._closed[last - 1]
        if self._level(place) <= before:
            return place
        places = self._levels.get(before, ())
        last = bisect_right(places, end)
        return max(places[last - 1], first) if last else first

    def _level(self, place: int) -> int:
        return bisect_right(self._closed, place) - bisect_right(self._opened, place)


# Where a bare URI ends for people, although the grammar would go on.
#
# Nearly all punctuation is allowed in a URI, and prose puts it right behind one.

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


# A run of characters that URIs are made of, and the schemes in it.

_SEPARATORS = frozenset(",;")
"""Between URIs of a list that has no spaces."""

_OPENERS = {"(": ")", "'": "'"}
"""What each of them may stand in, and how that closes."""


class Run:
    """A run, and where a list of URIs falls apart in it: `http://a/,http://b/`.

    Attributes:
        end: where the run ends.
        reach: how far the grammar lets URIs reach in it.
        trim: where they end.

    """

    __slots__ = ("_splits", "end", "reach", "trim")

    def __init__(self, text: str, start: int, patterns: Patterns, rest: re.Pattern[str]) -> None:
        """Look from `start` to where the run ends, once for all the URIs in it.

        rest: see `Reach`.
        """
        found = patterns.run.match(text, start)
        self.end = start if found is None else found.end()
        self.reach = Reach(text, start, self.end, patterns, rest)
        self.trim = Trim(text, start, self.end)
        self._splits: list[int] = []
        at = text.find("://", start, self.end)
        while at >= 0:
            first = scheme_start(text, at, start, patterns)
            if first is not None and (split := _split(text, start, first)) is not None:
                self._splits.append(split)
            at = text.find("://", at + 1, self.end)

    def stop(self, start: int) -> int:
        """Return how far a URI may reach that begins at `start`."""
        if not self._splits:
            return self.end
        after = bisect_right(self._splits, start)
        return self._splits[after] if after < len(self._splits) else self.end


def _split(text: str, start: int, first: int) -> int | None:
    """Return where the URI ends that a list has before the one at `first`, if it is a list."""
    before = text[max(start, first - 2) : first]
    if before[-1:] in _SEPARATORS:
        return first - 1
    closer = _OPENERS.get(before[-1:])
    if closer is not None and (before[0] in _SEPARATORS or before[0] == closer != before[-1]):
        return first - 2
    return None


def scheme_start(text: str, colon: int, floor: int, patterns: Patterns) -> int | None:
    """Return where the scheme before a colon begins, at or after `floor`; None if there is none.

    After other words and a "." or "-" a known scheme counts alone, so that `See.http://h` has one.
    """
    first = max(floor, colon - LONGEST)
    window = text[first:colon]
    word = window[len(window.rstrip(patterns.scheme_characters)) :]
    if len(word) == LONGEST:
        return None
    name = word.lstrip(patterns.not_first)
    if not name:
        return None
    lowered = name.lower()
    if lowered not in KNOWN:
        tail = lowered[max(lowered.rfind("."), lowered.rfind("-")) + 1 :]
        if tail in KNOWN:
            return colon - len(tail)
    return colon - len(name)


# A colon that may be a scheme's, and what stands before that scheme.

_URL = "url"
_PREFIX = f"{_URL}:"

LOOK_BACK = 2 * FAR + LONGEST + len(_PREFIX) + 2
"""Characters before a colon that may belong to what is found there: all that has to be kept."""


class Candidate(NamedTuple):
    """A place where a scheme may begin a URI.

    Attributes:
        start: where the scheme begins.
        body: where its colon has been passed.
        shape: what has to follow.
        whole: where the prefix begins, or else the scheme.
        opener: `<` or `"` where one precedes that, else "".
        outside: where that delimiter is, or else `whole`.
        spaced: whether white space stands between the delimiter and `whole`.

    """

    start: int
    body: int
    shape: Shape
    whole: int
    opener: str
    outside: int
    spaced: bool

    @property
    def prefixed(self) -> bool:
        """Whether `URL:` precedes the scheme."""
        return self.whole < self.start


def candidate(
    text: str, colon: int, floor: int, patterns: Patterns, schemes: Schemes
) -> Candidate | None:
    """Judge a colon by what precedes it, no further back than `floor`."""
    start = scheme_start(text, colon, floor, patterns)
    if start is None:
        return None
    name = text[start:colon].lower()
    if name == _URL:
        return None
    before = _before(text, start, floor)
    whole = start
    prefix = before - len(_PREFIX)
    if (
        prefix >= floor
        and text[before - 1] == ":"
        and text[prefix:before].lower() == _PREFIX
        and (prefix == floor or text[prefix - 1] not in patterns.scheme_characters)
    ):
        whole = prefix
        before = _before(text, whole, floor)
    opener = text[before - 1] if before > floor else ""
    apart = before < start and whole + len(_PREFIX) < start and opener != "<"
    fitting = shape(name, schemes, announced=whole < start and not apart)
    if fitting is None:
        return None
    spaced = before < whole
    if opener == "<" or (opener == '"' and not spaced):
        return Candidate(start, colon + 1, fitting, whole, opener, before - 1, spaced)
    return Candidate(start, colon + 1, fitting, whole, "", whole, spaced)


def _before(text: str, at: int, floor: int) -> int:
    """Return where white space before a place begins."""
    if at <= floor or text[at - 1] not in BLANKS:
        return at
    first = max(floor, at - FAR)
    return first + len(text[first:at].rstrip(BLANKS))


# Whether a bare URI was meant to be longer than the grammar lets it be.

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
