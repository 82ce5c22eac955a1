"""Reference resolution (RFC 3986 section 5.2), its inverse, and redirects."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, cast, overload

from uriparse import excerpt
from uriparse.coerce import Text, as_text
from uriparse.errors import ResolutionError
from uriparse.parsing import Reference, as_reference, common_grammar, parse
from uriparse.records import URI, URIReference, _unchecked
from uriparse.resolution.dot_segments import remove_dot_segments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record


# Kinds of references (RFC 3986 section 4): what one is, and what it means where it stands.

_SUFFIX_MARK = "www."


class ReferenceKind(StrEnum):
    """What a reference is by its form, in the RFC's terms."""

    URI = "URI"
    """With a scheme (section 3)."""
    NETWORK_PATH = "network-path"
    """Begins with "//" (section 4.2)."""
    ABSOLUTE_PATH = "absolute-path"
    """Begins with a single "/"."""
    RELATIVE_PATH = "relative-path"
    """The rest: also the empty reference, a query or a fragment alone."""


def reference_kind(reference: Reference) -> ReferenceKind:
    """Classify a reference (RFC 3986 sections 4.1 and 4.2).

    URISyntaxError if a text is none.

    >>> [str(reference_kind(text)) for text in ("a:b", "//g", "/g", "./a:b", "?y", "")]
    ['URI', 'network-path', 'absolute-path', 'relative-path', 'relative-path', 'relative-path']
    """
    record = as_reference(reference)
    if isinstance(record, URI):
        return ReferenceKind.URI
    if record.authority is not None:
        return ReferenceKind.NETWORK_PATH
    if record.path.startswith("/"):
        return ReferenceKind.ABSOLUTE_PATH
    return ReferenceKind.RELATIVE_PATH


def is_absolute_uri(reference: Reference) -> bool:
    """Whether a reference is an absolute-URI: with a scheme, without a fragment (section 4.3).

    An empty fragment is a fragment. URISyntaxError if a text is no reference.

    >>> is_absolute_uri("http://a/b"), is_absolute_uri("http://a/b#")
    (True, False)
    """
    record = as_reference(reference)
    return isinstance(record, URI) and record.fragment is None


def complete_suffix_reference(text: Text, *, base: Reference | None = None) -> URI:
    """Guess the URI that a reference without scheme and "//" stands for (RFC 3986 section 4.5).

    A heuristic for what people type: a text that begins with "www." in any letter case gets
    "http://" before it. Nothing else in uriparse does this: to `parse`, such a text is a
    relative path, or a URI whose scheme is the host name where a port follows.

    base: the base in force at that place, if there is one; with it the text is a relative
        reference and cannot be a suffix.

    ResolutionError if a base is given or the text does not look like a suffix reference;
    URISyntaxError, about the completed text, if that is no URI.

    >>> str(complete_suffix_reference("www.w3.org/Addressing/"))
    'http://www.w3.org/Addressing/'
    """
    if base is not None:
        raise ResolutionError("with a base this is a relative reference, not a suffix reference")
    plain = as_text(text)
    if plain[: len(_SUFFIX_MARK)].lower() != _SUFFIX_MARK:
        raise ResolutionError('a suffix reference begins with "www.", and this text does not')
    completed = parse("http://" + plain, "URI")
    assert isinstance(completed, URI)  # noqa: S101 - what the rule URI makes
    return completed


# Reference resolution: RFC 3986 section 5.2, to the letter but for one guard.

_R = TypeVar("_R", bound="Record")


