"""The way back from a target to a reference: the inverse of resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.parsing import Reference, common_grammar
from uriparse.records import _unchecked
from uriparse.resolution.dot_segments import remove_dot_segments
from uriparse.resolution.resolving import absolute, guarded, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.records import URI


def relativize(base: Reference, target: Reference) -> Record:
    """Return a shortest reference that resolves to the target against the base.

    `resolve(base, relativize(base, target)) == target` wherever any reference does that. None
    does for a target with dot segments, unless its path is the base's own: resolution removes
    them (`http://a/b/../c` as a reference gives `http://a/c`). The law that holds for every pair
    is therefore `resolve(base, relativize(base, target)) == resolve(base, target)`, or
    `== target` where the path is the base's.

    Fragments of the base play no part. Schemes and authorities compare as text. Of several
    shortest references the one with the fewest components wins. Linear in time.

    ResolutionError if one of the two is a relative reference; URISyntaxError if a text is none.

    >>> str(relativize("http://a/b/c/d;p?q", "http://a/b/g?y"))
    '../g?y'
    >>> str(relativize("http://a/b/c", "http://a/b/x:y"))
    './x:y'
    """
    grammar = common_grammar(base, target)
    here = absolute(base, "base", grammar)
    there = absolute(target, "target", grammar)
    if here.scheme != there.scheme:
        return resolve(here, there)
    goal = resolve(here, there)
    for end in (there, goal):
        shortest = _without_path(here, end)
        if shortest is not None:
            return shortest
    candidates = [*_with_path(here, goal), goal]
    return min(
        (candidate for candidate in candidates if resolve(here, candidate) == goal),
        key=lambda candidate: len(str(candidate)),
    )


def _without_path(here: URI, goal: URI) -> Record | None:
    """Refer to a goal that has the path of `here`; None if that takes a path all the same."""
    if here.authority != goal.authority or here.path != goal.path:
        return None
    if here.query == goal.query:
        return _unchecked.reference(None, None, "", None, goal.fragment)
    if goal.query is not None:
        return _unchecked.reference(None, None, "", goal.query, goal.fragment)
    return None


def _with_path(here: URI, goal: URI) -> Iterator[Record]:
    """Give references with a path or an authority, of which some resolve to the goal."""
    # The guard of a path is not part of what it means: see resolve.guarded.
    path = remove_dot_segments(goal.path)
    if here.authority == goal.authority:
        yield _unchecked.reference(
            None, None, _relative_path(here, path), goal.query, goal.fragment
        )
        if path.startswith("/"):
            yield _unchecked.reference(None, None, guarded(path), goal.query, goal.fragment)
    if goal.authority is not None:
        yield _unchecked.reference(None, goal.authority, path, goal.query, goal.fragment)


def _relative_path(here: URI, path: str) -> str:
    """Lead from the directory of `here`: ".." for each segment that differs, then the rest."""
    directory = here.path[: here.path.rfind("/") + 1]
    if not directory and here.authority is not None:
        directory = "/"
    # What a merged path begins with, after dot segments have been removed from it.
    start = remove_dot_segments(directory).split("/")[:-1]
    end = path.split("/")
    common = 0
    for ours, theirs in zip(start, end[:-1], strict=False):
        if ours != theirs:
            break
        common += 1
    ups = len(start) - common
    rest = end[common:]
    if rest == [""]:
        return "/".join([".."] * ups) or "."
    if not ups and (not rest[0] or ":" in rest[0]):
        rest.insert(0, ".")
    return "/".join([".."] * ups + rest)
