"""`find_uris`: find URIs in mail, articles and source code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from uriparse._base.coerce import Textual, as_items, as_str, as_text, refusal
from uriparse._native import kernel, tagged
from uriparse.components.target import WWW
from uriparse.records.references import reader
from uriparse.text.candidates import (
    LOOK_BACK,
    Candidate,
    Run,
    Trim,
    Undecided,
    candidate,
    joins,
    octet_classes,
)
from uriparse.text.layers import (
    Escapes,
    Flag,
    Found,
    How,
    Layer,
    Lines,
    QuotedPrintable,
    References,
    Scans,
    unescaped,
)
from uriparse.text.patterns import (
    BLANKS,
    FAR,
    HOST,
    KNOWN,
    Patterns,
    Schemes,
    Shape,
    checked_schemes,
    patterns,
    unwrapped,
)

if TYPE_CHECKING:
    import re

    from uriparse._native import _kernel
    from uriparse.records import URI

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris"]


_COMPLETION = "http:"

_NO_FLAGS: frozenset[Flag] = frozenset()
_PUNCTUATION = frozenset((Flag.PUNCTUATION,))
_CUT = frozenset((Flag.CUT,))
_ESCAPED = frozenset((Flag.ESCAPED,))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `find_uris`."""

    grammar: str
    patterns: Patterns
    schemes: Schemes
    suffixes: bool
    absolute: bool
    limit: int


