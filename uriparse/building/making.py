"""Build references from data, whole or a path segment at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack, overload

from uriparse._base.coerce import Data, Pairs, as_items, as_optional_str
from uriparse._native import kernel
from uriparse.building.component_data import (
    is_dots,
    refuse_dots,
    written,
    written_host,
    written_segments,
    written_userinfo,
)
from uriparse.building.queries import written_pairs
from uriparse.errors import ComponentError, excerpt, unfit
from uriparse.parsing.rewriting import built, remade
from uriparse.records import URI, RelativeRef, URIReference, _unchecked
from uriparse.records.authority import PortPart, checked_authority, checked_port
from uriparse.records.components import check, grammar_of_records
from uriparse.records.servers import SCHEME_DEFAULTS
from uriparse.resolution.resolving import guarded

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.parsing import Record
    from uriparse.records.hosts import HostPart


# Paths, a segment at a time (RFC 3986 section 3.3): what the methods of records call.
#
# Segments are data when they come in, and the others stay as they are written; so do query,
# fragment and everything before the path.

_R = TypeVar("_R", bound=URIReference)


def child(record: _R, segments: Iterable[Data]) -> _R:
    """Add segments to the path: `URIReference.child`."""
    new = written_segments(segments, record.grammar)
    path = record.path
    if not new:
        return record
    if not path:
        return _with_path(record, _fresh(record, new))
    slash = "" if path.endswith("/") else "/"
    return _with_path(record, f"{path}{slash}{'/'.join(new)}")


def parent(record: _R) -> _R:
    """Remove the last segment from the path: `URIReference.parent`."""
    head, slash, last = record.path.rpartition("/")
    _refuse_open_end(record, last)
    if slash:
        return _with_path(record, head or slash)
    if record.scheme is None and record.host is None:
        if not last:
            raise _unsettled(record, "is empty")
        return _with_path(record, ".")
    return _with_path(record, "") if last else record


class _Parents(Sequence[_R]):
    """The references above one, of which only the lengths of the paths are kept."""

    def __init__(self, record: _R) -> None:
        self._record = record
        self._sizes = [*_sizes(record)]
        self._is_relative = record.scheme is None and record.host is None

    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, index: int) -> _R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_R]: ...
    def __getitem__(self, index: int | slice) -> _R | Sequence[_R]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        path = self._record.path[: self._sizes[index]]
        return _with_path(self._record, path or "." if self._is_relative else path)

    def __repr__(self) -> str:
        return repr([*self])


def parents(record: _R) -> Sequence[_R]:
    """Return the references above: `URIReference.parents`."""
    return _Parents(record)


def _sizes(record: URIReference) -> Iterator[int]:
    """Yield how much of the path each parent has, as `parent` finds them one by one."""
    path, end = record.path, len(record.path)
    while True:
        slash = path.rfind("/", 0, end)
        _refuse_open_end(record, path[slash + 1 : end])
        size = max(slash, 0) or (0 if slash < 0 else 1)
        if size == end:
            return
        yield size
        end = size


def with_segments(record: _R, segments: Iterable[Data]) -> _R:
    """Replace the path: `URIReference.with_segments`."""
    parts = as_items(segments, "segments", "an iterable of segments")
    new = written_segments(parts, record.grammar)
    return _with_path(record, _fresh(record, new))


def with_name(record: _R, name: Data) -> _R:
    """Replace the last segment: `URIReference.with_name`."""
    return _named(record, written(name, "segment", record.grammar, "name"))


def with_suffix(record: _R, suffix: Data) -> _R:
    """Replace the suffix of the last segment: `URIReference.with_suffix`."""
    new = written(suffix, "segment", record.grammar, "suffix")
    if new and (not new.startswith(".") or is_dots(new)):
        raise ComponentError(
            f'suffix: {excerpt.quoted(new)} is not one: a suffix is "." and more, or ""',
            component="path",
            rule="segment",
            value=new,
        )
    name = record.path.rpartition("/")[2]
    if not name:
        raise _unsettled(record, "ends in an empty segment, which has no suffix")
    dot = name.rfind(".")
    return _named(record, (name[:dot] if 0 < dot < len(name) - 1 else name) + new)


def _named(record: _R, name: str) -> _R:
    """Replace the last segment by one that is encoded already."""
    head, slash, last = record.path.rpartition("/")
    _refuse_open_end(record, last)
    refuse_dots(name)
    return _with_path(record, f"{head}/{name}" if slash else _fresh(record, [name]))


def _fresh(record: URIReference, segments: Sequence[str]) -> str:
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


def _with_path(record: _R, path: str) -> _R:
    """Replace the path by one made of valid segments."""
    if record.host is None:
        path = guarded(path)
    return remade(record, path, record.query)


def _refuse_open_end(record: URIReference, last: str) -> None:
    if is_dots(last):
        raise _unsettled(record, f"ends in the dot segment {excerpt.quoted(last)}")


def _unsettled(record: URIReference, reason: str) -> ComponentError:
    return unfit(
        "path",
        f"{excerpt.quoted(record.path)} {reason}; resolve or normalize the reference first",
        value=record.path,
        offset=record.path.rfind("/") + 1,
    )


_NOT_MADE = {
    "path": "give path_segments, each of them data; URIReference.from_parts takes a written path",
    "authority": "give user, password, host and port",
    "userinfo": "give user and password",
    "query_pairs": "give query",
    "username": "give user",
}


class _Pieces(TypedDict, total=False):
    """What `make` puts after the scheme; for type checkers."""

    user: Data | None
    password: Data | None
    host: HostPart | None
    port: PortPart | None
    path_segments: Iterable[Data]
    rooted: bool
    query: Pairs
    fragment: Data | None
    grammar: RecordGrammar | str


@overload
def make(*, scheme: str, **pieces: Unpack[_Pieces]) -> URI: ...
@overload
def make(*, scheme: None = None, **pieces: Unpack[_Pieces]) -> RelativeRef: ...
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
    **others: object,
) -> Record:
    """Make a reference from data, and encode the data (for encoded text: `from_parts`).

    scheme: as it is to be written; None makes a relative reference.
    user, password: None is absent, `""` present and empty.
    host: a name, an address with or without brackets, a `Host` or an address of `ipaddress`. A
        name beyond ASCII is encoded, not mapped to the DNS's own (see `iri_to_uri`).
    port: its number or digits.
    path_segments: each one segment, whatever it holds; none is the empty path, one `""` is "/".
    rooted: whether the path begins with "/". It always does after a host.
    query: pairs of name and value, as for `query_string`; none is not a query.
    grammar: "rfc3987" makes an IRI, which keeps characters beyond ASCII.

    ComponentError for segments that are "." or "..", for a name that no host has, for a scheme or
    port that breaks its rule, and for user, password or port without a host; EncodingError for
    lone surrogates; TypeError for other types.

    >>> make(scheme="https", host="h", path_segments=["a/b", "ü"], query=[("q", "1&2")])
    <URI 'https://h/a%2Fb/%C3%BC?q=1%262'>
    >>> make(scheme="urn", path_segments=["isbn:0-395-36341-1"])
    <URI 'urn:isbn:0-395-36341-1'>
    """
    for other in others:
        why = _NOT_MADE.get(other, "see its arguments; URIReference.from_parts takes encoded text")
        raise TypeError(f"make() takes no {other}: {why}")
    if kernel is not None and user is password is fragment is None and grammar == "rfc3986":
        made = built(scheme, host, port, path_segments, query)
        if made is not None:
            return made
    grammar = grammar_of_records(grammar)
    scheme = as_optional_str(scheme, "scheme")
    server = None if host is None else written_host(host, grammar)
    userinfo = None if user is password is None else written_userinfo(user, password, grammar)
    parts = as_items(path_segments, "path_segments", "an iterable of segments")
    segments = written_segments(parts, grammar)
    path = path_of(segments, rooted=rooted or server is not None, relative=scheme is None)
    pairs = "&".join(written_pairs(query, grammar)) or None
    last = None if fragment is None else written(fragment, "fragment", grammar, "fragment")
    # All else is valid as it has been written, and so are the names of known schemes.
    if scheme is not None and scheme not in SCHEME_DEFAULTS:
        check("scheme", scheme, grammar)
    if server is None:
        path = guarded(path)
        if userinfo is not None or port is not None:
            checked_authority(None, userinfo, None, port, grammar)
    digits = checked_port(port, grammar)
    return _unchecked.parts(scheme, userinfo, server, digits, path, pairs, last, grammar)
