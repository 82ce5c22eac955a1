"""Reference resolution (RFC 3986 section 5.2), its inverse, and redirects."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, cast, overload

from uriparse._base.coerce import Text, as_text
from uriparse.components.dot_segments import remove_dot_segments
from uriparse.components.servers import defaults_of
from uriparse.components.target import WWW, guarded, merged, path_without_dots
from uriparse.errors import ResolutionError, excerpt
from uriparse.parsing import Record, Reference, as_reference, common_grammar
from uriparse.records import URI, URIReference
from uriparse.records.references import _unchecked_parts, absolute, target, without_dots

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar

# Kinds of references (RFC 3986 section 4).


class ReferenceKind(StrEnum):
    """The kind of a reference, in the RFC's terms."""

    URI = "URI"
    """Has a scheme (section 3)."""
    NETWORK_PATH = "network-path"
    """Begins with "//" (section 4.2)."""
    ABSOLUTE_PATH = "absolute-path"
    """Begins with a single "/"."""
    RELATIVE_PATH = "relative-path"
    """Any other: also the empty reference, and a query or fragment alone."""


def reference_kind(
    reference: Reference, *, grammar: RecordGrammar | str = "rfc3986"
) -> ReferenceKind:
    """Return the kind of a reference (RFC 3986 sections 4.1 and 4.2).

    URISyntaxError if a text is not a reference.

    >>> [str(reference_kind(text)) for text in ("a:b", "//g", "/g", "./a:b", "?y", "")]
    ['URI', 'network-path', 'absolute-path', 'relative-path', 'relative-path', 'relative-path']
    """
    record = as_reference(reference, grammar)
    if isinstance(record, URI):
        return ReferenceKind.URI
    if record.authority is not None:
        return ReferenceKind.NETWORK_PATH
    if record.path.startswith("/"):
        return ReferenceKind.ABSOLUTE_PATH
    return ReferenceKind.RELATIVE_PATH


def is_absolute_uri(reference: Reference, *, grammar: RecordGrammar | str = "rfc3986") -> bool:
    """Whether a reference is an absolute-URI: with a scheme, without a fragment (section 4.3).

    An empty fragment is a fragment. URISyntaxError if a text is not a reference.

    >>> is_absolute_uri("http://a/b"), is_absolute_uri("http://a/b#")
    (True, False)
    """
    record = as_reference(reference, grammar)
    return isinstance(record, URI) and record.fragment is None


def complete_suffix_reference(
    text: Text, *, base: Reference | None = None, grammar: RecordGrammar | str = "rfc3986"
) -> URI:
    """Guess the URI that a suffix reference such as "www.a.com" means (RFC 3986 section 4.5).

    A heuristic for typed text: if it begins with "www." in any letter case, "http://" is added.
    Nothing else in uriparse does this: `parse` reads such a text as a relative path or, with a
    port, as a URI whose scheme is the host name.

    base: the base at that place, if there is one; then the text is a relative reference, not a
        suffix reference.

    ResolutionError if there is a base or the text is not a suffix reference; URISyntaxError, about
    the completed text, if that is not a URI.

    >>> str(complete_suffix_reference("www.w3.org/Addressing/"))
    'http://www.w3.org/Addressing/'
    """
    if base is not None:
        raise ResolutionError("with a base this is a relative reference, not a suffix reference")
    plain = as_text(text)
    if plain[: len(WWW)].lower() != WWW:
        raise ResolutionError('a suffix reference begins with "www.", and this text does not')
    return URI("http://" + plain, grammar=grammar)


# Reference resolution (RFC 3986 section 5.2).

_R = TypeVar("_R", bound="Record")


