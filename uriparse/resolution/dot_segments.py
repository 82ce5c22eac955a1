"""`remove_dot_segments` of RFC 3986 section 5.2.4: in one pass, and step by step as the RFC does.

The two are written apart on purpose. The first goes over the segments once; the second follows
the RFC's steps 2A to 2E to the letter, for whoever wants to see why a path came out as it did.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from uriparse.coerce import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.coerce import Text

_ENCODED_DOT = "%2E"

_PIECE = 8192
"""Characters of a path that are split at once."""


class DotStep(NamedTuple):
    """One row of a trace.

    Attributes:
        step: "1" for the start, else the step of RFC 3986 section 5.2.4 that was taken.
        output: the output buffer after it.
        input: the input buffer after it.

    """

    step: str
    output: str
    input: str


def remove_dot_segments(path: Text) -> str:
    """Interpret and remove the `.` and `..` segments of a path (RFC 3986 section 5.2.4).

    Takes any path, also one that is not valid, and compares text: `%2E` is no dot. Linear in
    time and memory. Two things follow from the RFC's steps to the letter and surprise readers:
    `..` removes an empty segment like any other, and a rootless path whose first segment is
    removed becomes absolute.

    >>> remove_dot_segments("/a/b/c/./../../g")
    '/a/g'
    >>> remove_dot_segments("/a//../b"), remove_dot_segments("a/../b")
    ('/a/b', '/b')
    """
    if type(path) is not str:
        path = as_text(path, "path")
    if "/." not in path and not path.startswith("."):
        return path
    segments = path.split("/") if len(path) <= _PIECE else chain.from_iterable(_pieces(path))
    # The segments of the output buffer, the first one "" where it begins with "/". While nothing
    # has been moved there (steps 2A and 2D), dot segments just go.
    output: list[str] = []
    for segment in segments:
        if segment == "..":
            if len(output) > 1:
                output.pop()
            elif output:
                output[0] = ""
        elif segment != ".":
            output.append(segment)
    if output and path.endswith(("/.", "/..")):
        output.append("")
    return "/".join(output)


def keep_encoded_dots(path: str, decoded: str) -> str:
    """Undo the decoding of what would be a new dot segment: its first dot stays a triplet.

    path: that of a relative reference.
    decoded: the same with triplets of unreserved characters decoded; no "/" comes or goes by that.

    Resolution compares text, so that a dot segment made by decoding would lead elsewhere. One
    spelling for all of a segment (`%2E.`, `.%2e`, `%2e%2e`), since all have the same normal forms
    once they are resolved. Linear in time.

    >>> keep_encoded_dots("a/%2e./../%41/.%2e", "a/../../A/..")
    'a/%2E./../A/%2E.'
    """
    if path == decoded or ("/." not in decoded and not decoded.startswith(".")):
        return decoded
    segments = zip(path.split("/"), decoded.split("/"), strict=True)
    return "/".join(
        _ENCODED_DOT + new[1:] if new != old and new in {".", ".."} else new
        for old, new in segments
    )


def _pieces(path: str) -> Iterator[list[str]]:
    """Split a long path a piece at a time: all at once takes up to twice as long, for memory."""
    start = 0
    while (end := path.find("/", start + _PIECE)) >= 0:
        yield path[start:end].split("/")
        start = end + 1
    yield path[start:].split("/")


def trace_dot_segments(path: Text) -> Iterator[DotStep]:
    """Yield the steps by which RFC 3986 section 5.2.4 removes the dot segments of a path.

    The last row's output is `remove_dot_segments(path)`. Every row is as long as what the
    buffers hold, so all rows of a long path together take quadratic room: take them one by one.

    >>> for row in trace_dot_segments("mid/content=5/../6"):
    ...     print(f"{row.step:2} {row.output or '-':13} {row.input or '-'}")
    1  -             mid/content=5/../6
    2E mid           /content=5/../6
    2E mid/content=5 /../6
    2C mid           /6
    2E mid/6         -
    """
    return _steps(as_text(path, "path"))


def _steps(path: str) -> Iterator[DotStep]:
    yield DotStep("1", "", path)
    output = ""
    while path:
        if path.startswith(("../", "./")):
            step = "2A"
            path = path[path.index("/") + 1 :]
        elif path.startswith("/./") or path == "/.":
            step = "2B"
            path = "/" + path[3:]
        elif path.startswith("/../") or path == "/..":
            step = "2C"
            path = "/" + path[4:]
            output = output[: max(output.rfind("/"), 0)]
        elif path in {".", ".."}:
            step = "2D"
            path = ""
        else:
            step = "2E"
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            output, path = output + path[:end], path[end:]
        yield DotStep(step, output, path)
