"""Build references from data, whole or a path segment at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, overload

from uriparse import excerpt
from uriparse.building.data import (
    is_dots,
    refuse_dots,
    written,
    written_host,
    written_segment,
    written_userinfo,
)
from uriparse.building.queries import query_string
from uriparse.coerce import as_items, as_optional_str
from uriparse.errors import ComponentError
from uriparse.parsing import Record, Reference, as_reference
from uriparse.records import _unchecked
from uriparse.records.authority import checked_authority
from uriparse.records.components import check, grammar_of_records
from uriparse.resolution.resolving import guarded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from uriparse._compiled.names import RecordGrammar
    from uriparse.coerce import Data, Pairs
    from uriparse.records import URI, RelativeRef
    from uriparse.records.authority import PortPart
    from uriparse.records.hosts import HostPart


# Paths, a segment at a time (RFC 3986 section 3.3).
#
# Segments are data when they come in, and the others stay as they are written; so do query,
# fragment and all that stands before the path. To leave those out, say so: `replace(query=None)`.

_R = TypeVar("_R", bound=Record)


@overload
def child(uri: _R, *segments: Data) -> _R: ...
@overload
def child(uri: Reference, *segments: Data) -> Record: ...
def child(uri: Reference, *segments: Data) -> Record:
    """Add segments to the path of a reference; `record / segment` adds one.

    segments: data, "/" and all that is no segment in them is encoded; each is one segment, also
        `""`, by which a path ends in "/". The first takes the place of an empty last segment.

    Query and fragment stay. A path that would be read as something else gets "./" before it, or
    "/." as in `resolve`.

    ComponentError for "." and ".."; URISyntaxError if a text is no reference; EncodingError for
    text that has no octets.

    >>> str(child("http://h/a/?q", "b c", "d/e")), str(child("http://h", ""))
    ('http://h/a/b%20c/d%2Fe?q', 'http://h/')
    """
    record = as_reference(uri, name="uri")
    if not segments:
        return record
    new = [written_segment(segment, record.grammar) for segment in segments]
    path = record.path
    if not path:
        return _with_path(record, _fresh(record, new))
    slash = "" if path.endswith("/") else "/"
    return _with_path(record, f"{path}{slash}{'/'.join(new)}")


@overload
def parent(uri: _R) -> _R: ...
@overload
def parent(uri: Reference) -> Record: ...
def parent(uri: Reference) -> Record:
    """Take the last segment from the path of a reference; query and fragment stay.

    A path that begins with "/" keeps that one, and a relative path of one segment becomes ".".
    The root, and a URI without a path, is its own parent.

    ComponentError for a path that ends in a dot segment, or an empty reference: what lies above
    those shows when they are resolved. URISyntaxError if a text is no reference.

    >>> str(parent("http://h/a/b?q")), str(parent("http://h/a")), str(parent("a"))
    ('http://h/a?q', 'http://h/', '.')
    """
    record = as_reference(uri, name="uri")
    head, slash, last = record.path.rpartition("/")
    _refuse_open_end(record, last)
    if slash:
        return _with_path(record, head or slash)
    if record.scheme is None and record.host is None:
        if not last:
            raise _unsettled(record, "is empty")
        return _with_path(record, ".")
    return _with_path(record, "") if last else record


@overload
def with_segments(uri: _R, segments: Iterable[Data]) -> _R: ...
@overload
def with_segments(uri: Reference, segments: Iterable[Data]) -> Record: ...
def with_segments(uri: Reference, segments: Iterable[Data]) -> Record:
    """Exchange the path of a reference; one that begins with "/" will again.

    segments: data, as for `child`; none makes an empty path, one that is `""` makes "/".

    Errors as for `child`.

    >>> str(with_segments("http://h/a?q", ["b", "c?"])), str(with_segments("urn:a", ["b:c"]))
    ('http://h/b/c%3F?q', 'urn:b:c')
    """
    record = as_reference(uri, name="uri")
    parts = as_items(segments, "segments", "an iterable of segments")
    new = [written_segment(segment, record.grammar) for segment in parts]
    return _with_path(record, _fresh(record, new))


@overload
def with_name(uri: _R, name: Data) -> _R: ...
@overload
def with_name(uri: Reference, name: Data) -> Record: ...
def with_name(uri: Reference, name: Data) -> Record:
    """Exchange the last segment of a reference, be it empty.

    name: data, as for `child`.

    ComponentError as for `parent`, and otherwise as for `child`.

    >>> str(with_name("http://h/a/b?q", "c d")), str(with_name("http://h/a/", "b"))
    ('http://h/a/c%20d?q', 'http://h/a/b')
    """
    record = as_reference(uri, name="uri")
    return _named(record, written(name, "segment", record.grammar, "name"))


@overload
def with_suffix(uri: _R, suffix: Data) -> _R: ...
@overload
def with_suffix(uri: Reference, suffix: Data) -> Record: ...
def with_suffix(uri: Reference, suffix: Data) -> Record:
    """Exchange what follows the last dot of the last segment, the dot included, as pathlib does.

    suffix: data that begins with "."; `""` takes the suffix away. A dot at the beginning or the
        end of a segment begins no suffix.

    ComponentError for another suffix, and where the last segment is empty; otherwise as for
    `with_name`.

    >>> str(with_suffix("http://h/a.tar.gz?q", ".xz")), str(with_suffix("http://h/.rc", ".bak"))
    ('http://h/a.tar.xz?q', 'http://h/.rc.bak')
    """
    record = as_reference(uri, name="uri")
    new = written(suffix, "segment", record.grammar, "suffix")
    if new and (not new.startswith(".") or is_dots(new)):
        raise ComponentError(
            f'suffix: {excerpt.quoted(new)} is none: one begins with "." and goes on, or is ""',
            component="path",
            rule="segment",
            value=new,
        )
    name = record.path.rpartition("/")[2]
    if not name:
        raise _unsettled(record, "ends in an empty segment, which has no suffix")
    dot = name.rfind(".")
    return _named(record, (name[:dot] if 0 < dot < len(name) - 1 else name) + new)


def _named(record: Record, name: str) -> Record:
    """Exchange the last segment, given as it is written."""
    head, slash, last = record.path.rpartition("/")
    _refuse_open_end(record, last)
    refuse_dots(name)
    return _with_path(record, f"{head}/{name}" if slash else _fresh(record, [name]))


def _fresh(record: Record, segments: Sequence[str]) -> str:
    """Write a path in the place of one."""
    return path_of(
        segments,
        rooted=record.path.startswith("/") or record.host is not None,
        relative=record.scheme is None,
    )


def path_of(segments: Sequence[str], *, rooted: bool, relative: bool) -> str:
    """Write the path of segments: with "/" before them if rooted, else one that is read as such.

    relative: whether no scheme precedes it, so that a ":" would end one.

    >>> path_of(["", "a"], rooted=False, relative=True)
    './/a'
    """
    path = "/".join(segments)
    if not segments or rooted:
        return f"/{path}" if segments else ""
    first = segments[0]
    if relative:
        return f"./{path}" if not first or ":" in first else path
    return path if first else f"/{path}"


def _with_path(record: Record, path: str) -> Record:
    """Exchange the path by one made of valid segments."""
    if record.host is None:
        path = guarded(path)
    return _unchecked.reference(
        record.scheme, record.authority, path, record.query, record.fragment, record.grammar
    )


def _refuse_open_end(record: Record, last: str) -> None:
    if is_dots(last):
        raise _unsettled(record, f"ends in the dot segment {excerpt.quoted(last)}")


def _unsettled(record: Record, reason: str) -> ComponentError:
    return ComponentError(
        f"path: {excerpt.quoted(record.path)} {reason}; resolve or normalize the reference first",
        component="path",
        rule="path",
        value=record.path,
        offset=record.path.rfind("/") + 1,
    )


# A reference put together of data, every piece of it encoded by the rule of its place.


@overload
def make(
    *,
    scheme: str,
    user: Data | None = None,
    password: Data | None = None,
    host: HostPart | None = None,
    port: PortPart | None = None,
    path_segments: Iterable[Data] = (),
    rooted: bool = False,
    query: Pairs = (),
    fragment: Data | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> URI: ...
@overload
def make(
    *,
    scheme: None = None,
    user: Data | None = None,
    password: Data | None = None,
    host: HostPart | None = None,
    port: PortPart | None = None,
    path_segments: Iterable[Data] = (),
    rooted: bool = False,
    query: Pairs = (),
    fragment: Data | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> RelativeRef: ...
def make(  # noqa: PLR0913 - one for each piece
    *,
    scheme: str | None = None,
    user: Data | None = None,
    password: Data | None = None,
    host: HostPart | None = None,
    port: PortPart | None = None,
    path_segments: Iterable[Data] = (),
    rooted: bool = False,
    query: Pairs = (),
    fragment: Data | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> Record:
    """Make a reference of data, which is encoded (what is written already: `from_parts`).

    scheme: as it is to be written; None makes a relative reference.
    user, password: None is absent, `""` present and empty.
    host: a name, an address with or without brackets, a `Host` or an address of `ipaddress`. A
        name beyond ASCII is encoded, not mapped to the DNS's own (see `iri_to_uri`).
    port: its number or digits.
    path_segments: each one segment, whatever it holds; none is the empty path, one `""` is "/".
    rooted: whether the path begins with "/". It always does after a host.
    query: pairs of name and value, as for `query_string`; none is no query.
    grammar: "rfc3987" makes an IRI, which keeps characters beyond ASCII.

    ComponentError for segments that are "." or "..", for a name that no host has, for a scheme or
    port that breaks its rule, and for user, password or port without a host; EncodingError for
    text that has no octets; TypeError for what is no data.

    >>> make(scheme="https", host="h", path_segments=["a/b", "ü"], query=[("q", "1&2")])
    <URI 'https://h/a%2Fb/%C3%BC?q=1%262'>
    >>> make(scheme="urn", path_segments=["isbn:0-395-36341-1"])
    <URI 'urn:isbn:0-395-36341-1'>
    """
    grammar = grammar_of_records(grammar)
    scheme = as_optional_str(scheme, "scheme")
    if scheme is not None:
        check("scheme", scheme, grammar)
    name = None if host is None else written_host(host, grammar)
    userinfo = written_userinfo(user, password, grammar)
    authority = checked_authority(None, userinfo, name, port, grammar)
    parts = as_items(path_segments, "path_segments", "an iterable of segments")
    segments = [written_segment(part, grammar) for part in parts]
    path = path_of(segments, rooted=rooted or name is not None, relative=scheme is None)
    return _unchecked.reference(
        scheme,
        authority,
        guarded(path) if name is None else path,
        query_string(query, grammar=grammar) or None,
        None if fragment is None else written(fragment, "fragment", grammar, "fragment"),
        grammar,
    )