class Scanner:
    """Scans a text piece by piece; reads each character a bounded number of times."""

    def __init__(self, options: Options) -> None:
        """Start before the first character."""
        patterns = options.patterns
        self._options = options
        self._patterns = patterns
        self._hunt = (patterns.colon_or_suffix if options.suffixes else patterns.colon).search
        self._rest = patterns.rest_absolute if options.absolute else patterns.rest
        rule = patterns.absolute if options.absolute else patterns.rule
        # Texts of these two rules have a scheme.
        self._parse = cast("Callable[[str], URI | None]", reader(rule, options.grammar))
        self.kept = ""
        self._text = ""
        self._final = False
        self._at = 0  # where to continue
        self._floor = 0  # the text before it belongs to the last find
        self._run: Run | None = None
        self._skipping = False  # inside a run that exceeds the limit
        self.base = 0
        self._lines = Lines()
        native = getattr(self._parse, "__self__", None)
        self._usual: _kernel.Reader | None = None
        if kernel is not None and isinstance(native, kernel.Reader):
            schemes = cast("str | frozenset[str]", options.schemes)  # as checked_schemes has it
            self._usual = native
            self._plan = (
                *_plan(options.grammar, schemes),
                min(options.limit, sys.maxsize),
                options.suffixes,
                schemes == "plausible",
            )

    def scan(self, piece: str, *, final: bool) -> Iterator[Found]:
        """Yield the finds in the kept text and this piece, and keep what is undecided."""
        self._text = text = self.kept + piece
        self._final = final
        self._run = None
        if self._skipping:
            run = self._patterns.run.match(text, self._at)
            self._at = self._floor = self._at if run is None else run.end()
            self._skipping = not final and self._at == len(text)
        self._counted = 0, 0  # up to where lines are, in characters and in octets
        hunt = self._hunt
        mark: re.Match[str] | None = None
        while True:
            finds, is_last = self._usual_finds()
            yield from finds
            mark = None if is_last else hunt(text, self._at)
            if mark is None:
                self._at = max(self._at, self._tail())
                break
            at = mark.start()
            try:
                found = self._colon(at) if text[at] == ":" else self._suffix(at)
            except Undecided:
                self._at = at
                break
            if found is not None:
                yield found
        self._keep()

    def _usual_finds(self) -> tuple[list[Found], bool]:
        """Return the finds that the kernel makes, up to a colon that it leaves, if any is left."""
        if self._usual is None:
            return [], False
        lines = self._lines
        counted, octets = self._counted
        since = self._text[counted : lines.counted - self.base]
        octets += len(since.encode("utf-8", "surrogatepass"))
        state = self._final, self.base, self._at, self._floor, lines.line, lines.start
        result = self._usual.finds(self._text, self._plan, (*state, lines.counted, octets, _BATCH))
        if result is None:
            self._usual = None  # a lone surrogate: do not try again
            return [], False
        finds, is_last, self._at, self._floor, *counts, octets = result
        lines.line, lines.start, lines.counted = counts
        self._counted = lines.counted - self.base, octets
        return cast("list[Found]", finds), is_last

    def _keep(self) -> None:
        """Drop the decided text, and shift all offsets accordingly."""
        # The character before the floor is kept: a URI at the floor depends on it.
        cut = len(self._text) if self._final else max(0, self._floor - 1, self._at - LOOK_BACK)
        self._lines.count(self._text, self.base, cut)
        self.kept = self._text[cut:]
        self.base += cut
        self._at -= cut
        self._floor = max(self._floor - cut, 0)

    def _tail(self) -> int:
        """Return where to continue with the next piece: a last colon or "www" may still count."""
        text = self._text
        if self._final:
            return len(text)
        colon = text.rfind(":", max(0, len(text) - FAR - len("://")))
        if colon >= 0 and not text[colon + 1 :].strip(f"{BLANKS}/"):
            return colon
        return max(0, len(text) - len(WWW))

    def _colon(self, colon: int) -> Found | None:
        """Return the find at a colon, if any, and set `_at` to where to continue."""
        self._at = colon + 1
        patterns, schemes = self._patterns, self._options.schemes
        begun = candidate(self._text, colon, self._floor, patterns, schemes)
        if begun is None:
            return None
        return (self._enclosed(begun) if begun.opener else None) or self._bare(begun)

    def _enclosed(self, begun: Candidate) -> Found | None:
        """Return the find within delimiters; None if they do not close within the limit."""
        text, is_angle = self._text, begun.opener == "<"
        inside = self._patterns.inside if is_angle else self._patterns.quoted
        match = inside.match(text, begun.body)
        last = begun.body if match is None else match.end()
        if last - begun.start > self._options.limit:
            return None
        if last == len(text) and not self._final:
            raise Undecided
        raw = text[begun.start : last]
        if not text.startswith(">" if is_angle else '"', last):
            return None
        if is_angle and self._patterns.restart.search(raw):
            return None
        plain, body = unwrapped(raw), begun.body - begun.start
        if is_angle and Flag.SPACE in plain.flags and begun.spaced and not begun.prefixed:
            return None  # a comparison: `a < b:c d > e`
        uri = self._read(plain.text, body, begun.shape)
        if uri is None:
            return None
        others, flags, end = plain.others, plain.flags, len(plain.text)
        if not is_angle:
            end = Trim(plain.text, body, end).trimmed(body, end, "")
        if end < len(plain.text):
            others, flags = (*others, plain.text[:end]), flags | _PUNCTUATION
        readings = [self._read(other, body, begun.shape) for other in others]
        self._at = self._floor = last + 1
        return self._found(
            uri,
            begun.start,
            begun.start + len(raw.rstrip(BLANKS)),
            (begun.outside, last + 1),
            How.ANGLE if is_angle else How.QUOTES,
            prefixed=begun.prefixed,
            alternatives=tuple(reading for reading in readings if reading is not None),
            flags=flags,
        )

    def _read(self, text: str, body: int, fitting: Shape) -> URI | None:
        """Return the record if the text is valid and has what its scheme needs."""
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
        reached = run.reach(body, stop)
        if reached is None:
            return None
        end = run.trim.trimmed(body, reached, text[start - 1 : start])
        if run.is_host_cut(body, end, (reached, stop), text[begun.whole - 1 : begun.whole]):
            return None
        # Reject before parsing: many candidates may begin before the same characters, which would
        # be parsed for each of them. After a find they are not read again.
        if end < stop and not shape.fits(text, body, end):
            return None
        if text.startswith("//", body, end):
            host = run.host(body + 2, end, stop)
            if host is None or (shape.host and host[0] == host[1]):
                return None
        uri = self._parse(text[start:end])
        if uri is None or not shape.takes(uri):
            return None
        how = How.PREFIX if begun.prefixed else How.BARE
        return self._ended(uri, (start, end), begun.whole, (reached, stop), run, how)

    def _suffix(self, at: int) -> Found | None:
        """Return the find at "www.": a host of three labels or more at the beginning of a word."""
        text = self._text
        self._at = at + len(WWW)
        before = text[at - 1 : at]
        if at < self._floor or before in self._patterns.in_word or joins(before):
            return None
        run = self._run_at(at, at)
        if run is None:
            return None
        stop = run.stop(at)
        reached = run.authority(at, stop)
        if reached is None:
            return None
        end = run.trim.trimmed(at, reached, before)
        if run.is_host_cut(at, end, (reached, stop), before):
            return None
        host = run.host(at, end, stop)
        if host is None or host[0] > at:
            return None
        dot = text.find(".", at + len(WWW), host[1])
        if dot < 0 or not text[dot : host[1]].strip("."):
            return None  # two labels
        uri = self._parse(f"{_COMPLETION}//{text[at:end]}")
        if uri is None:
            return None
        return self._ended(uri, (at, end), at, (reached, stop), run, How.SUFFIX)

    def _run_at(self, start: int, body: int) -> Run | None:
        """Return the run of a bare URI; None if it exceeds the limit."""
        text, run = self._text, self._run
        if run is None or run.end < body:
            run = self._run = Run(text, body, self._patterns, self._rest, final=self._final)
        if run.end - start > self._options.limit:
            self._at = self._floor = run.end
            self._skipping = not self._final and run.end == len(text)
            return None
        if run.end + 1 >= len(text) and not self._final:
            raise Undecided
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
        """Return a bare find with the flags for its end."""
        start, end = span
        cut = run.is_cut(end, reach, self._text[whole - 1 : whole])
        self._at, self._floor = reach[0], end
        flags = _PUNCTUATION if end < reach[0] else _NO_FLAGS
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
        decoded = unescaped(self._text, start, end)
        if decoded is not None:
            flags |= _ESCAPED
            reading = self._parse(decoded)
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


