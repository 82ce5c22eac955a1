"""Take secrets out of the URLs, valid or not, in a text of any kind: a log line, JSON, code."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from uriparse._base.coerce import as_str
from uriparse.components.redaction import (
    DECODED_QUOTES,
    Context,
    Redaction,
    Region,
    Replaced,
    region_of,
    replaced,
    written,
)
from uriparse.grammar import matcher
from uriparse.text.patterns import ends_iri

if TYPE_CHECKING:
    from uriparse.components.redaction import Names
    from uriparse.components.secret_names import Profile


def redact_text(text: str, *, profile: Profile = "default", names: Names | None = None) -> str:
    r"""Return a text of any kind with the secrets of its URLs as REDACTED; all else stays.

    profile, names: as for `redact`.

    URLs need not be valid. JSON escapes are undone before the search, and so are triplets, up to
    eight times; what is written is replaced. A secret that is not encoded reaches to what ends its
    URL there: white space, "<", ">", the quote or bracket that was opened before it. Linear in
    time.

    >>> redact_text("GET <https://h/?token=x>, then http://u:p[w@h/, /cb?code=y")
    'GET <https://h/?token=REDACTED>, then http://REDACTED:REDACTED@h/, /cb?code=REDACTED'
    >>> print(redact_text(r'{"url": "https:\/\/u@h\/?a=b\u0026password=größe"}'))
    {"url": "https:\/\/REDACTED@h\/?a=b\u0026password=REDACTED"}
    """
    return redacted_lines(as_str(text, "text"), Redaction(profile, names))


def redacted_lines(text: str, redaction: Redaction) -> str:
    """Redact a text of any kind."""
    if not (redaction.concerns(text) or "\\" in text):
        return text
    return written(text, redaction.edits(text, _Surroundings, _unescaped))


# What logs write in place of characters of URLs.

_COLOUR = "\uffff"
"""Stands for a sequence that sets a colour of a terminal."""

_ESCAPE = re.compile(
    r"(?<!\\)(?:\\++(?P<plain>[/:?#@!$&;=])"
    r"|\\++(?:u(?P<unicode>[0-9A-Fa-f]{4})|x(?P<octet>[0-9A-Fa-f]{2}))(?!(?<=1[Bb])\[)"
    r"|(?:\x1b|\\++(?:(?:u00|x)1[Bb]|033|e))\[[0-9;:]*[mK])"
)
"""Escapes of JSON, of source code, of shells and of .properties, at any depth, and colours."""


def _unescaped(text: str) -> Replaced:
    def plain(escape: re.Match[str]) -> str:
        code = escape["unicode"] or escape["octet"]
        return escape["plain"] or (chr(int(code, 16)) if code else _COLOUR)

    written_so = "\\" in text or "\x1b" in text
    return replaced(text, _ESCAPE, plain) if written_so else Replaced(text, [], [])


# What is around URLs in logs.

_QUOTES = "\"'`" + "".join(DECODED_QUOTES.values())
_QUOTE = re.compile(rf"(?<!\\)(?P<escape>\\*+)(?P<quote>[{_QUOTES}])|\n")
"""A quote with the backslashes before it, or a line's end, where each quote ends."""

_DEEPEST_QUOTE = 15
"""Backslashes before a quote: those of a string in a string in a string in a string."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENERS = {closer: opener for opener, closer in _BRACKETS.items()}
_BEFORE = rf"\s\x00-\x1f\x7f<>()\[\]{{}}|,;={_QUOTES}{_COLOUR}"
"""What may be directly before a URL, and ends the word before it."""

_LAST_BEFORE = re.compile(rf"(?s:.*)[{_BEFORE}]")
_BEGIN = re.compile(rf"[/?#&]|:\\++(?![{_QUOTES}])")
_PUNCTUATION = ".,:;!?|" + _QUOTES + _COLOUR
_MARKUP = "*_~"
_LETTERS_OF_STRINGS = frozenset("bBfFrRuU")


@cache
def _stops(*, ascii_only: bool) -> re.Pattern[str]:
    """Return what no URL holds, valid or not: white space, "<", ">", wide quotes, controls.

    A control character before "@" may be one of a password.
    """
    others = (
        "" if ascii_only else re.escape("".join(filter(ends_iri, map(chr, range(0x80, 0xFFF0)))))
    )
    blank = r"\t-\r\x1c-\x20" if ascii_only else r"\s"
    return re.compile(rf"[{blank}<>{others}]|[\x00-\x08\x0e-\x1b\x7f](?![^\s<>/?#]{{0,256}}@)")


@cache
def _ends(opener: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what ends a value by what is before its URL, in a query and in a path.

    A list of URLs, and a row of fields that begin with their names, go on after a value.
    """
    field = r"[,;|](?=[^\W\d][\w.:-]*=(?![=&#\s]|\Z))"
    item = rf"[,;|(\[{{{_QUOTES}](?={matcher('scheme').pattern}://)"
    alike = f"|[{re.escape(opener)}]" if opener and opener in f",;|{_COLOUR}" else ""
    source = f"{field}|{item}{alike}"
    return re.compile(f"[&#]|{source}"), re.compile(f"[/?#;]|{source}")


