"""Remove secrets from references, for logs and traces.

One search serves references and texts of all kinds: it looks for passwords after "//" and for pairs
with secret names, and replaces just the characters of the secrets. What is encoded as triplets is
searched decoded, once for each level of encoding, and replaced where its triplets are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import product
from string import hexdigits
from typing import NamedTuple, TypeAlias

from uriparse._base.coerce import Data, as_choice, as_data, as_items
from uriparse.components.secret_names import NAMES, Profile, ends_in_secret, plain
from uriparse.errors import excerpt
from uriparse.grammar import charset, matcher

MARK = "REDACTED"

Names: TypeAlias = Iterable[Data]
"""Your own names of secret pairs, as texts or octets."""


class Region(NamedTuple):
    """A part of a text that is taken for one reference, valid or not.

    start, end: its half-open range.
    slash, query: where its first "/" is, and where its query or fragment begins, or its end.
    ends, ends_in_path: find what ends a value within it.
    """

    start: int
    end: int
    slash: int
    query: int
    ends: re.Pattern[str]
    ends_in_path: re.Pattern[str]


def region_of(
    text: str, start: int, end: int, ends: re.Pattern[str], ends_in_path: re.Pattern[str]
) -> Region:
    """Return the region between two offsets of a text."""
    slash, query = text.find("/", start, end), _QUERY.search(text, start, end)
    first = end if query is None else query.start()
    return Region(start, end, end if slash < 0 else slash, first, ends, ends_in_path)


class Edit(NamedTuple):
    """What is written in place of the characters between two offsets."""

    start: int
    end: int
    text: str


class Redaction:
    """What is to be redacted, for any number of references and texts."""

    def __init__(
        self, profile: Profile = "default", names: Names | None = None, *, userinfo: bool = True
    ) -> None:
        profile = as_choice(profile, "profile", tuple(NAMES))
        if names is None:
            self._names = _names_of(profile)
        else:
            given = as_items(names, "names", "an iterable of names")
            texts = (as_data(name, "a name") for name in given)
            self._names = frozenset(
                plain(name if isinstance(name, str) else name.decode("utf-8", "replace"))
                for name in texts
            )
        self._by_word = names is None and profile in {"default", "strict"}
        self.userinfo, self.strict = userinfo, profile == "strict"

    def concerns(self, text: str) -> bool:
        """Whether there may be something to redact: "@" follows a password, "=" a name."""
        return (
            "@" in text
            or "=" in text
            or "%" in text
            or (self.strict and ("//" in text or "?" in text or "#" in text))
        )

    def suspects(self) -> str:
        """Return characters: a valid reference with secrets has one of them, or a secret pair."""
        logins = "@" if self.userinfo or self.strict else ""
        return f"'{logins}/?#" if self.strict else f"'{logins}"

    def of_reference(self, text: str, scheme: str | None, path: str, *, has_authority: bool) -> str:
        """Redact a reference; without an authority, what "@" follows in its path may be secret."""
        if not self.concerns(text):
            return text
        edits = self.edits(text, Context)
        if self.userinfo and scheme is not None and not has_authority:
            after = len(scheme) + 1
            span = excerpt.secret_in_path(scheme, path)
            if span is not None:
                edits.append(Edit(span[0] + after, span[1] + after, MARK))
        return written(text, edits)

    def edits(
        self,
        text: str,
        context: Callable[[str], Context],
        unescape: Callable[[str], Replaced] | None = None,
    ) -> list[Edit]:
        """Return what is to be replaced in a text, in any order, some of it more than once.

        context: makes the context of a text.
        unescape: undoes what else is written in place of characters of references.
        """
        layers: list[Replaced] = []
        if unescape is not None and (layer := unescape(text)).starts:
            layers.append(layer)
            text = layer.text
        found = _placed(_Search(self, text, context(text)).found(strict=self.strict), layers)
        for level in range(_DEEPEST + 1):
            if "%" not in text or _expressions()[1].search(text) is None:
                break
            steps = [_decoded] if unescape is None else [_decoded, unescape]
            if level == _DEEPEST:
                steps.insert(0, lambda text: replaced(text, _expressions()[2], lambda _: "%"))
            for step in steps:
                layer = step(text)
                if layer.starts:
                    layers.append(layer)
                    text = layer.text
            search = _Search(self, text, context(text), whole=level == _DEEPEST)
            found += _placed(search.found(), layers)
        return found

    def is_secret(self, name: str) -> bool:
        """Return whether the pairs of a name have secret values."""
        return _is_secret(name, self._names, self._by_word)


@lru_cache(maxsize=4096)
def _is_secret(name: str, names: frozenset[str], by_word: bool) -> bool:  # noqa: FBT001 - for the cache
    data = _decoded(name).text if "%" in name else name
    return plain(data) in names or (by_word and ends_in_secret(data))


@cache
def _names_of(profile: Profile) -> frozenset[str]:
    return frozenset(map(plain, NAMES[profile]))


_NEAR = 2048
"""Characters before a parameter of a path that are searched for where its URL begins."""

_DEEPEST = 8
"""Levels of triplets of triplets that are told apart. Deeper ones are decoded at once, so that
what separates pairs there is not known, and a secret reaches to the end of its reference."""


def written(text: str, edits: list[Edit]) -> str:
    """Return a text after edits, of which one within another is dropped and others are joined."""
    if not edits:
        return text
    pieces: list[str] = []
    at, kept = 0, -1
    for start, end, instead in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if start >= at and (end > start or start > kept):
            pieces += text[at:start], instead
        at = kept = max(at, end)
    pieces.append(text[at:])
    return "".join(pieces)


# Decoding with a way back.


class Replaced(NamedTuple):
    """A text of which parts were replaced by one character each.

    starts: where these are, in order.
    origins: where the parts were.
    """

    text: str
    starts: list[int]
    origins: list[tuple[int, int]]

    def place(self, offset: int, *, end: bool) -> int:
        """Return where the character at an offset began, or the one that ends there ended."""
        last = (bisect_left if end else bisect_right)(self.starts, offset) - 1
        if last < 0:
            return offset
        began, ended = self.origins[last]
        after = offset - self.starts[last] - 1
        return began if after < 0 else ended + after


def replaced(
    text: str, parts: re.Pattern[str], instead: Callable[[re.Match[str]], str]
) -> Replaced:
    """Replace each match of an expression by a character."""
    origins = [part.span() for part in parts.finditer(text)]
    starts, shift = [], 0
    for start, end in origins:
        starts.append(start - shift)
        shift += end - start - 1
    return Replaced(parts.sub(instead, text) if origins else text, starts, origins)


def _placed(edits: list[Edit], layers: list[Replaced]) -> list[Edit]:
    """Return edits with the offsets that they have below all layers."""
    for layer in reversed(layers):
        edits = [
            Edit(layer.place(start, end=False), layer.place(end, end=True), text)
            for start, end, text in edits
        ]
    return [Edit(min(start, end), end, text) for start, end, text in edits] if layers else edits


NEUTRAL = "\ufffe"
"""Stands for a decoded character that neither begins, separates nor ends anything."""

DECODED_QUOTES = {'"': "\ufdd0", "'": "\ufdd1"}
"""Stand for decoded quotes, which do not close those of the text around."""


@cache
def _characters() -> dict[str, str]:
    """Return what each triplet is decoded to, for the search."""
    kept = charset("unreserved") | charset("reserved") | {"%", "\\"}
    triplets = map("".join, product("%", hexdigits, hexdigits))
    octets = ((triplet, chr(int(triplet[1:], 16))) for triplet in triplets)
    return {
        triplet: DECODED_QUOTES.get(one, one if one in kept else NEUTRAL) for triplet, one in octets
    }


@cache
def searched_triplets() -> frozenset[str]:
    """Return the triplets that the search needs decoded."""
    known = _characters().items()
    return frozenset(code for code, one in known if one.isalnum() or one in _DELIMITERS)


@cache
def _expressions() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what finds a triplet, one that the search needs decoded, and levels of triplets."""
    triplet = matcher("pct-encoded").pattern
    needed = "|".join(sorted(code[1:] for code in searched_triplets()))
    return (
        re.compile(triplet),
        re.compile(f"%(?:{needed})"),
        re.compile(f"%(?:25)+(?={triplet[1:]})"),
    )


