"""Steps 6c to 6g of RFC 2396 section 5.2: what becomes of "." and ".." in a merged path.

The RFC removes patterns from a string, again and again from the left; one pass over the segments
with a stack gives the same path in linear time. Only the empty string before a first "/" is no
segment; an empty one elsewhere is, and ".." takes it away like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.door import as_text

if TYPE_CHECKING:
    from uriparse.door import Text


class SimplePath(NamedTuple):
    """A path without "." and, but for `excess`, without "..".

    Attributes:
        root: "/" or "".
        excess: how many ".." are left over at its beginning.
        segments: those after them.

    """

    root: str
    excess: int
    segments: tuple[str, ...]

    def retained(self) -> str:
        """Write the path with its excess, so that who made it sees the fault.

        >>> simplify("/b/../../g").retained()
        '/../g'
        """
        return self.root + "/".join(("..",) * self.excess + self.segments)

    def removed(self) -> str:
        """Write the path without its excess.

        >>> simplify("/b/../../g").removed(), simplify("/..").removed()
        ('/g', '/')
        """
        return self.root + "/".join(self.segments)


def simplify(path: Text) -> SimplePath:
    """Remove "." segments, and each segment with the ".." after it.

    >>> simplify("/b/c/./../g/.").retained()
    '/b/g/'
    """
    path = as_text(path, "path")
    root = "/" if path.startswith("/") else ""
    kept: list[str] = []
    excess = 0
    *segments, last = path[len(root) :].split("/")
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
            else:
                excess += 1
        elif segment == "" and not (root or kept or excess):
            root = "/"  # all before it went away, so its "/" begins the path
        elif segment != ".":
            kept.append(segment)
    if last == ".." and not kept:
        excess += 1
    elif last == "..":
        kept[-1] = ""
    else:
        kept.append("" if last == "." else last)
    return SimplePath(root, excess, tuple(kept))
