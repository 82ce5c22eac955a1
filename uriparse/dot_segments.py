"""`remove_dot_segments` of RFC 3986 section 5.2.4: in one pass, and step by step as the RFC does.

The two are written apart on purpose. The first goes over the segments once; the second follows
the RFC's steps 2A to 2E to the letter, for whoever wants to see why a path came out as it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


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


def remove_dot_segments(path: str) -> str:
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
    if "/." not in path and not path.startswith("."):
        return path
    rest = path.split("/")
    start = 0
    # 2A and 2D apply only here: once a segment has moved, the input begins with "/".
    while rest[start] == "." or rest[start] == "..":
        start += 1
        if start == len(rest):
            return ""
    # The output's segments; the first is "" where the output begins with "/".
    output = [rest[start]]
    for segment in rest[start + 1 :]:
        if segment == "..":
            if len(output) > 1:
                output.pop()
            else:
                output[0] = ""
        elif segment != ".":
            output.append(segment)
    if len(rest) > start + 1 and rest[-1] in {".", ".."}:
        output.append("")
    return "/".join(output)


def trace_dot_segments(path: str) -> Iterator[DotStep]:
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