@overload
def resolve(
    base: Reference,
    reference: Reference,
    *,
    strict: bool = True,
    grammar: RecordGrammar | str = "rfc3986",
) -> URI: ...
@overload
def resolve(
    base: None,
    reference: Reference,
    *,
    strict: bool = True,
    grammar: RecordGrammar | str = "rfc3986",
) -> Record: ...
def resolve(
    base: Reference | None,
    reference: Reference,
    *,
    strict: bool = True,
    grammar: RecordGrammar | str = "rfc3986",
) -> Record:
    """Resolve a reference against a base URI (RFC 3986 section 5.2.2).

    The base must have a scheme; its fragment is ignored, and it is not normalized first. Without a
    base (None), a URI is resolved as with one, a reference that is empty or only a fragment is
    returned unchanged (it means the same document, section 4.4), and any other is an error.

    strict: False ignores the reference's scheme if it equals the base's (section 5.2.2, for old
        documents that write `http:g`).
    grammar: by which texts are parsed, "rfc3986" or "rfc3987"; always the latter beside the record
        of an IRI.

    Dot segments are compared as text, as in section 5.2.4: `%2E` is not a dot. `normalize` decodes
    it first, so a URI with an encoded dot segment may have two targets; see there.

    Departures from the pseudo-code, with the inputs that require them:

    - A target without authority whose path would begin with "//" gets "/." before it, because
      `a://c` would be parsed with `c` as its authority: `.//c`, `/.//c` and `..//c` against
      `a:/b` become `a:/.//c`.
    - A URI of a scheme whose paths are opaque (see `normalize`) keeps its dot segments: without
      them, `data:,a/../b` would hold other data. For relative references dot segments are
      removed, whatever the base.
    - With strict=False schemes are compared case-insensitively (section 3.1): `HTTP:g` against
      `http://a/b` becomes `http://a/g`.

    ResolutionError if the base is a relative reference, or missing although it is needed;
    URISyntaxError if a text is not a reference.

    >>> str(resolve("http://a/b/c/d;p?q", "../g?y#s"))
    'http://a/b/g?y#s'
    >>> str(resolve("http://a/b/c", "http:g")), str(resolve("http://a/b/c", "http:g", strict=False))
    ('http:g', 'http://a/b/g')
    """
    if base is None:
        record = as_reference(reference, grammar)
        if isinstance(record, URI):
            return without_dots(record)
        if is_same_document_reference(record):
            return record
        shown = excerpt.masked(repr(record))
        raise ResolutionError(f"{shown} is relative and needs a base to resolve it against")
    return target(base, reference, strict=strict, grammar=grammar)


def without_fragment(record: _R) -> _R:
    """Return a record without its fragment; for a URI, its absolute-URI (RFC 3986 section 4.3)."""
    return record if record.fragment is None else cast("_R", record.replace(fragment=None))


def merge(base: Reference, path: Text, *, grammar: RecordGrammar | str = "rfc3986") -> str:
    """Merge the path of a reference with that of its base (RFC 3986 section 5.2.3).

    The path replaces the last segment of the base's path, and dot segments stay; after an authority
    with an empty path it follows "/".

    path: any text that does not begin with "/", since an absolute path is not merged.

    ResolutionError if it begins with "/", or if the base is a relative reference; URISyntaxError if
    the base is not a reference.

    >>> merge("http://a/b/c/d;p?q", "../g"), merge("http://a", "g"), merge("a:b", "c")
    ('/b/c/../g', '/g', 'c')
    """
    text = as_text(path, "path")
    if text.startswith("/"):
        raise ResolutionError(
            'a path that begins with "/" is not merged: it replaces the base\'s path'
        )
    own = absolute(base, "base", grammar)
    return merged(own.path, text, after_authority=own.host is not None)


def is_same_document_reference(reference: URIReference) -> bool:
    """Whether a reference is empty or only a fragment, and needs no base (RFC 3986 section 4.4)."""
    return (
        not reference.path
        and reference.query is None
        and reference.authority is None
        and reference.scheme is None
    )


# Relativizing, the inverse of resolution.


def relativize(
    base: Reference, target: Reference, *, grammar: RecordGrammar | str = "rfc3986"
) -> Record:
    """Return a shortest reference that resolves to the target against the base.

    `resolve(base, relativize(base, target)) == target` if any reference does that. No reference
    does for a target with dot segments and another path than the base's, because resolution removes
    them (`http://a/b/../c` becomes `http://a/c`). For every pair either
    `resolve(base, relativize(base, target)) == resolve(base, target)` holds, or `== target` if the
    paths are equal.

    The base's fragment is ignored. Schemes and authorities are compared as text. Of several
    shortest references the one with the fewest components is returned. Linear in time.

    grammar: as in `resolve`.

    ResolutionError if one of the two is a relative reference; URISyntaxError for an invalid text.

    >>> str(relativize("http://a/b/c/d;p?q", "http://a/b/g?y"))
    '../g?y'
    >>> str(relativize("http://a/b/c", "http://a/b/x:y"))
    './x:y'
    """
    grammar = common_grammar(base, target, grammar=grammar)
    here = absolute(base, "base", grammar)
    there = absolute(target, "target", grammar)
    if here.scheme != there.scheme:
        return resolve(here, there)
    goal = resolve(here, there)
    for end in (there, goal):
        shortest = _without_path(here, end)
        if shortest is not None:
            return shortest
    # Each candidate is resolved again: dot segments and empty segments can make it lead elsewhere.
    candidates = [*_with_path(here, goal), goal]
    return min(
        (candidate for candidate in candidates if resolve(here, candidate) == goal),
        key=lambda candidate: len(str(candidate)),
    )