def _decoded(text: str) -> Replaced:
    return replaced(text, _expressions()[0], lambda one: _characters().get(one[0], NEUTRAL))


# The search. What delimits components and pairs is read alike in valid and in other texts.

_DELIMITERS = frozenset("%/?#:@&;=\\,|")
BEFORE_NAMES = "?#&;,|"
_PAIR = rf"(?<=[{BEFORE_NAMES}])(?P<name>[^{BEFORE_NAMES}=<>\"'\s]++)="
"""A name after a delimiter, and "=". "," and "|" separate pairs in some logs."""

_SLASHES = r"(?P<slashes>(?:(?<=:)[/\\]|[/\\]{2})[/\\]*+)(?![\"'`])"
_OPAQUE = rf"\b(?P<scheme>(?i:{'|'.join(sorted(excerpt.OPAQUE_LOGIN))})):(?![/\\])"
_PART = (
    r"(?<![a-z])(?P<part>netloc|authority|auth|userinfo|query|params|fragment)"
    r"(?:\\*+[\"'])?(?:=|: ?)b?(?P<opened>\\*+[\"'])(?![\\\"'])(?P<first>[^?#&;=,|<>\"'\s]++=)?"
)
"""A component of a URL that was split, as `repr` and JSON write it; "scheme" is another one."""

