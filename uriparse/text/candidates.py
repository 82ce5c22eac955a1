"""Candidates for URIs in text: where one begins, how far it reaches, where it ends in prose."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from uriparse.grammar import charset
from uriparse.text.patterns import BLANKS, FAR, KNOWN, LONGEST, Patterns, Schemes, Shape, shape


class Undecided(Exception):  # noqa: N818 - a signal, not an error
    """The piece of text ends before a decision is possible."""


def joins(character: str) -> bool:
    """Return whether it is a letter or mark that continues a word: one of a script with spaces."""
    if character.isascii() or unicodedata.east_asian_width(character) in "WF":
        return False
    return character.isalnum() or unicodedata.category(character).startswith("M")


_OPENING = re.compile(r"\(")
_CLOSING = re.compile(r"\)")


class Parentheses:
    """Finds matching parentheses by binary search over the offsets of one level of nesting."""

    __slots__ = ("_closed", "_levels", "_opened")

    def __init__(self, text: str, start: int, end: int) -> None:
        """Count the parentheses between two offsets."""
        self._opened = [found.end() for found in _OPENING.finditer(text, start, end)]
        self._closed = [found.end() for found in _CLOSING.finditer(text, start, end)]
        self._levels: dict[int, list[int]] = {}
        for number, place in enumerate(self._closed, 1):
            level = number - bisect_left(self._opened, place)
            self._levels.setdefault(level, []).append(place)

    def closing(self, start: int, end: int) -> int:
        """Return where the parenthesis right before `start` closes, or `end`."""
        places = self._levels.get(self._level(start) + 1, ())
        after = bisect_right(places, start)
        return min(places[after] - 1, end) if after < len(places) else end

    def needed(self, start: int, first: int, end: int) -> int:
        """Return the end, up to `end`, of the last parenthesis that closes one since `start`."""
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


# The end of a bare URI in prose. Nearly all punctuation is valid in a URI, but at its end it
# usually belongs to the sentence.

_AFTER = ".,:;!?'()"
"""Punctuation that is removed from the end of a bare URI, except matching parentheses."""

_WITHIN_WORDS = frozenset(".,:;!?")
"""Punctuation that URIs allow, and that a space follows in a sentence."""

_MARKUP = "*_~"
"""Markup that is removed from the end if the same character is before the URI: `*http://h/*`."""

_APART = frozenset(_AFTER + _MARKUP) - _WITHIN_WORDS
"""Removed characters after which no host name goes on."""

_POSSESSIVE = "'s"

_TAILS = {
    markup: re.compile(f"(?>[{re.escape(_AFTER + markup)}]++|(?<=')s)++")
    for markup in ("", *_MARKUP)
}
"""Runs of punctuation, by the markup that counts as punctuation."""

_FEW = 8
"""Runs up to this length are read each time; for longer ones all runs are found once."""


class Trim:
    """Removes punctuation from the ends of URIs, in linear time for any number of them."""

    __slots__ = ("_last_opened", "_parentheses", "_span", "_tails", "_text")

    def __init__(self, text: str, start: int, end: int) -> None:
        """Prepare for URIs between two offsets."""
        self._text = text
        self._span = start, end
        self._last_opened = text.rfind("(", start, end)
        self._parentheses: Parentheses | None = None
        self._tails: dict[str, list[int]] = {}

    def trimmed(self, start: int, end: int, before: str) -> int:
        """Return where a bare URI ends in prose, if the grammar allows it from `start` to `end`.

        before: the character before it, or "".

        Removed are punctuation, unmatched closing parentheses, a possessive ending, and the closing
        quote, parenthesis or markup around the URI.
        """
        if before == "'" and (quote := self._text.find("'", start, end)) >= 0:
            end = quote
        elif before == "(":
            end = self._closing(start, end)
        markup = before if before in _MARKUP else ""
        if end > start and not _is_removable(self._text, end - 1, markup):
            return end
        few = end - _FEW if end - start > _FEW else start
        first = end
        while first > few and _is_removable(self._text, first - 1, markup):
            first -= 1
        if first > few or few == start:
            if self._text.find(")", first, end) < 0:
                return first
        else:
            first = max(start, self._tail(end, markup))
        return first if self._last_opened < start else self._counted().needed(start, first, end)

    def _closing(self, start: int, end: int) -> int:
        """Return where the parenthesis before `start` closes, or `end`."""
        if self._last_opened >= start:
            return self._counted().closing(start, end)
        closed = self._text.find(")", start, end)  # at most once: only one can be the last opened
        return end if closed < 0 else closed

    def _counted(self) -> Parentheses:
        if self._parentheses is None:
            self._parentheses = Parentheses(self._text, *self._span)
        return self._parentheses

    def _tail(self, end: int, markup: str) -> int:
        """Return where the run of punctuation that ends at `end` begins."""
        start = self._span[0]
        if markup not in self._tails:
            part = _plain(self._text[slice(*self._span)])
            self._tails[markup] = [found.start() for found in _TAILS[markup].finditer(part)]
        firsts = self._tails[markup]
        return start + firsts[bisect_left(firsts, end - start) - 1]


def _is_removable(text: str, at: int, markup: str) -> bool:
    """Return whether a character is punctuation that may be removed from the end of a URI."""
    character = text[at]
    return (
        character in _AFTER
        or character == markup
        or (character == "s" and text.startswith(_POSSESSIVE, at - 1))
        or (not character.isascii() and _punctuation(character))
    )


def _plain(text: str) -> str:
    """Replace non-ASCII punctuation, which IRIs allow, by full stops."""
    if text.isascii():
        return text
    beyond = (ord(one) for one in set(text) if not one.isascii() and _punctuation(one))
    return text.translate(dict.fromkeys(beyond, "."))


def _punctuation(character: str) -> bool:
    return unicodedata.category(character) in {"Po", "Pd", "Pf", "Pe"}


# Whether a host name in prose goes on after the characters that the grammar allows.
#
# Clients map a host name as IDNA does (Unicode Technical Standard 46): letters, marks, digits and
# symbols belong to it, invisible characters are dropped, and what is compatible with ASCII is read
# as that. Text before them would name another host. In prose, punctuation usually ends a name.

_QUOTES = frozenset({"Ps", "Pe", "Pi", "Pf"})
"""The categories of brackets and quotation marks."""

_WIDE_POSSESSIVE = "\u2019s"

_MIDDLE_DOT = "\u30fb"
"""Of Japanese names, in which IDNA allows it; all other wide punctuation but dots ends a name."""

_TSHEG = "\u0f0b"
"""Between syllables of Tibetan, the only punctuation that IDNA allows everywhere."""

_FULL_STOP = "\u3002"
"""IDNA's label separators are this one and those compatible with it or with ".": RFC 3490
section 3.1."""


def goes_on(text: str, at: int, before: str, *, final: bool) -> bool:
    """Return whether a host name goes on at a character that is not ASCII.

    Dots, colons, dashes, invisible characters and narrow punctuation belong to the name if a word
    follows, unless they close a quotation that `before`, the character before the URI, opens.

    >>> [goes_on(f"http://h.{rest}", 9, "", final=True) for rest in ("例/", "。", "。例", "，next")]
    [True, False, True, False]
    """
    quoted = before != "" and unicodedata.category(before) in _QUOTES
    last = at + FAR
    while at < last:
        if at == len(text):
            if not final:
                raise Undecided
            return False
        if quoted and unicodedata.category(text[at]) in _QUOTES:
            return False
        size = len(_WIDE_POSSESSIVE) if text.startswith(_WIDE_POSSESSIVE, at) else 1
        belongs = None if size > 1 else _belongs(text[at])
        if belongs is not None:
            return belongs
        at += size
    return True  # no punctuation is so long


def _belongs(one: str) -> bool | None:
    """Return whether a character belongs to a host name; None if it depends on the next one."""
    category = unicodedata.category(one)
    plain = unicodedata.normalize("NFKC", one)
    if category == "Cf":
        return None if unicodedata.bidirectional(one) == "BN" else False
    if plain == _TSHEG:
        return True
    if category[0] == "P" or one.isascii():
        if not plain.strip(".:") or plain in (_FULL_STOP, _MIDDLE_DOT) or category == "Pd":
            return None
        if plain.isascii():
            return plain in charset("unreserved") | set("@%")
        return False if unicodedata.east_asian_width(one) in "WFH" else None
    return category[0] != "Z" and category != "Cc" and plain not in "<>|"


# Whether a bare URI was probably meant to be longer than the grammar allows.

_MEANT_LONGER = frozenset("\\{^")
"""Invalid characters that do not normally end a URI: it was probably meant to be longer."""

_ENDS = {"]": "[", "}": "{", "`": "`", "|": "|", '"': '"'}
"""Characters that end a URI if the other one is before it, or if no word follows directly."""

_CLOSERS = {"<": ">", '"': '"'}
"""The delimiter that must follow if the other one is before a URI; else they enclose more text."""

_RESTART = 1 + LONGEST + len("://")
"""The most characters of white space and the beginning of another URI."""

# Runs of characters that URIs allow, and lists of URIs in them.

_SEPARATORS = frozenset(",;")
"""Separators in a list of URIs without spaces."""

_OPENERS = {"(": ")", "'": "'"}
"""Delimiters around each item of such a list, with their closing ones."""


class Run:
    """A run of characters that URIs allow: how far the grammar lets URIs reach, and where they end.

    It is split if it is a list: `http://a/,http://b/`. The time is linear for any number of URIs:
    a match is kept and reused for all later starts with the same end (the group `same`), and what
    `stop` returns is the same for all such starts.

    end: the end of the run.
    trim: where URIs end in prose.
    host_end: where the host and port of the last URI end; None without an authority.
    """

    __slots__ = (
        "_authority", "_domain", "_final", "_goes_on", "_last_at", "_matches", "_patterns", "_rest",
        "_span", "_splits", "_text", "end", "host_end", "trim",
    )  # fmt: skip

    def __init__(
        self, text: str, start: int, patterns: Patterns, rest: re.Pattern[str], *, final: bool
    ) -> None:
        """Find the end and the splits of the run from `start`; `rest`: what follows authorities."""
        self._text, self._patterns, self._rest, self._final = text, patterns, rest, final
        self._matches: dict[str, re.Match[str]] = {}
        self.host_end: int | None = None
        self._domain: int | None = None
        self._goes_on: dict[str, bool] = {}  # by the character before the URI
        found = patterns.run.match(text, start)
        self.end = start if found is None else found.end()
        self._span = start, self.end
        self._last_at = text.rfind("@", start, self.end)
        self.trim = Trim(text, start, self.end)
        self._splits: list[int] = []
        at = text.find("://", start, self.end)
        while at >= 0:
            first = scheme_start(text, at, start, patterns)
            if first is not None and (split := _split(text, start, first)) is not None:
                self._splits.append(split)
            at = text.find("://", at + 1, self.end)

    def stop(self, start: int) -> int:
        """Return how far a URI from `start` may reach."""
        if not self._splits:
            return self.end
        after = bisect_right(self._splits, start)
        return self._splits[after] if after < len(self._splits) else self.end

    def reach(self, body: int, stop: int) -> int | None:
        """Return the end of a URI whose scheme and colon end at `body`; None if it is uncertain."""
        if self._text.startswith("//", body, stop):
            return self.authority(body + 2, stop)
        self.host_end = None
        return self._rest_end(body, stop)

    def authority(self, start: int, stop: int) -> int | None:
        """Return the end of what begins with an authority; None if it may go on invalidly."""
        text = self._text
        userinfo = self._userinfo(start, stop)
        host = (
            self._host(start, stop)
            if userinfo is None
            else self._match("behind", self._patterns.host, userinfo + 1, stop)
        )
        self._authority = userinfo, host
        end = self.host_end = host.end()
        following = text[end : end + 1]
        if end == stop:
            return end
        if following in "/?#":
            return self._rest_end(end, stop)
        if following == "%":
            return None
        ahead = self._match("ahead", self._patterns.ahead, end, stop).end()
        return None if text.startswith("@", ahead, stop) else end

    def host(self, start: int, end: int, stop: int) -> tuple[int, int] | None:
        """Return the span of the host in the last authority, if the URI ends at `end`.

        None if the text is not a URI when it ends there.
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

    def _rest_end(self, start: int, stop: int) -> int:
        return self._match("rest", self._rest, start, stop).end()

    def _userinfo(self, start: int, stop: int) -> int | None:
        """Return the end of an authority's userinfo; None if it has none."""
        if self._last_at < start:
            return None
        end = self._match("userinfo", self._patterns.userinfo, start, stop).end()
        return end if self._text.startswith("@", end, stop) else None

    def _host(self, start: int, stop: int) -> re.Match[str]:
        return self._match("host", self._patterns.host, start, stop)

    def _match(self, name: str, pattern: re.Pattern[str], start: int, stop: int) -> re.Match[str]:
        kept = self._matches.get(name)
        if kept is not None and (kept.start() <= start < kept.end("same") or kept.start() == start):
            return kept
        match = pattern.match(self._text, start, stop)
        assert match is not None  # noqa: S101 - all patterns match the empty string too
        self._matches[name] = match
        return match

    def is_host_cut(self, body: int, end: int, reach: tuple[int, int], before: str) -> bool:
        """Return whether a URI ends within a host name that goes on: then it names another host.

        `body`: the offset after its colon; the rest is as for `is_cut`.
        """
        reached, host_end = reach[0], self.host_end
        if host_end != reached and (
            host_end is not None or not body <= self._last_domain() <= reached
        ):
            return False
        return self._host_goes_on(end, reach, before)

    def is_cut(self, end: int, reach: tuple[int, int], before: str) -> bool:
        """Return whether a URI was probably meant to be longer.

        end: where it ends in prose.
        reach: how far the grammar lets it reach, and the end of the run.
        before: the character before it, or "".
        """
        text, (reached, stop), closer = self._text, reach, _CLOSERS.get(before)
        first = text[reached : reached + 1]
        if closer is not None and self._encloses_more(reached):
            is_cut = not text.startswith(closer, end)
        elif end == reached or reached < stop:
            is_cut = self._continues(reached, stop, before)
        else:  # after removed punctuation a word goes on, in scripts with spaces
            is_cut = first in _MEANT_LONGER or (not first.isascii() and joins(first))
            is_cut = is_cut and text[reached - 1] in _WITHIN_WORDS
        # Or within the host of a URI in the path, query or fragment of this one.
        return is_cut or (self._last_domain() <= reached and self._host_goes_on(end, reach, before))

    def _encloses_more(self, reached: int) -> bool:
        """Return whether what delimiters enclose goes on otherwise than with another URI."""
        far = reached + _RESTART
        if far > len(self._text) and not self._final:
            raise Undecided
        return self._patterns.restart.match(self._text, reached, far) is None

    def _continues(self, end: int, stop: int, before: str) -> bool:
        """Return whether what comes after a URI suggests that it was meant to be longer."""
        text = self._text
        first, second = text[end : end + 1], text[end + 1 : end + 2]
        if first in _ENDS:
            return second.isalnum() and before != _ENDS[first]
        if end < stop:
            return self.trim.trimmed(end, stop, "") > end
        if first == "<":
            return second.isalpha() and not text[end - 1].isalnum()
        return first != "" and (first in _MEANT_LONGER or (not first.isascii() and first.isalnum()))

    def _host_goes_on(self, end: int, reach: tuple[int, int], before: str) -> bool:
        text, (reached, stop) = self._text, reach
        if end < reached and not _APART.isdisjoint((text[end], text[reached - 1])):
            return False
        following = text[reached : reached + 1]
        if reached < stop:
            return following not in "[]" and self.trim.trimmed(reached, stop, "") > reached
        if following.isascii():
            return following in _MEANT_LONGER and following != "\\"  # clients read that as "/"
        if before not in self._goes_on:
            self._goes_on[before] = goes_on(text, reached, before, final=self._final)
        return self._goes_on[before]

    def _last_domain(self) -> int:
        """Return where the domain or inner URI begins that ends the run; after the run if none."""
        if self._domain is None:
            start, end = self._span
            begin = at = self._text.rfind("@", start, end)
            inner = self._text.rfind("//", start, end)
            ends = set("/?#")
            if at > inner:
                ends |= charset("sub-delims")
            elif inner >= 0:  # without it, the text before the run would be searched, each time
                begin = inner + 1
            is_last = begin >= 0 and ends.isdisjoint(self._text[begin + 1 : end])
            self._domain = begin + 1 if is_last else end + 1
        return self._domain


