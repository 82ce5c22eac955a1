"""Look for URIs in one piece of text after another, each character a bounded number of times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from uriparse.parsing.readers import reader
from uriparse.text.candidate import LOOK_BACK, candidate
from uriparse.text.cut import is_cut
from uriparse.text.found import Flag, Found, How
from uriparse.text.lines import Lines
from uriparse.text.patterns import BLANKS, FAR
from uriparse.text.references import unescaped
from uriparse.text.run import Run
from uriparse.text.trim import Trim
from uriparse.text.unwrap import unwrapped

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from uriparse.records import URI
    from uriparse.text.candidate import Candidate
    from uriparse.text.patterns import Patterns
    from uriparse.text.schemes import Schemes, Shape

_SUFFIX = "www."
_COMPLETION = "http:"

_NO_FLAGS: frozenset[Flag] = frozenset()
_PUNCTUATION = frozenset((Flag.PUNCTUATION,))
_CUT = frozenset((Flag.CUT,))
_ESCAPED = frozenset((Flag.ESCAPED,))


class _Undecided(Exception):  # noqa: N818 - a signal, not an error
    """The piece of text ends where the decision lies."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for; see `find_uris`."""

    grammar: str
    patterns: Patterns
    schemes: Schemes
    suffixes: bool
    absolute: bool
    limit: int