def _without_path(here: URI, goal: URI) -> Record | None:
    """Return a reference without a path to a goal with the path of `here`; None if impossible."""
    if here.authority != goal.authority or here.path != goal.path:
        return None
    if here.query == goal.query:
        return _relative("", None, goal.fragment)
    return None if goal.query is None else _relative("", goal.query, goal.fragment)


def _with_path(here: URI, goal: URI) -> Iterator[Record]:
    """Yield candidates with a path or an authority, not all of which resolve to the goal."""
    # Removes the "/." that `guarded` may have added.
    path = remove_dot_segments(goal.path)
    if here.authority == goal.authority:
        yield _relative(_relative_path(here, path), goal.query, goal.fragment)
        if path.startswith("/"):
            yield _relative(guarded(path), goal.query, goal.fragment)
    if goal.host is not None:
        yield _relative(path, goal.query, goal.fragment, goal)


def _relative(
    path: str, query: str | None, fragment: str | None, server: URIReference | None = None
) -> Record:
    """Make a reference without a scheme, and with the authority of another if one is given."""
    own = (None, None, None) if server is None else (server.userinfo, server.host, server.port)
    return _unchecked_parts(None, *own, path, query, fragment, None)


def _relative_path(here: URI, path: str) -> str:
    """Return the path from the directory of `here`: ".." for each other segment, then the rest."""
    directory = here.path[: here.path.rfind("/") + 1]
    if not directory and here.authority is not None:
        directory = "/"
    # The beginning of a merged path after its dot segments are removed.
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
        rest.insert(0, ".")  # else parsed as an absolute path or a scheme
    return "/".join([".."] * ups + rest)


class Redirects:
    """A chain of redirects, each relative to the one before (RFC 9110 section 10.2.2).

    The target equals repeated calls of `resolve`, without the fragment. The path is joined once at
    the end, so that time is linear in the length of all steps.

    >>> from uriparse.parsing import parse
    >>> redirects = Redirects(parse("http://h/a/b?q"))
    >>> redirects.follow("c/")
    >>> redirects.follow("../d")
    >>> str(redirects.target())
    'http://h/a/d'
    """

    def __init__(self, first: URI) -> None:
        """Start with a URI, whose path is kept until a step changes it."""
        self._scheme = first.scheme
        self._server: URIReference = first
        self._query = first.query
        self._grammar = first.grammar
        self._set_path(first.path)
        self._as_written = True

    def follow(self, step: Reference) -> None:
        """Resolve another reference against the current target; errors as for `resolve`."""
        record = step if isinstance(step, URIReference) else as_reference(step, self._grammar)
        path = record.path
        if isinstance(record, URI):
            self._scheme = record.scheme
            self._grammar = record.grammar
        elif self._grammar != record.grammar:
            self._grammar = "rfc3987"
        if isinstance(record, URI) or record.host is not None:
            self._server = record
            self._set_path(path)
            self._as_written = isinstance(record, URI) and defaults_of(record.scheme).opaque
        elif path.startswith("/"):
            self._set_path(path)
        elif path:
            self._merge(path)
        elif record.query is None:
            return
        self._query = record.query

    def target(self) -> URI:
        """Return the current target."""
        path = "".join([*self._directories, self._last])
        if not self._as_written:
            path = path_without_dots(path, after_authority=self._server.host is not None)
        own = (self._server.userinfo, self._server.host, self._server.port)
        made = _unchecked_parts(self._scheme, *own, path, self._query, None, self._grammar)
        return cast("URI", made)

    def _set_path(self, path: str) -> None:
        directory = path.rfind("/") + 1
        self._directories = [path[:directory]]
        self._last = path[directory:]
        self._as_written = False

    def _merge(self, path: str) -> None:
        """Replace the last segment with a path (RFC 3986 section 5.2.3)."""
        if self._server.host is not None and self._directories == [""]:
            self._directories = ["/"]
        elif self._last in {".", ".."} and not self._as_written:
            self._directories.append(f"{self._last}/")  # a dot segment names a directory
        directory = path.rfind("/") + 1
        self._directories.append(path[:directory])
        self._last = path[directory:]
        self._as_written = False