_CUT = "(?P<cut>[?#])"
_AUTHORITY_ENDS = re.compile("[/?#]")
_QUERY = re.compile("[?#]")
_ENDS, _ENDS_IN_PATH = re.compile(r"[&#]|;(?=[^&;=#]+=)"), re.compile("[/?#;]")


@cache
def _marks(logins: bool, parts: bool, cuts: bool) -> re.Pattern[str]:  # noqa: FBT001 - for the cache
    kinds = {_PAIR: True, _PART: parts, _SLASHES: logins, _OPAQUE: logins, _CUT: cuts}
    return re.compile("|".join(kind for kind, wanted in kinds.items() if wanted))


class Context:
    """Where the references of a text are: this text is one reference.

    Its methods are asked for growing offsets, so that those of another context are linear.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        # A slash begins paths; a reference has one, also without a slash.
        self._region = region_of(text, 0, len(text), _ENDS, _ENDS_IN_PATH)._replace(slash=0)

    def stop(self, at: int) -> int:
        """Return the first offset from `at` on that is in no reference whatever is around it."""
        return max(at, len(self._text))

    def region(self, _at: int) -> Region:
        """Return the region that holds an offset."""
        return self._region


class _Search:
    """Finds the secrets of one text; `whole`: whether values reach to the end of references."""

    def __init__(
        self, redaction: Redaction, text: str, context: Context, *, whole: bool = False
    ) -> None:
        self._redaction, self._text, self._context = redaction, text, context
        self._whole = whole
        self._found: list[Edit] = []
        self._done = 0  # the text before it is replaced
        self._next = _Next(text, "@")
        self._next_url = _Next(text, "://")
        self._last = 0, 0, -1

    def found(self, *, strict: bool = False) -> list[Edit]:
        """Return what is to be replaced."""
        text, redaction = self._text, self._redaction
        logins = strict or (redaction.userinfo and "@" in text)
        for mark in _marks(logins, "scheme" in text, strict).finditer(text):
            kind = mark.lastgroup
            if mark.start() < self._done:
                continue
            if kind == "name":
                if redaction.is_secret(mark["name"]):
                    self._value(mark.start(), mark.end())
            elif kind == "slashes":
                self._login(mark.start(), mark.end(), strict=strict)
            elif kind in {"opened", "first"}:
                self._part(mark, strict=strict)
            elif kind == "scheme":
                self._opaque(mark.start(), mark.end())
            else:
                self._cut(mark.start())
        return self._found

    def _value(self, name: int, start: int, *, alone: bool = False) -> None:
        region = self._context.region(name - 1)
        if not region.start <= name - 1 < region.end or start > region.end:
            return
        separator, in_path = self._text[name - 1], name <= region.query and not alone
        if separator == ";" and not in_path:  # perhaps in the path of a URL within a value
            near = max(region.start, name - _NEAR)
            url = self._text.rfind("//", near, name)
            in_path = url >= 0 and self._text.find("?", url, name) < 0
        if separator in "&;,|" and min(region.query, region.slash) > name:
            first = self._text[max(0, region.start - 1) : region.start + _NEAR].partition("&")[0]
            if separator != "&" or "=" not in first:
                return  # of prose, of a header, or another list
            in_path = False  # of pairs alone: a query is what begins with "?", or with a pair
        ends = region.ends_in_path if in_path else region.ends
        end = None if self._whole else ends.search(self._text, start, region.end)
        last = region.end if end is None else end.start()
        if last > start:
            self._found.append(Edit(start, last, MARK))
            self._done = last

    def _part(self, mark: re.Match[str], *, strict: bool) -> None:
        """Find the secrets of a component of a URL that was split."""
        part, start, text = mark["part"], mark.end("opened"), self._text
        if part in {"query", "params", "fragment"}:
            if strict:
                self._found.append(Edit(start, self._context.region(start).end, ""))
            elif mark["first"] and self._redaction.is_secret(mark["first"][:-1]):
                self._value(start + 1, mark.end(), alone=True)
        elif self._redaction.userinfo and text.rfind("scheme", max(0, start - _NEAR), start) >= 0:
            alone = part in {"auth", "userinfo"}
            if not alone and self._next.after(start) < 0:
                return
            end = self._context.region(start).end
            last = end if alone else text.rfind("@", start, end)
            if last > start:
                self._mask(start, last, strict=strict)

    def _mask(self, start: int, last: int, *, strict: bool) -> None:
        """Replace a userinfo."""
        colon = self._text.find(":", start, last)
        if strict:
            self._found.append(Edit(start, last + 1, ""))
        elif colon < 0:
            self._found.append(Edit(start, last, MARK))
        else:
            self._found += Edit(start, colon, MARK), Edit(colon + 1, last, MARK)
        self._done = last

    def _login(self, first: int, start: int, *, strict: bool) -> None:
        """Find what is before the host, where an authority may begin."""
        text = self._text
        at = self._next.after(start)
        if not strict and (at < 0 or at >= self._context.stop(start)):
            return
        region = self._context.region(first)
        named = first >= len("x:") and text[first - 1] == ":" and text[first - 2].isalnum()
        begins = named or first == region.start
        slash = _AUTHORITY_ENDS.search(text, start, region.end)
        end = region.end if slash is None else slash.start()
        last = text.rfind("@", start, end)
        if last < 0 and text.find(":", start, end) >= 0:
            # "/" in a password, if what is before it is not a port.
            port = text[start:end].rpartition("]")[2].partition(":")[2]
            # A valid reference has only one "#".
            twice = text[end : end + 1] == "#" and text.find("#", end + 1, region.end) >= 0
            if not port.isdigit() and (port or twice):
                last = self._last_at(end, region.end)
        backslash = text.find("\\", start, end)
        colon = text.find(":", start, max(last, start))
        if start < last and (colon >= 0 or (begins and first + 1 < start)):
            if colon < 0 and 0 <= backslash < last:
                return
            if colon >= 0 and not named and first + 1 == start:
                return
            self._mask(start, last, strict=strict)
        if strict and begins and first + 1 < start:
            host = max(last + 1, start)
            slash = _AUTHORITY_ENDS.search(text, host, region.end)
            end = region.end if slash is None else slash.start()
            colon = text.find(":", text.rfind("]", host, end) + 1 or host, end)
            if colon >= 0:
                self._found.append(Edit(colon, end, ""))

    def _last_at(self, start: int, end: int) -> int:
        """Return the last "@" between two offsets, up to the next URL; -1 if there is none."""
        url = self._next_url.after(start)
        limit = end if url < 0 else min(end, url)
        low, high, place = self._last
        if high != limit or start < low:
            place = self._text.rfind("@", start, limit)
            self._last = start, limit, place
        return place if place >= start else -1

    def _opaque(self, first: int, start: int) -> None:
        """Find the password of a URI without "//" whose scheme has some."""
        if self._next.after(start) < 0:
            return
        region = self._context.region(first)
        last = self._last_at(start, region.end)
        colon = self._text.find(":", start, max(last, start))
        if 0 <= colon < last - 1:
            self._found.append(Edit(colon + 1, last, MARK))
            self._done = last

    def _cut(self, at: int) -> None:
        """Drop a query or a fragment, if that is one."""
        region = self._context.region(at)
        if not region.start <= at < region.end:
            return
        self._done = region.end
        text = self._text
        if region.slash < at or text.find("=", at, region.end) >= 0:
            end = self._next_url.after(at)
            while 0 <= end < region.end and text[end - 1].isalnum():
                end -= 1
            listed = 0 <= end < region.end and text[end - 1] in ",;|"
            self._done = end - 1 if listed else region.end
            self._found.append(Edit(at, self._done, ""))


class _Next:
    """Finds the next place of a text from growing offsets, reading each character once."""

    def __init__(self, text: str, wanted: str) -> None:
        self._text, self._wanted, self._at, self._from = text, wanted, -2, 0

    def after(self, start: int) -> int:
        """Return the first place from `start` on; -1 if there is none."""
        if self._at == -1 and start >= self._from:
            return -1
        if not self._from <= start <= self._at:
            self._from = start
            self._at = self._text.find(self._wanted, start)
        return self._at