class Scanner:
    """The state between pieces: what is kept of the text, and where it stood.

    Attributes:
        kept: text that may still belong to something.
        base: the offset at which it begins in the whole text.

    """

    def __init__(self, options: Options) -> None:
        """Start before the first character."""
        patterns = options.patterns
        self._options = options
        self._patterns = patterns
        self._hunt = (patterns.colon_or_suffix if options.suffixes else patterns.colon).search
        self._rest = patterns.rest_absolute if options.absolute else patterns.rest
        rule = patterns.absolute if options.absolute else patterns.rule
        # What these two rules derive has a scheme.
        self._parse = cast("Callable[[str], URI | None]", reader(rule, options.grammar))
        self.kept = ""
        self._text = ""
        self._final = False
        self._at = 0  # where to go on
        self._floor = 0  # what stands before belongs to the URI found last
        self._run: Run | None = None
        self._skipping = False  # inside a run that is longer than allowed
        self.base = 0  # the place of the text within the whole
        self._lines = Lines()

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield what the kept text and this piece hold, and keep what is not decided."""
        self._text = text = self.kept + piece
        self._final = final
        self._run = None
        if self._skipping:
            self._skip()
        hunt = self._hunt
        while (mark := hunt(text, self._at)) is not None:
            at = mark.start()
            try:
                found = self._colon(at) if text[at] == ":" else self._suffix(at)
            except _Undecided:
                self._at = at
                break
            if found is not None:
                yield found
        else:
            self._at = max(self._at, self._tail())
        self._keep()

    def _keep(self) -> None:
        """Drop what is decided, and shift every place accordingly."""
        # The character before the floor is what stands before a URI that begins there.
        cut = len(self._text) if self._final else max(0, self._floor - 1, self._at - LOOK_BACK)
        self._lines.count(self._text, self.base, cut)
        self.kept = self._text[cut:]
        self.base += cut
        self._at -= cut
        self._floor = max(self._floor - cut, 0)

    def _tail(self) -> int:
        """Return where to go on when the hunt is over: a last colon or "www" may be one yet."""
        text = self._text
        if self._final:
            return len(text)
        colon = text.rfind(":", max(0, len(text) - FAR - len("://")))
        if colon >= 0 and not text[colon + 1 :].strip(f"{BLANKS}/"):
            return colon
        return max(0, len(text) - len(_SUFFIX))

    def _skip(self) -> None:
        found = self._patterns.run.match(self._text, self._at)
        self._at = self._floor = self._at if found is None else found.end()
        self._skipping = not self._final and self._at == len(self._text)

    def _colon(self, colon: int) -> Found | None:
        """Judge a colon, and leave in `_at` where to go on."""
        self._at = colon + 1
        patterns, schemes = self._patterns, self._options.schemes
        begun = candidate(self._text, colon, self._floor, patterns, schemes)
        if begun is None:
            return None
        if begun.opener == "<":
            return self._angle(begun) or self._bare(begun)
        if begun.opener:
            return self._quotes(begun) or self._bare(begun)
        return self._bare(begun)

    def _angle(self, begun: Candidate) -> Found | None:
        raw = self._enclosed(begun, self._patterns.inside, ">")
        if raw is None or self._patterns.restart.search(raw):
            return None
        plain = unwrapped(raw)
        if Flag.SPACE in plain.flags and begun.spaced and not begun.prefixed:
            return None  # a comparison: `a < b:c d > e`
        uri = self._read(plain.text, begun.body - begun.start, begun.shape)
        if uri is None:
            return None
        return self._delimited(uri, begun, raw, How.ANGLE, plain.others, plain.flags)

    def _quotes(self, begun: Candidate) -> Found | None:
        raw = self._enclosed(begun, self._patterns.quoted, '"')
        if raw is None:
            return None
        plain = unwrapped(raw)
        body = begun.body - begun.start
        uri = self._read(plain.text, body, begun.shape)
        if uri is None:
            return None
        others, flags = plain.others, plain.flags
        end = Trim(plain.text, body, len(plain.text)).trimmed(body, len(plain.text), "")
        if end < len(plain.text):
            others, flags = (*others, plain.text[:end]), flags | _PUNCTUATION
        return self._delimited(uri, begun, raw, How.QUOTES, others, flags)

    def _enclosed(self, begun: Candidate, inside: re.Pattern[str], closer: str) -> str | None:
        """Return what delimiters hold; None if they do not close, or too late."""
        match = inside.match(self._text, begun.body)
        end = begun.body if match is None else match.end()
        if end - begun.start > self._options.limit:
            return None
        if end == len(self._text):
            if not self._final:
                raise _Undecided
            return None
        return self._text[begun.start : end] if self._text[end] == closer else None

    def _delimited(
        self,
        uri: URI,
        begun: Candidate,
        raw: str,
        how: How,
        others: tuple[str, ...],
        flags: frozenset[Flag],
    ) -> Found:
        body = begun.body - begun.start
        readings = [self._read(other, body, begun.shape) for other in others]
        last = begun.start + len(raw)
        self._at = self._floor = last + 1
        return self._found(
            uri,
            begun.start,
            begun.start + len(raw.rstrip(BLANKS)),
            (begun.outside, last + 1),
            how,
            prefixed=begun.prefixed,
            alternatives=tuple(reading for reading in readings if reading is not None),
            flags=flags,
        )

    def _read(self, text: str, body: int, fitting: Shape) -> URI | None:
        """Return the record, if the grammar derives the text and its scheme has what it needs."""
        if not fitting.fits(text, body, len(text)):
            return None
        record = self._parse(text)
        return record if record is not None and fitting.takes(record) else None

    def _bare(self, begun: Candidate) -> Found | None:
        text, start, body, shape = self._text, begun.start, begun.body, begun.shape
        run = self._run_at(start, body)
        if run is None:
            return None
        stop = run.stop(start)
        if not shape.fits(text, body, stop):
            return None
        reached = run.reach.uri(body, stop)
        if reached is None:
            return None
        end = run.trim.trimmed(body, reached, text[start - 1] if start else "")
        # What is no URI is refused by now, for many may begin before the same characters: those of
        # the one that is found are not looked at again.
        if end < stop and not shape.fits(text, body, end):
            return None
        if text.startswith("//", body, end):
            host = run.reach.host(body + 2, end, stop)
            if host is None or (shape.host and host[0] == host[1]):
                return None
        uri = self._parse(text[start:end])
        if uri is None or not shape.takes(uri):
            return None
        how = How.PREFIX if begun.prefixed else How.BARE
        return self._ended(uri, (start, end), begun.whole, (reached, stop), run, how)

    def _suffix(self, at: int) -> Found | None:
        """Judge "www.": a host name of three labels or more, at the beginning of a word."""
        text = self._text
        self._at = at + len(_SUFFIX)
        before = text[at - 1] if at else ""
        if at < self._floor or before in self._patterns.in_word:
            return None
        run = self._run_at(at, at)
        if run is None:
            return None
        stop = run.stop(at)
        reached = run.reach.authority(at, stop)
        if reached is None:
            return None
        end = run.trim.trimmed(at, reached, before)
        host = run.reach.host(at, end, stop)
        if host is None or host[0] > at:
            return None
        dot = text.find(".", at + len(_SUFFIX), host[1])
        if dot < 0 or not text[dot : host[1]].strip("."):
            return None  # two labels
        uri = self._parse(f"{_COMPLETION}//{text[at:end]}")
        if uri is None:
            return None
        return self._ended(uri, (at, end), at, (reached, stop), run, How.SUFFIX)

    def _run_at(self, start: int, body: int) -> Run | None:
        """Return the run that a bare URI lies in; None if it is too long."""
        text, run = self._text, self._run
        if run is None or run.end < body:
            run = self._run = Run(text, body, self._patterns, self._rest)
        if run.end - start > self._options.limit:
            self._at = self._floor = run.end
            self._skipping = not self._final and run.end == len(text)
            return None
        if run.end + 1 >= len(text) and not self._final:
            raise _Undecided
        return run

    def _ended(
        self,
        uri: URI,
        span: tuple[int, int],
        whole: int,
        reach: tuple[int, int],
        run: Run,
        how: How,
    ) -> Found:
        """Return a bare find, with what its end tells.

        reach: how far the grammar and the run let it reach.
        """
        start, end = span
        reached, _ = reach
        before = self._text[whole - 1] if whole else ""
        cut = is_cut(self._text, end, reach, run, before, self._patterns, final=self._final)
        if cut is None:
            raise _Undecided
        self._at, self._floor = reached, end
        flags = _PUNCTUATION if end < reached else _NO_FLAGS
        if cut:
            flags |= _CUT
        return self._found(uri, start, end, (whole, end), how, prefixed=whole < start, flags=flags)

    def _found(
        self,
        uri: URI,
        start: int,
        end: int,
        whole: tuple[int, int],
        how: How,
        *,
        prefixed: bool,
        flags: frozenset[Flag],
        alternatives: tuple[URI, ...] = (),
    ) -> Found:
        base = self.base
        meant = unescaped(self._text, start, end)
        if meant is not None:
            flags |= _ESCAPED
            reading = self._parse(meant)
            alternatives += () if reading is None else (reading,)
        self._lines.count(self._text, base, start)
        return Found(
            uri,
            (base + start, base + end),
            (base + whole[0], base + whole[1]),
            how,
            prefixed,
            alternatives,
            flags,
            self._lines.line,
            self._lines.column(base + start),
            self._text[start:end],
        )