class _Surroundings(Context):
    """The context of a text of any kind: it follows quotes and finds what encloses URLs."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stops = _stops(ascii_only=text.isascii())
        self._from = self._stop = 0
        self._open: list[tuple[str, int]] = []
        self._counted = 0  # quotes before it are known
        self._region = Region(0, 0, 0, 0, *_ends(""))

    def stop(self, at: int) -> int:  # the first white space or angle bracket
        if not self._from <= at <= self._stop or self._stop == 0:
            found = self._stops.search(self._text, at)
            self._from, self._stop = at, len(self._text) if found is None else found.start()
        return self._stop

    def region(self, at: int) -> Region:  # a word, between quotes or brackets if it is
        while at >= self._region.end:
            self._region = self._next(max(self._region.end, self._counted), at)
        return self._region

    def _next(self, low: int, at: int) -> Region:
        """Return the region that holds an offset, or one before it, from another on."""
        text = self._text
        low = max(low, text.rfind(" ", low, at) + 1, text.rfind("\n", low, at) + 1)
        begin = _BEGIN.search(text, low, at + 1)
        first = at if begin is None else begin.start()
        before = _LAST_BEFORE.match(text, low, first)
        start = low if before is None else before.end()
        opener = text[start - 1] if start else ""
        self._follow(start)
        if opener in _QUOTES and opener and (not self._open or self._open[-1][0] != opener):
            # How many backslashes are before the quote, up to those of the deepest string.
            escape = text[max(0, start - 1 - _DEEPEST_QUOTE) : start - 1]
            self._open.append((opener, len(escape) - len(escape.rstrip("\\"))))
        end, enclosed = self._end(first, self.stop(first), opener)
        end = max(first + 1, end if enclosed else _trimmed(text, start, end))
        self._counted = end
        return region_of(text, start, end, *_ends(opener))

    def _follow(self, end: int) -> None:
        """Open and close the quotes up to an offset."""
        for quote in _QUOTE.finditer(self._text, self._counted, end):
            sign, level = quote["quote"], len(quote["escape"] or "")
            if sign is None:
                self._open.clear()
            elif (place := self._closes(sign, level)) >= 0:
                if self._ends_word(quote.end()):
                    del self._open[place:]
            elif level <= _DEEPEST_QUOTE and _opens(self._text, quote.start()):
                self._open.append((sign, level))
        self._counted = max(self._counted, end)

    def _closes(self, sign: str, level: int) -> int:
        """Return which of the open quotes a quote after some backslashes closes; -1 if none."""
        place = len(self._open) - 1
        while place >= 0:
            opened, own = self._open[place]
            # Of a string within strings: its quote has `own` backslashes, and a backslash before it
            # is written as twice as many and two.
            if opened == sign and level % (2 * own + 2) == own:
                break
            place -= 1
        return place

    def _ends_word(self, at: int) -> bool:
        return not self._text[at : at + 1].isalnum()

    def _end(self, start: int, stop: int, opener: str) -> tuple[int, bool]:
        """Return where a region ends, and whether by what closes its opener."""
        depth = 1
        line = broken = after = -1  # the first escape of a line break, and where the last ones are
        level = self._open[-1][1] if self._open else -1
        for end in _end_marks().finditer(self._text, start, stop):
            sign = end["quote"] or end["other"]
            if line >= 0 and not end["white"]:
                # A literal that is one URL may hold them; text before other text ends there.
                if not end["quote"] and sign not in ",;|":
                    continue
                if (
                    not end["quote"]
                    or self._closes(sign, len(end["escape"])) != len(self._open) - 1
                ):
                    return line, False
                return (broken if after == end.start() else end.start()), True
            if end["quote"]:
                if end["url"] is not None and end.start() > start:
                    return end.start(), False
                place = self._closes(sign, len(end["escape"]))
                if place >= 0 and self._ends_word(end.end()):
                    return end.start(), opener == sign and place == len(self._open) - 1
            elif end["white"]:
                if level >= 0 and len(end["white"]) % (2 * level + 2) == level + 1:
                    broken, after = end.span()
                    line = broken if line < 0 else line
                    if opener not in _QUOTES or not opener or end["next"] is not None:
                        return line, False
            elif sign in ",;|":
                return end.start(), False
            elif sign == opener or (
                opener in _BRACKETS and sign == _BRACKETS[opener] and self._ends_word(end.end())
            ):
                depth += 1 if sign == opener else -1
                if not depth:
                    return end.start(), True
        return (stop if line < 0 else line), False


@cache
def _end_marks() -> re.Pattern[str]:
    scheme = matcher("scheme").pattern
    return re.compile(
        rf"(?<!\\)(?P<escape>\\*+)(?P<quote>[{_QUOTES}])(?P<url>(?={scheme}://))?"
        rf"|(?<!\\)(?P<white>\\++)[nrtbf](?:\\++[nrtbf])*(?P<next>(?={scheme}://))?"
        rf"|(?P<other>[()\[\]{{}}]|[,;|](?={scheme}://))"
    )


def _opens(text: str, at: int) -> bool:
    """Return whether a quote may open a string: within words only the prefixes of strings do."""
    before = text[at - 1 : at]
    if before in _LETTERS_OF_STRINGS:
        before = text[at - 2 : at - 1]
    return not before.isalnum()


def _trimmed(text: str, start: int, end: int) -> int:
    """Return where a reference ends in prose, without punctuation and brackets of the sentence."""
    removed = _PUNCTUATION + (text[start] if text[start : start + 1] in _MARKUP else "")
    unmatched: dict[str, int] = {}
    while end > start:
        last = text[end - 1]
        if last in _OPENERS:
            if last not in unmatched:
                opened = text.count(_OPENERS[last], start, end)
                unmatched[last] = text.count(last, start, end) - opened
            if unmatched[last] <= 0:
                break
            unmatched[last] -= 1
        elif last == "\\":
            if text[end : end + 1] not in _QUOTES or end == len(text):
                break
        elif last not in removed and last not in _BRACKETS:
            break
        end -= 1
    return end