def _split(text: str, start: int, first: int) -> int | None:
    """Return the end of the list item before the URI at `first`; None without a list."""
    before = text[max(start, first - 2) : first]
    if before[-1:] in _SEPARATORS:
        return first - 1
    closer = _OPENERS.get(before[-1:])
    if closer is not None and (before[0] in _SEPARATORS or before[0] == closer != before[-1]):
        return first - 2
    return None


def scheme_start(text: str, colon: int, floor: int, patterns: Patterns) -> int | None:
    """Return where the scheme before a colon begins, a known one alone as in `See.http://h`."""
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


# Candidates: the scheme before a colon, and the delimiters and prefix before the scheme.

_URL = "url"
_PREFIX = f"{_URL}:"

LOOK_BACK = 2 * FAR + LONGEST + len(_PREFIX) + 2
"""The most characters before a colon that may belong to a find, and have to be kept."""


class Candidate(NamedTuple):
    """A place where a scheme may begin a URI.

    start: the offset of the scheme.
    body: the offset after its colon.
    shape: what must follow.
    whole: the offset of the prefix, or else of the scheme.
    opener: `<` or `"` before that, or "".
    outside: the offset of that delimiter, or else `whole`.
    spaced: whether white space is between the delimiter and `whole`.
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
        """Return whether `URL:` precedes the scheme."""
        return self.whole < self.start


def candidate(
    text: str, colon: int, floor: int, patterns: Patterns, schemes: Schemes
) -> Candidate | None:
    """Return the candidate for a colon by the text before it, from `floor` on; None if none."""
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
    """Return where the white space before an offset begins."""
    if at <= floor or text[at - 1] not in BLANKS:
        return at
    first = max(floor, at - FAR)
    return first + len(text[first:at].rstrip(BLANKS))


def octet_classes(patterns: Patterns) -> bytes:
    """Return the class bits of ASCII octets as `_native/finding.c` has them; others have none."""
    octets = frozenset(map(chr, range(128)))
    run = frozenset(one for one in octets if patterns.run.fullmatch(one))
    ends = octets - run - _ENDS.keys() - _MEANT_LONGER - _CLOSERS.keys()
    schemes = patterns.scheme_characters, patterns.not_first
    kinds = run, *schemes, BLANKS, _AFTER, _MARKUP, ends, _CLOSERS
    of_ascii = (
        sum((one in kind) << bit for bit, kind in enumerate(kinds)) for one in sorted(octets)
    )
    return bytes(of_ascii).ljust(256, b"\0")
