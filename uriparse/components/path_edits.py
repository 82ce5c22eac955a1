"""Paths, a segment at a time (RFC 3986 section 3.3), on the text of a path.

Segments are data when they come in, and the others stay as they are written. Each edit is told the
grammar of the characters, and what the path comes after: an authority, whose path begins with "/";
a scheme; or nothing, where the ":" of its first segment would end a scheme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from uriparse._base.coerce import Data, as_items
from uriparse.components.component_data import is_dots, refuse_dots, written, written_segments
from uriparse.errors import ComponentError, excerpt, unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

After: TypeAlias = Literal["authority", "scheme", "nothing"]


def child(path: str, segments: Iterable[Data], grammar: str, after: After) -> str:
    """Add segments."""
    new = written_segments(segments, grammar)
    if not new:
        return path
    if not path:
        return _fresh(path, new, after)
    slash = "" if path.endswith("/") else "/"
    return f"{path}{slash}{'/'.join(new)}"


def parent(path: str, after: After) -> str:
    """Remove the last segment."""
    head, slash, last = path.rpartition("/")
    _refuse_open_end(path, last)
    if slash:
        return head or slash
    if after != "nothing":
        return ""
    if not last:
        raise _unsettled(path, "is empty")
    return "."


def sizes_of_parents(path: str) -> Iterator[int]:
    """Yield how much of a path each of its parents has, as `parent` finds them one by one."""
    end = len(path)
    while True:
        slash = path.rfind("/", 0, end)
        _refuse_open_end(path, path[slash + 1 : end])
        size = max(slash, 0) or (0 if slash < 0 else 1)
        if size == end:
            return
        yield size
        end = size


def with_segments(path: str, segments: Iterable[Data], grammar: str, after: After) -> str:
    """Replace all segments."""
    parts = as_items(segments, "segments", "an iterable of segments")
    return _fresh(path, written_segments(parts, grammar), after)


def with_name(path: str, name: Data, grammar: str, after: After) -> str:
    """Replace the last segment."""
    return _named(path, written(name, "segment", grammar, "name"), after)


def with_suffix(path: str, suffix: Data, grammar: str, after: After) -> str:
    """Replace the suffix of the last segment."""
    new = written(suffix, "segment", grammar, "suffix")
    if new and (not new.startswith(".") or is_dots(new)):
        raise ComponentError(
            f'suffix: {excerpt.quoted(new)} is not one: a suffix is "." and more, or ""',
            component="path",
            rule="segment",
            value=new,
        )
    name = path.rpartition("/")[2]
    if not name:
        raise _unsettled(path, "ends in an empty segment, which has no suffix")
    dot = name.rfind(".")
    return _named(path, (name[:dot] if 0 < dot < len(name) - 1 else name) + new, after)


def path_of(segments: Sequence[str], *, rooted: bool, relative: bool) -> str:
    """Write the path of segments: with "/" before them if rooted, else one that is read as such.

    relative: whether no scheme precedes it, so that a ":" would end one.
    """
    path = "/".join(segments)
    if not segments or rooted:
        return f"/{path}" if segments else ""
    first = segments[0]
    if relative:
        return f"./{path}" if not first or ":" in first else path
    return path if first else f"/{path}"


def _named(path: str, name: str, after: After) -> str:
    """Replace the last segment by one that is encoded already."""
    head, slash, last = path.rpartition("/")
    _refuse_open_end(path, last)
    refuse_dots(name)
    return f"{head}/{name}" if slash else _fresh(path, [name], after)


def _fresh(path: str, segments: Sequence[str], after: After) -> str:
    """Write a path in the place of one."""
    rooted = after == "authority" or path.startswith("/")
    return path_of(segments, rooted=rooted, relative=after == "nothing")


def _refuse_open_end(path: str, last: str) -> None:
    if is_dots(last):
        raise _unsettled(path, f"ends in the dot segment {excerpt.quoted(last)}")


def _unsettled(path: str, reason: str) -> ComponentError:
    return unfit(
        "path",
        f"{excerpt.quoted(path)} {reason}; resolve or normalize the reference first",
        value=path,
        offset=path.rfind("/") + 1,
    )
