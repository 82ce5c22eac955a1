"""Is every entry point linear? Hostile shapes at three sizes, what a character costs, growth.

The shapes make careless parsers backtrack, recurse or copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .ours import ENTRIES
from .timing import Call, level_memory, once, ratio, seconds, table, uncollected

if TYPE_CHECKING:
    from .races import Tell

SIZES = (100_000, 1_000_000, 8_000_000)
"""Characters."""

MOST_GROWTH = 20.0
"""From the second size to the third, which is eight times as large: many small objects outgrow the
caches of a machine once, so linear time may grow by more. Quadratic time grows 64 times."""

MOST_EACH = 150e-9
"""Seconds for a character at the two largest sizes, beyond which a shape is called slow."""

NOISE = 0.004
"""Seconds at the largest size below which a growth says nothing."""

PATIENCE = 4.0
"""Seconds after which the next size is not tried any more."""

REPEATS = 5

DOUBTS = 3
"""Times that a shape is measured again, the best times kept, before it is called crooked."""

Shape = Callable[[int], str]
"""Makes a text of about that many characters."""


def _filled(before: str, unit: str, after: str = "", *, then: str = "") -> Shape:
    """Repeat a unit, and after all of it another one as often."""

    def make(size: int) -> str:
        room = size - len(before) - len(after)
        times = max(1, room // len(unit + then))
        return before + unit * times + then * times + after

    return make


SHAPES: dict[str, Shape] = {
    "scheme": _filled("", "a", ":"),
    "no colon": _filled("", "a"),
    "colons": _filled("a", ":a"),
    "userinfo, no @": _filled("http://", "a:", "/"),
    "at signs": _filled("http://", "u@", "h/"),
    "digits and dots": _filled("http://", "1.", "x/"),
    "brackets": _filled("http://[", "1:", "]/"),
    "IPvFuture": _filled("http://[v1.", "a:", "/"),
    "port": _filled("http://h:", "9", "x"),
    "slashes": _filled("http://h", "/", " "),
    "dot segments": _filled("http://h", "/a/../.", ""),
    "escapes": _filled("http://h/", "%41", "%4"),
    "query and fragment": _filled("http://h?", "?#/", ""),
    "non-ASCII": _filled("http://h/", "é", "\n"),
}
"""For every entry point that takes a URI."""

TEXT_SHAPES: dict[str, Shape] = {
    "open brackets": _filled("", "<"),
    "open with scheme": _filled("", "<http://a "),
    "quotes": _filled("", '"'),
    "quoted schemes": _filled("", '"http:'),
    "prefixes": _filled("", "URL: "),
    "empty URIs": _filled("", "http://"),
    "parentheses": _filled("http://h/", ").", ""),
    "open parentheses": _filled("", "(http://h/("),
    "hyphen breaks": _filled("<http://h/", "-\n", ">"),
    "spaces in brackets": _filled("<", " ", "http://h/>"),
    "suffixes": _filled("", "www."),
    "commas": _filled("http://h/", ",ftp://", ""),
    "fragments, then dots": _filled("", "http://a#b#", then="."),
    "fragments, then parentheses": _filled("", "http://a#b#", then=")"),
    "brackets, then dots": _filled("", "http://a[", then="."),
    "empty hosts": _filled("", "(http:///a"),
    "empty hosts, then a stranger": _filled("", "pop:///", "\uff0f"),
    "empty hosts of two": _filled("", "http:///", "\udfff", then="+"),
    "suffixes, then an at sign": _filled("", "(www.x", "@h"),
    "slashes around schemes": _filled("", "/http://", "255."),
}
"""Further ones for `find_uris`."""

IRI_SHAPES: dict[str, Shape] = {
    "letters in a path": _filled("http://h/", "é"),
    "letters and ASCII": _filled("http://h/", "aé"),
    "letters in a host": _filled("http://", "é.", "/"),
    "marks": _filled("http://h/", "e\u0301"),
    "pictures": _filled("http://h/?", "\U0001f600"),
    "private use": _filled("http://h/?", "\ue000"),
    "directions": _filled("http://h/", "\u05d0a"),
    "letters as triplets": _filled("http://h/", "%C3%A9"),
    "letters and triplets": _filled("http://h/", "é%7e"),
}
"""For entry points that take IRIs, or URIs that stand for them."""

TRIPLET_SHAPES: dict[str, Shape] = {
    "unreserved": _filled("http://h/", "%7e"),
    "reserved, small": _filled("http://h/", "%2f"),
    "reserved, capital": _filled("http://h/", "%2F"),
    "triplets and ASCII": _filled("http://h/", "a%2f"),
    "letters": _filled("http://h/", "%c3%a9"),
    "pictures": _filled("http://h/?", "%F0%9F%98%80"),
    "octets that are not UTF-8": _filled("http://h/?", "%FF"),
    "broken letters": _filled("http://h/?", "%E2%82"),
    "in a host": _filled("http://", "%41", "/"),
    "in a userinfo": _filled("http://", "%3a", "@h/"),
}
"""For entry points that rewrite triplets."""

PAIR_SHAPES: dict[str, Shape] = {
    "short pairs": _filled("", "a=b&"),
    "names": _filled("", "a&"),
    "ampersands": _filled("", "&"),
    "equals": _filled("", "="),
    "one value": _filled("a=", "b"),
    "plus": _filled("a=", "+"),
    "triplets": _filled("a=", "%41"),
    "pairs of triplets": _filled("", "%41=%26&"),
    "letters": _filled("a=", "%C3%A9"),
}
"""For `query_pairs`."""

FIELD_SHAPES: dict[str, Shape] = {
    "empty fields": _filled("prospero://h.d/a", ";="),
    "short fields": _filled("prospero://h.d/a", ";a=b"),
    "long fields": _filled("prospero://h.d/a", ";attribute-name=a%20value%20of%20it"),
    "triplets": _filled("prospero://h.d/a", ";%41=%42"),
    "one field": _filled("prospero://h.d/a;n=", "a"),
    "unfinished fields": _filled("prospero://h.d/a", ";a"),
}
"""For what reads Prospero URLs, whose trees have three nodes a field."""

MARKUP_SHAPES: dict[str, Shape] = {
    "open brackets": _filled("", "<"),
    "comparisons": _filled("", "a < b "),
    "end tags": _filled("", "</"),
    "comments": _filled("", "<!-- - -->"),
    "open comments": _filled("", "<!--"),
    "declarations": _filled("", "<!"),
    "attributes": _filled("<p ", "a=b "),
    "open tags": _filled("", "<a "),
    "paragraphs": _filled("", "<p>text</p>"),
    "titles": _filled("", "<title></title>"),
    "open titles": _filled("", "<title>"),
    "templates": _filled("", "<template>"),
    "bases without href": _filled("", "<base h>"),
    "character references": _filled("<base href='", "&amp;", "'>"),
    "digits of a reference": _filled("<base href='&#", "0", ";'>"),
}
"""For `html_base`."""

HEADING_SHAPES: dict[str, Shape] = {
    "letters": _filled("", "a"),
    "folded": _filled("", "a\n "),
    "blanks": _filled("", " "),
    "non-ASCII": _filled("", "é"),
    "octets": _filled("", "\udce9"),
    "lone surrogates": _filled("", "\ud800"),
    "encoded words": _filled("", "=?utf-8?q?a?= "),
}
"""For `mime_base`: values of the field."""

GIVEN: dict[str, dict[str, Shape]] = {
    "parse_tree (Prospero)": FIELD_SHAPES,
    "normalize": SHAPES | TRIPLET_SHAPES,
    "normalize (IRI)": IRI_SHAPES,
    "iri_to_uri": IRI_SHAPES,
    "uri_to_iri": IRI_SHAPES | TRIPLET_SHAPES,
    "query_pairs": PAIR_SHAPES,
    "html_base": MARKUP_SHAPES,
    "mime_base": HEADING_SHAPES,
    "find_uris": SHAPES | TEXT_SHAPES,
    "find_uris (IRI, suffixes)": SHAPES | TEXT_SHAPES,
    "redact_text": SHAPES | TEXT_SHAPES,
    "whatwg.parse": SHAPES | TRIPLET_SHAPES,
    "parse_url": SHAPES | FIELD_SHAPES,
    "parse_url (RFC 1738)": SHAPES | FIELD_SHAPES,
}
"""The shapes for an entry point, where they are not `SHAPES` alone."""


def shapes_of(entry: str) -> dict[str, Shape]:
    """Return the shapes that an entry point is given."""
    return GIVEN.get(entry, SHAPES)


@dataclass(frozen=True, slots=True)
class Growth:
    """One entry point on one shape.

    Attributes:
        seconds: the best time at each of `SIZES`; None where it would have taken too long.

    """

    entry: str
    shape: str
    seconds: tuple[float | None, ...]

    @property
    def factor(self) -> float | None:
        """The largest size's time by the middle one's."""
        middle, largest = self.seconds[-2:]
        return largest / middle if middle and largest else None

    @property
    def each(self) -> float | None:
        """Seconds for a character at the two largest sizes, the longer ones."""
        costs = [time and time / size for time, size in zip(self.seconds, SIZES, strict=True)][-2:]
        return None if None in costs else max(filter(None, costs), default=0.0)

    @property
    def linear(self) -> bool:
        """Whether that factor is one of linear time, noise apart."""
        largest = self.seconds[-1]
        if largest is None or self.factor is None:
            return False
        return largest <= NOISE or self.factor <= MOST_GROWTH


def measure(names: tuple[str, ...], tell: Tell) -> Iterator[Growth]:
    """Yield the growth of each entry point that is there, or of those named, on its shapes."""
    if not level_memory():
        tell("linearity: large blocks of memory cost more here than small ones")
    for entry in ENTRIES:
        if names and entry.name not in names:
            continue
        try:
            call = entry.load()
        except ImportError:
            tell(f"linearity: not there: {entry.name}")
            continue
        tell(f"linearity: {entry.name} ...")
        for shape, make in shapes_of(entry.name).items():
            yield _growth(entry.name, shape, call, make)


def _growth(entry: str, shape: str, call: Call, make: Shape) -> Growth:
    growth = Growth(entry, shape, _times(call, make))
    for _ in range(DOUBTS):
        if growth.linear or None in growth.seconds:
            break
        again = _times(call, make)
        growth = Growth(entry, shape, tuple(map(_lesser, growth.seconds, again)))
    return growth


def _lesser(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


def _times(call: Call, make: Shape) -> tuple[float | None, ...]:
    times: list[float | None] = []
    once(call, [make(100)])
    for size in SIZES:
        if times and (times[-1] is None or times[-1] > PATIENCE):
            times.append(None)
            continue
        times.append(_best(call, [make(size)]))
    return tuple(times)


def _best(call: Call, texts: list[str]) -> float:
    with uncollected():
        best = once(call, texts)
        for _ in range(REPEATS - 1):
            if best > PATIENCE / REPEATS:
                break
            best = min(best, once(call, texts))
    return best


def render(growths: list[Growth]) -> str:
    """One table for each entry point."""
    head = ["", *(f"{size // 1000} kB" for size in SIZES), "a character", "growth", ""]
    groups: dict[str, list[Growth]] = {}
    for growth in growths:
        groups.setdefault(growth.entry, []).append(growth)
    return "\n".join(
        table(entry, head, [_cells(growth) for growth in group]) for entry, group in groups.items()
    )


def _cells(growth: Growth) -> list[str]:
    factor, each = growth.factor, growth.each
    slow = each is None or each > MOST_EACH
    return [
        growth.shape,
        *map(seconds, (*growth.seconds, each)),
        ratio(factor),
        "slow" * slow if growth.linear else "NOT LINEAR",
    ]