@overload
def resolve(base: Reference, reference: Reference, *, strict: bool = True) -> URI: ...
@overload
def resolve(base: None, reference: Reference, *, strict: bool = True) -> Record: ...
def resolve(base: Reference | None, reference: Reference, *, strict: bool = True) -> Record:
    """Transform a reference into its target URI, given a base URI (RFC 3986 section 5.2.2).

    The base must have a scheme; its fragment plays no part, and it is not normalized first. Text
    given beside a record is read by the grammar of that record, so that IRIs resolve as well.
    Without a base (None), a URI loses its dot segments, a reference that is empty or a fragment
    alone comes back as it is (it means the same document, section 4.4), and any other is refused.

    strict: False ignores the reference's scheme where it equals the base's (section 5.2.2, for
        old documents that write `http:g`).

    Dot segments are compared as text, as section 5.2.4 does: `%2E` is no dot. Normalization
    (sections 6.2.2.2 and 6.2.2.3) decodes it first, so that a URI with an encoded dot segment may
    resolve to one place and normalize to another: `http://h/a/%2E./../c` resolves to
    `http://h/a/c`, and `normalize` returns `http://h/c`. `validate` reports such a segment as
    "encoded-dot-segment". Of relative references the two agree (see `normalize`).

    Where it departs from the pseudo-code, with the input that forces it:

    - A target without authority whose path would begin with "//" gets "/." before it, because
      `a://c` would be read back with `c` as its authority: `.//c`, `/.//c` and `..//c` against
      `a:/b` give `a:/.//c`.
    - With strict=False schemes are equal whatever their letter case (section 3.1): `HTTP:g`
      against `http://a/b` gives `http://a/g`.

    ResolutionError if the base is a relative reference, or missing where it is needed;
    URISyntaxError if a text is no reference.

    >>> str(resolve("http://a/b/c/d;p?q", "../g?y#s"))
    'http://a/b/g?y#s'
    >>> str(resolve("http://a/b/c", "http:g")), str(resolve("http://a/b/c", "http:g", strict=False))
    ('http:g', 'http://a/b/g')
    """
    if base is None:
        return _without_base(as_reference(reference))
    if not isinstance(base, URI):
        base = absolute(base, "base", common_grammar(reference))
    if not isinstance(reference, URIReference):
        reference = as_reference(reference, base.grammar)
    if isinstance(reference, URI) and (strict or reference.scheme.lower() != base.scheme.lower()):
        return _without_dots(reference)
    path = reference.path
    query = reference.query
    authority = reference.authority
    if authority is None:
        authority = base.authority
        if not path:
            path = base.path
            if query is None:
                query = base.query
        elif path.startswith("/"):
            path = remove_dot_segments(path)
        else:
            path = remove_dot_segments(merged(base, path))
    else:
        path = remove_dot_segments(path)
    if authority is None:
        path = guarded(path)
    grammar = base.grammar if base.grammar == reference.grammar else "rfc3987"
    return _unchecked.reference(base.scheme, authority, path, query, reference.fragment, grammar)


def guarded(path: str) -> str:
    """Return the path as it must be written after a scheme alone.

    A path that begins with "//" would be read back as an authority; "/." before it, which dot
    segment removal takes away again, prevents that.
    """
    return "/." + path if path.startswith("//") else path


def without_fragment(record: _R) -> _R:
    """Return the absolute-URI of a URI (RFC 3986 section 4.3), or a relative reference likewise."""
    if record.fragment is None:
        return record
    parts = (record.scheme, record.authority, record.path, record.query)
    return cast("_R", _unchecked.reference(*parts, None, record.grammar))


def absolute(given: Reference, role: str, grammar: str = "rfc3986") -> URI:
    """Return the URI that a caller gave in the role of a base or a target.

    ResolutionError, which says what to do, if it is a relative reference.
    """
    record = as_reference(given, grammar, role)
    if isinstance(record, URI):
        return record
    raise ResolutionError(
        f"the {role} {excerpt.masked(repr(record))} is a relative reference: resolve it first"
        " against the URI of what it stands in (see base_uri)"
    )


def merge(base: Reference, path: Text) -> str:
    """Merge the path of a reference with that of its base (RFC 3986 section 5.2.3).

    The path comes behind all but the last segment of the base's, dot segments and all; behind "/"
    where the base has an authority and an empty path.

    path: any text that does not begin with "/"; such a one takes the place of the base's path,
        and there is nothing to be merged.

    ResolutionError if it begins so, or if the base is a relative reference; URISyntaxError if the
    base is no reference.

    >>> merge("http://a/b/c/d;p?q", "../g"), merge("http://a", "g"), merge("a:b", "c")
    ('/b/c/../g', '/g', 'c')
    """
    text = as_text(path, "path")
    if text.startswith("/"):
        raise ResolutionError(
            'a path that begins with "/" is not merged: it takes the place of the base\'s path'
        )
    return merged(absolute(base, "base"), text)


def merged(base: URI, path: str) -> str:
    """RFC 3986 section 5.2.3, of a path that does not begin with "/"."""
    if base.authority is not None and not base.path:
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def _without_dots(uri: URI) -> URI:
    path = remove_dot_segments(uri.path)
    if uri.authority is None:
        path = guarded(path)
    if path == uri.path:
        return uri
    return _unchecked.reference(
        uri.scheme, uri.authority, path, uri.query, uri.fragment, uri.grammar
    )


def _without_base(reference: Record) -> Record:
    if isinstance(reference, URI):
        return _without_dots(reference)
    if is_same_document_reference(reference):
        return reference
    raise ResolutionError(
        f"{excerpt.masked(repr(reference))} is relative and no base is given to resolve it against"
    )


def is_same_document_reference(reference: URIReference) -> bool:
    """Whether it is empty or a fragment alone, so that no base is needed (RFC 3986 section 4.4)."""
    return (
        not reference.path
        and reference.query is None
        and reference.authority is None
        and reference.scheme is None
    )


# The way back from a target to a reference: the inverse of resolution.


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


# Redirects, each of which may be relative to the one before (RFC 9110 section 10.2.2).


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
