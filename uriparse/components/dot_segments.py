"""Removing dot segments (RFC 3986 section 5.2.4): in one pass, and step by step for a trace.

The implementations are independent: `remove_dot_segments` reads the segments once,
`trace_dot_segments` follows the RFC's steps 2A to 2E to show why a path has its result.
"""

from collections.abc import Iterator
from typing import NamedTuple

from uriparse._base.coerce import Text, as_text

_ENCODED_DOT = "%2E"


class DotStep(NamedTuple):
    """One row of a trace.

    step: "1" for the start, else the step of RFC 3986 section 5.2.4.
    output: the output buffer after the step.
    input: the input buffer after the step.
    """

    step: str
    output: str
    input: str


def remove_dot_segments(path: Text) -> str:
    """Interpret and remove the `.` and `..` segments of a path (RFC 3986 section 5.2.4).

    Accepts any path, valid or not, and compares text: `%2E` is not a dot. Linear in time and
    memory. Two results of the RFC's steps may be surprising: `..` removes an empty segment like
    any other, and a rootless path whose first segment is removed becomes absolute.

    >>> remove_dot_segments("/a/b/c/./../../g")
    '/a/g'
    >>> remove_dot_segments("/a//../b"), remove_dot_segments("a/../b")
    ('/a/b', '/b')
    """
    if type(path) is not str:
        path = as_text(path, "path")
    if "/." not in path and not path.startswith("."):
        return path
    # The segments of the output buffer; the first is "" if the buffer begins with "/". As long as
    # the buffer is empty (steps 2A and 2D), dot segments are dropped without effect.
    output: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(output) > 1:
                output.pop()
            elif output:
                output[0] = ""
        elif segment != ".":
            output.append(segment)
    if output and segment in {".", ".."}:
        output.append("")
    return "/".join(output)


def keep_encoded_dots(path: str, decoded: str) -> str:
    """Return a decoded path in which the first dot of each new dot segment is encoded again.

    path: the path of a relative reference.
    decoded: the path with triplets of unreserved characters decoded, which keeps every "/".

    Resolution compares text, so a dot segment made by decoding would change the target. All
    spellings of a segment (`%2E.`, `.%2e`, `%2e%2e`) become one, since they have the same normal
    form after resolution. Linear in time.

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


def trace_dot_segments(path: Text) -> Iterator[DotStep]:
    """Yield the steps with which RFC 3986 section 5.2.4 removes the dot segments of a path.

    The last row's output is `remove_dot_segments(path)`. Each row has both buffers, so storing all
    rows of a long path takes quadratic memory: use them one by one.

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
