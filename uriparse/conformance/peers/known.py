"""What every built-in peer is known to answer: each is asked this before a trial counts anything.

A peer that answers otherwise has another interface than its adapter expects, as after a new major
version of its library. That is a fault of ours, and not a verdict of the peer.
"""

from collections.abc import Mapping
from typing import Final

VERDICTS: Final = (
    *(("http://example.com/", True), ("http://a.b/c?d=e#f", True), ("ftp://h.example/", True)),
    *(("https://example.org:8443/a/b", True), ("http://127.0.0.1/", True)),
    *(("a", False), ("/a?b", False), ("//h.example/", False), ("?", False), ("", False)),
)
"""Texts, and whether each is a URI."""

_BASE: Final = "http://a/b/c/d;p?q"

RESULTS: Final[Mapping[str, tuple[tuple[tuple[str, ...], str | bool], ...]]] = {
    "resolution": tuple(
        ((_BASE, reference), f"http://a/{path}")
        for reference, path in (
            *(("g", "b/c/g"), ("./g", "b/c/g"), ("g/", "b/c/g/"), ("/g", "g"), ("../g", "b/g")),
            *(("g?y", "b/c/g?y"), ("g#s", "b/c/g#s"), ("g?y#s", "b/c/g?y#s")),
            *(("g;x", "b/c/g;x"), ("../../g", "g")),
        )
    ),
    "normalization": tuple(
        ((text,), text)  # what is normal stays
        for text in (
            *("http://example.com/", "http://example.com/a", "http://example.com/a/b/"),
            *("http://example.com/a?b=c", "https://example.org/a#b", "ftp://h.example/a"),
            *("http://example.com:8080/a", "http://127.0.0.1/", "http://example.com/a-b_c.d~e"),
            "https://example.org/a?b#c",
        )
    ),
    "equivalence": tuple(
        (("http://example.com/a?b", other), other == "http://example.com/a?b")
        for other in (
            *("http://example.com/a?b", "http://example.com/b?b", "http://example.com/a?c"),
            *("http://example.com/a", "http://example.org/a?b", "https://example.com/a?b"),
            *("ftp://example.com/a?b", "http://example.com/a/b", "http://example.com:81/a?b"),
            "http://127.0.0.1/a?b",
        )
    ),
    "relativization": tuple(
        (("http://h.example/a/", f"http://h.example/a/{path}"), path)
        for path in ("b", "b/c", "b/", "b?c", "b#c", "b/c/d", "b.c", "b-c", "b?c=d", "b/c?d#e")
    ),
}
"""By operation: the texts of cases, and the result of each."""
