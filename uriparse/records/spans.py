"""Where the components of a record are in its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from uriparse.records.references import URIReference

Span: TypeAlias = tuple[int, int]
"""A half-open range of offsets, in characters."""


class ComponentSpans(NamedTuple):
    """The span of each component without its delimiters; None for an absent component."""

    scheme: Span | None
    authority: Span | None
    userinfo: Span | None
    host: Span | None
    port: Span | None
    path: Span
    query: Span | None
    fragment: Span | None


def component_spans(record: URIReference) -> ComponentSpans:
    """Return the spans of a record's components in its text (RFC 3986 section 5.3)."""
    at, spans = 0, dict[str, Span]()
    marks = {"scheme": "", "authority": "//", "path": "", "query": "?", "fragment": "#"}
    for name, mark in marks.items():
        if (text := getattr(record, name)) is not None:
            start = at + len(mark)
            at = start + len(str(text))
            spans[name] = start, at
            at += name == "scheme"
    if "authority" in spans:
        start, end = spans["authority"]
        if record.userinfo is not None:
            spans["userinfo"] = start, start + len(record.userinfo)
            start += len(record.userinfo) + 1
        if record.port is not None:
            spans["port"] = end - len(record.port), end
            end -= len(record.port) + 1
        spans["host"] = start, end
    return ComponentSpans(*map(spans.get, ComponentSpans._fields))  # type: ignore[arg-type]  # path
