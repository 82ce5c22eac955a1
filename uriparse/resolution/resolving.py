"""Reference resolution: RFC 3986 section 5.2, to the letter but for one guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast, overload

from uriparse import excerpt
from uriparse.door import as_text
from uriparse.errors import ResolutionError
from uriparse.parsing import Reference, as_reference, common_grammar
from uriparse.records import URI, URIReference, _unchecked
from uriparse.resolution.dot_segments import remove_dot_segments

if TYPE_CHECKING:
    from uriparse.door import Text
    from uriparse.parsing import Record

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
