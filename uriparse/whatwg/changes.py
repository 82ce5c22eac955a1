"""What the URL parser changes: every difference between a text and the URL that it becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from uriparse.whatwg import basic_parser
from uriparse.whatwg import percent_encode_sets as sets
from uriparse.whatwg.basic_parser import SPECIAL, Spans, URLParts
from uriparse.whatwg.host_parser import EMPTY
from uriparse.whatwg.percent_encode_sets import PercentEncodeSet, encode


class Change(NamedTuple):
    """A difference between a text and the URL that it becomes; or a piece of both, alike or not.

    begin, end: the characters of the text that are replaced; the same for an insertion.
    text: what they become.
    step: the validation error or the step of the standard, such as "invalid-URL-unit" or
        "path state: double-dot segment".
    """

    begin: int
    end: int
    text: str
    step: str

    def __str__(self) -> str:
        where = f"{self.begin}-{self.end}" if self.end > self.begin else f"at {self.begin}"
        return f"{where}: {self.text!r} ({self.step})"


UNIT = "invalid-URL-unit"
REVERSE = "invalid-reverse-solidus"
BASE = "base URL"
CREDENTIALS = "authority state: empty credentials"
DOTS = "path state: dot segment"
START = "path start state"
ENDS = "leading or trailing C0 control or space"


def find_changes(given: str, base: URLParts | None, href: str) -> tuple[Change, ...]:
    """Return what differs between a text and its URL, in the order of the text."""
    if given == href:
        return ()
    text = basic_parser.cleaned(given)
    parts, spans = basic_parser.take_apart(text, base)
    pieces = _changed(text, _pieces(text, parts, spans, base))
    return tuple(_placed(given, text, pieces, basic_parser.offsets_of(given)))


def _changed(text: str, pieces: Iterable[Change]) -> Iterator[Change]:
    """Yield the pieces that are written otherwise, neighbours of one step as one."""
    begin, end, step = 0, -1, ""
    texts: list[str] = []  # joined once: adding to a text each time would be quadratic
    for piece in pieces:
        if text[piece.begin : piece.end] == piece.text:
            continue
        if texts and (end != piece.begin or step != piece.step):
            yield Change(begin, end, "".join(texts), step)
            texts = []
        if not texts:
            begin, step = piece.begin, piece.step
        texts.append(piece.text)
        end = piece.end
    if texts:
        yield Change(begin, end, "".join(texts), step)


def _placed(given: str, text: str, pieces: Iterable[Change], places: list[int]) -> Iterator[Change]:
    """Yield changes of the given text, with removals before it; places: original offsets."""
    first, last = (places[0], places[-2] + 1) if text else (len(given), len(given))
    if first:
        yield Change(0, first, "", ENDS)
    done = first
    for piece in pieces:
        if piece.end > piece.begin:
            begin, end = places[piece.begin], places[piece.end - 1] + 1
        else:
            begin = end = places[piece.begin - 1] + 1 if piece.begin else first
        yield from _removals(given, done, begin)
        yield Change(begin, end, piece.text, piece.step)
        done = end
    yield from _removals(given, done, last)
    if last < len(given):
        yield Change(last, len(given), "", ENDS)


def _removals(given: str, begin: int, end: int) -> Iterator[Change]:
    """Yield the tabs and newlines between two changes."""
    for at in range(begin, end):
        if given[at] in "\t\n\r":
            yield Change(at, at + 1, "", UNIT)


# The pieces of a text, in its order: they cover it, and what they write is the URL.


def _pieces(text: str, parts: URLParts, spans: Spans, base: URLParts | None) -> Iterator[Change]:
    at = basic_parser.scheme_end(text)
    if at:
        yield Change(0, at, f"{parts.scheme}:", "scheme state: lowercase")
    else:
        yield Change(0, 0, f"{parts.scheme}:", BASE)
    marks = [span[0] - 1 for span in (spans.query, spans.fragment) if span is not None]
    rest = min(marks, default=len(text))
    if spans.authority is not None:
        begin, end = spans.authority
        yield Change(
            at,
            begin,
            "//",
            REVERSE if "\\" in text[at:begin] else "special-scheme-missing-following-solidus",
        )
        yield from _authority_pieces(text, begin, end, parts)
    else:
        begin = end = rest if spans.path is None else spans.path[0]
        bare = parts._replace(path="", query=None, fragment=None)
        is_local = base is None or base.scheme != parts.scheme
        yield Change(
            at,
            begin,
            basic_parser.serialize(bare)[len(parts.scheme) + 1 :],
            "file state" if is_local else BASE,
        )
    if parts.host is None and not parts.is_opaque and parts.path.startswith("//"):
        yield Change(end, end, "/.", "URL serializer")
    if spans.path is not None and spans.path[0] < spans.path[1]:
        yield from (_opaque_pieces if parts.is_opaque else _segment_pieces)(text, parts, spans)
    else:
        yield Change(end, end, parts.path, START if spans.authority or base is None else BASE)
    if spans.query is not None:
        encoded = sets.SPECIAL_QUERY if parts.scheme in SPECIAL else sets.QUERY
        yield from _encoded(text, spans.query, "?", encoded)
    elif parts.query is not None:
        yield Change(rest, rest, f"?{parts.query}", BASE)
    if spans.fragment is not None:
        yield from _encoded(text, spans.fragment, "#", sets.FRAGMENT)


def _encoded(
    text: str, span: tuple[int, int], mark: str, encoded: PercentEncodeSet
) -> Iterator[Change]:
    """Yield the characters of a component, after the mark before it."""
    begin, end = span
    yield Change(begin - len(mark), begin, mark, UNIT)
    for at in range(begin, end):
        yield Change(at, at + 1, encode(text[at], encoded), UNIT)


def _authority_pieces(text: str, begin: int, end: int, parts: URLParts) -> Iterator[Change]:
    credentials, sign, rest = text[begin:end].rpartition("@")
    username, colon, password = credentials.partition(":")
    at = begin + len(username)
    yield from _encoded(text, (begin, at), "", sets.USERINFO)
    yield Change(at, at + len(colon), ":" if password else "", CREDENTIALS)
    at += len(colon)
    yield from _encoded(text, (at, at + len(password)), "", sets.USERINFO)
    at += len(password)
    yield Change(at, at + len(sign), "@" if username or password else "", CREDENTIALS)
    at += len(sign)
    host, _ = (rest, None) if parts.scheme == "file" else basic_parser.split_host_port(rest)
    written = parts.host or EMPTY
    yield Change(at, at + len(host), written.text, written.step or "host parser")
    yield Change(at + len(host), end, "" if parts.port is None else f":{parts.port}", "port state")


def _opaque_pieces(text: str, parts: URLParts, spans: Spans) -> Iterator[Change]:
    begin, end = spans.path or (0, 0)
    for at in range(begin, end):
        is_last = at == end - 1 and text[at] == " " and parts.path.endswith("%20")
        yield Change(at, at + 1, "%20" if is_last else encode(text[at], sets.C0_CONTROL), UNIT)


def _segment_pieces(text: str, parts: URLParts, spans: Spans) -> Iterator[Change]:
    begin, end = spans.path or (0, 0)
    path = text[begin:end]
    if parts.scheme in SPECIAL:
        path = path.replace("\\", "/")
    has_slash = path.startswith("/")
    raw = path[has_slash:].split("/")
    kept = basic_parser.kept_segments(
        [encode(one, sets.PATH) for one in raw], spans.start, parts.scheme
    )
    stays = dict(kept)  # by number; of the base's segments, and an empty one at the end, by -1
    before = [segment for number, segment in kept if number < 0]
    # After a last segment of dots an empty one remains.
    closes = kept and kept[-1] == (-1, "")
    closes = closes and basic_parser.kept_segments(["", raw[-1]], "", "")[-1][0] < 0
    if closes:
        before.pop()
    yield Change(begin, begin, "".join(f"/{segment}" for segment in before), BASE)
    at = begin
    for number, segment in enumerate(raw):
        slash = "/" if number or has_slash else ""
        if number not in stays:
            yield Change(at, at + len(slash) + len(segment), "", DOTS)
        else:
            is_same = text[at : at + len(slash)] == "/"
            yield Change(
                at, at + len(slash), "/", START if not slash else UNIT if is_same else REVERSE
            )
            inside = at + len(slash)
            if stays[number] == encode(segment, sets.PATH):
                yield from _encoded(text, (inside, inside + len(segment)), "", sets.PATH)
            else:
                yield Change(
                    inside,
                    inside + len(segment),
                    stays[number],
                    "file-invalid-Windows-drive-letter",
                )
        at += len(slash) + len(segment)
    if closes:
        yield Change(end, end, "/", DOTS)
