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
