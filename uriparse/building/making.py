"""A reference put together of data, every piece of it encoded by the rule of its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from uriparse.building.data import written, written_host, written_segment, written_userinfo
from uriparse.building.queries import query_string
from uriparse.building.segments import path_of
from uriparse.door import as_items, as_optional_str
from uriparse.records import _unchecked
from uriparse.records.authority import checked_authority
from uriparse.records.components import check, grammar_of_records
from uriparse.resolution.resolving import guarded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse._compiled.names import RecordGrammar
    from uriparse.door import Data, Pairs
    from uriparse.parsing import Record
    from uriparse.records import URI, RelativeRef
    from uriparse.records.authority import PortPart
    from uriparse.records.hosts import HostPart


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
