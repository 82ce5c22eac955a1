"""Redirects, each of which may be relative to the one before (RFC 9110 section 10.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.parsing import as_reference
from uriparse.records import URI, URIReference, _unchecked
from uriparse.resolution.dot_segments import remove_dot_segments
from uriparse.resolution.resolving import guarded

if TYPE_CHECKING:
    from uriparse.parsing import Reference


class Redirects:
    """The target of a chain of references, resolved one after the other.

    The same as `resolve` gives step by step, without fragment. But the path is put together once
    from what the steps have added to it, so that time is linear in the texts of all of them.

    >>> from uriparse.parsing import parse
    >>> redirects = Redirects(parse("http://h/a/b?q"))
    >>> redirects.follow("c/")
    >>> redirects.follow("../d")
    >>> str(redirects.target())
    'http://h/a/d'
    """

    def __init__(self, first: URI) -> None:
        """Begin with a URI, whose path stays as it is until a step changes it."""
        self._scheme = first.scheme
        self._authority = first.authority
        self._query = first.query
        self._grammar = first.grammar
        self._begin(first.path)
        self._as_written = True

    def follow(self, step: Reference) -> None:
        """Resolve a further reference against what was reached; errors as for `resolve`."""
        given = step if isinstance(step, URIReference) else as_reference(step, self._grammar)
        path = given.path
        if isinstance(given, URI):
            self._scheme = given.scheme
            self._grammar = given.grammar
        elif self._grammar != given.grammar:
            self._grammar = "rfc3987"
        if isinstance(given, URI) or given.authority is not None:
            self._authority = given.authority
            self._begin(path)
        elif path.startswith("/"):
            self._begin(path)
        elif path:
            self._merge(path)
        elif given.query is None:
            return
        self._query = given.query

    def target(self) -> URI:
        """Return what was reached."""
        path = "".join([*self._directories, self._last])
        if not self._as_written:
            path = remove_dot_segments(path)
            if self._authority is None:
                path = guarded(path)
        return _unchecked.reference(
            self._scheme, self._authority, path, self._query, None, self._grammar
        )

    def _begin(self, path: str) -> None:
        directory = path.rfind("/") + 1
        self._directories = [path[:directory]]
        self._last = path[directory:]
        self._as_written = False

    def _merge(self, path: str) -> None:
        """Put a path in the place of the last segment (RFC 3986 section 5.2.3)."""
        if self._authority is not None and self._directories == [""]:
            self._directories = ["/"]
        elif self._last in {".", ".."} and not self._as_written:
            self._directories.append(f"{self._last}/")  # what it leads to is a directory
        directory = path.rfind("/") + 1
        self._directories.append(path[:directory])
        self._last = path[directory:]
        self._as_written = False
