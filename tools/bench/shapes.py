"""Hostile shapes: texts that make careless parsers backtrack, recurse or copy, at any size."""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]
"""Makes a text of about so many characters."""


def _filled(before: str, unit: str, after: str = "", *, then: str = "") -> Shape:
    """Repeat a unit, and behind all of it another one as often."""

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
"""For `mime_base`: what the field holds."""
