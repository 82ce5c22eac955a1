"""A record as the checks look at it: its text, and where the components lie in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from uriparse.parsing import Record
    from uriparse.validation.findings import Span


class Places(NamedTuple):
    """The span of each component, delimiters left out; None where it is absent."""

    scheme: Span | None
    authority: Span | None
    userinfo: Span | None
    host: Span | None
    port: Span | None
    path: Span
    query: Span | None
    fragment: Span | None


def places(record: Record) -> Places:
    """Find the components of a record in its text, from its start on (RFC 3986 section 5.3).

    >>> from uriparse.parsing import parse
    >>> places(parse("http://u@h:80/a?q")).port
    (11, 13)
    """
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
    return Places(scheme, authority, userinfo, host, port, path, query, fragment)


def span_of(piece: str, text: str, delimiter: str, start: int) -> Span:
    """Find the first that is the same as one of the pieces that a delimiter divides a text into.

    start: where the text begins.

    >>> span_of("bc", "abc/bc/d", "/", 10)
    (14, 16)
    """
    at = start + f"{delimiter}{text}{delimiter}".index(f"{delimiter}{piece}{delimiter}")
    return at, at + len(piece)