_BATCH = 256
"""The most finds that the kernel makes at once."""


@lru_cache(maxsize=64)
def _plan(grammar: str, schemes: str | frozenset[str]) -> tuple[object, ...]:
    """Return what the kernel needs for such searches; see `finding.c`."""
    named = () if isinstance(schemes, str) else schemes
    usual = (name for name, needed in KNOWN.items() if needed is HOST)
    return (
        octet_classes(patterns(grammar)),
        frozenset(name for name in usual if isinstance(schemes, str) or name in schemes),
        None if schemes == "any" else frozenset(KNOWN).union(named),
        Found,
        Found.__slots__,
        (How.ANGLE, How.QUOTES, How.PREFIX, How.BARE),
        (_NO_FLAGS, _PUNCTUATION),
        tagged(grammar).FIELDS.index("host"),
    )


LIMIT = 1 << 20
"""The default for the longest URI, in characters."""

_BLOCK = 1 << 16
"""The characters of a stream that are collected before a scan."""


def find_uris(  # noqa: PLR0913 - independent options, each with a default
    text: str | Textual | Iterable[str],
    *,
    grammar: str = "rfc3986",
    schemes: Schemes = "plausible",
    suffixes: bool = False,
    absolute: bool = False,
    html: bool = False,
    escapes: bool = False,
    mail: bool = False,
    limit: int = LIMIT,
) -> Iterator[Found]:
    r"""Find the URIs in a text, in order and without overlaps (RFC 3986 appendix C).

    text: the text, or its pieces in order, such as an open file: they are read when needed, and
        memory is bounded by `limit`, not by the text.
    grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
    schemes: "plausible" finds well-known schemes, each with what it needs (`http:` needs a host),
        any scheme before "//", and any scheme after `URL:`. "known" finds well-known schemes only,
        "any" whatever the grammar allows, so that `note:this` is a URI. Or names of schemes, in any
        letter case.
    suffixes: also find `www.example.com/a`, as a URI with `http://` before it.
    absolute: without fragments (rule absolute-URI); delimited text with a fragment counts as bare.
    html: the text is markup: character references such as `&amp;` are decoded first.
    escapes: the text is JSON, source code or a command of a shell: escapes such as `\\/`, `\\u0026`
        and `\\?` are decoded first.
    mail: the text is a stored message, or a part of one: quoted-printable parts are decoded first,
        base64 parts are not.
    limit: the longest URI in characters; longer ones are skipped.

    Delimiters and the prefix `URL:` are not part of the URI (RFC 1738 appendix). In angle brackets
    all white space is ignored, in double quotes only around line breaks; a hyphen before a line
    break gives two readings. A bare URI ends before punctuation of the sentence and before an
    unmatched parenthesis. What would be cut within its host, or a mailbox's domain, is not found:
    it would name another one. See `Found` for the results.

    Linear in time. ValueError for an unknown grammar, or another word for `schemes`. TypeError if
    `text` is not text: decode bytes first.

    >>> text = "See <URL:http://example.com/inter-\n  net>, (ftp://ftp.example.com/pub), note:this."
    >>> for found in find_uris(text):
    ...     print(found.uri, found.span, found.how, *found.alternatives)
    http://example.com/inter-net (9, 40) angle http://example.com/internet
    ftp://ftp.example.com/pub (44, 69) bare
    """
    if not isinstance(limit, int):
        raise refusal(limit, "limit", "an int")
    name = as_str(grammar, "grammar")
    options = Options(name, patterns(name), checked_schemes(schemes), suffixes, absolute, limit)
    scanner: Scans = Scanner(options)
    if html:
        scanner = Layer(References(), scanner)
    if escapes:
        scanner = Layer(Escapes(), scanner)
    if mail:
        scanner = Layer(QuotedPrintable(), scanner)
    if isinstance(text, str | Textual):
        return scanner.scan(as_text(text), final=True)
    pieces = as_items(text, "text", "a str, pieces of one in order or a record")
    return _stream(pieces, scanner)


def _stream(pieces: Iterable[str], scanner: Scans) -> Iterator[Found]:
    """Scan pieces in blocks at least as long as the kept text, so that time stays linear."""
    gathered: list[str] = []
    size, needed = 0, _BLOCK
    for given in pieces:
        piece = as_str(given, "a piece of text")
        gathered.append(piece)
        size += len(piece)
        if size >= needed:
            yield from scanner.scan("".join(gathered), final=False)
            gathered.clear()
            size, needed = 0, max(_BLOCK, len(scanner.kept))
    yield from scanner.scan("".join(gathered), final=True)
