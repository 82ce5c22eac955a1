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
    at = 0
    scheme = authority = userinfo = host = port = query = fragment = None
    if record.scheme is not None:
        scheme = (0, len(record.scheme))
        at = scheme[1] + 1
    if record.host is not None:
        at += 2
        start = at
        if record.userinfo is not None:
            userinfo = (at, at + len(record.userinfo))
            at = userinfo[1] + 1
        host = (at, at + len(str(record.host)))
        at = host[1]
        if record.port is not None:
            port = (at + 1, at + 1 + len(record.port))
            at = port[1]
        authority = (start, at)
    path = (at, at + len(record.path))
    at = path[1]
    if record.query is not None:
        query = (at + 1, at + 1 + len(record.query))
        at = query[1]
    if record.fragment is not None:
        fragment = (at + 1, at + 1 + len(record.fragment))
    return ComponentSpans(scheme, authority, userinfo, host, port, path, query, fragment)
