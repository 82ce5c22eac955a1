"""Build references and queries from data, and read the pairs of queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict, Unpack, cast, overload

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import Data, Pairs, Text, as_items, as_optional_str, as_text
from uriparse._native import kernel
from uriparse.components.component_data import written, written_segments
from uriparse.components.component_text import NO_ZONE, check, grammar_of_records, rule_of
from uriparse.components.path_edits import path_of
from uriparse.components.query_edits import between_pairs, written_pairs
from uriparse.components.servers import SCHEME_DEFAULTS, defaults_of
from uriparse.components.target import guarded
from uriparse.errors import ComponentError, excerpt, unfit
from uriparse.grammar import charset
from uriparse.grammar.matchers import fullmatch
from uriparse.parsing import as_reference
from uriparse.percent import OctetErrors, Separator, decoded_pairs, quote
from uriparse.records.authority import PortPart, checked_authority, checked_port
from uriparse.records.hosts import HostPart, host_of_part, host_reader, read_host
from uriparse.records.references import _unchecked_parts
from uriparse.records.rewriting import built

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.parsing import Record
    from uriparse.records import URI, Host, RelativeRef


class _Pieces(TypedDict, total=False):
    """What `make` puts after the scheme; for type checkers."""

    user: Data | None
    password: Data | None
    host: HostPart | None
    port: PortPart | None
    segments: Iterable[Data]
    rooted: bool
    query: Pairs
    fragment: Data | None
    grammar: RecordGrammar | str


@overload
def make(*, scheme: str, **pieces: Unpack[_Pieces]) -> URI: ...
@overload
def make(*, scheme: None = None, **pieces: Unpack[_Pieces]) -> RelativeRef: ...
def make(  # noqa: PLR0913 - one for each piece
    *texts: object,
    scheme: str | None = None,
    user: Data | None = None,
    password: Data | None = None,
    host: HostPart | None = None,
    port: PortPart | None = None,
    segments: Iterable[Data] = (),
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
    segments: each one segment, whatever it holds; none is the empty path, one `""` is "/".
    rooted: whether the path begins with "/". It always does after a host.
    query: pairs of name and value, as for `query_string`; none is not a query.
    grammar: "rfc3987" makes an IRI, which keeps characters beyond ASCII.

    ComponentError for segments that are "." or "..", for a name that no host has, for a scheme or
    port that breaks its rule, for user, password or port without a host, and for http and other
    schemes of servers without one; EncodingError for
    lone surrogates; TypeError for other types.

    >>> make(scheme="https", host="h", segments=["a/b", "ü"], query=[("q", "1&2")])
    <URI 'https://h/a%2Fb/%C3%BC?q=1%262'>
    >>> make(scheme="urn", segments=["isbn:0-395-36341-1"])
    <URI 'urn:isbn:0-395-36341-1'>
    """
    if texts:
        raise TypeError("make() takes parts by name: scheme, host, segments...; parse() reads text")
    for other in others:
        known = hints.foreign_names("make")
        why = known.get(other, "give user, password, host, port, segments, query or fragment")
        raise TypeError(f"make() takes no {other}: {why}")
    if host is None and scheme is not None and defaults_of(scheme).empty_path_is_slash:
        raise unfit("host", f"a URI of {scheme} has one: give host")
    if kernel is not None and user is password is fragment is None and grammar == "rfc3986":
        made = built(scheme, host, port, segments, query)
        if made is not None:
            return cast("Record", made)
    grammar = grammar_of_records(grammar)
    scheme = as_optional_str(scheme, "scheme")
    server = None if host is None else written_host(host, grammar)
    userinfo = None if user is password is None else written_userinfo(user, password, grammar)
    parts = as_items(segments, "segments", "an iterable of segments")
    path = path_of(
        written_segments(parts, grammar),
        rooted=rooted or server is not None,
        relative=scheme is None,
    )
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
    return _unchecked_parts(scheme, userinfo, server, digits, path, pairs, last, grammar)


def written_host(host: HostPart, grammar: str) -> Host:
    """Make a host of a name, whose characters beyond ASCII are encoded, or of an address.

    Of texts, an IPv6 address may come with or without its brackets. ComponentError, with its
    offset, for an ASCII character that no name holds.
    """
    if not isinstance(host, str):
        return host_of_part(host, grammar)
    text = host if type(host) is str else as_text(host)
    if "%" not in text and (found := host_reader("rfc3986")(text)):
        return found
    if fullmatch("IPv6address")(text):
        return read_host(f"[{text}]", grammar)
    address, percent, _ = text.strip("[]").partition("%")
    if percent and fullmatch("IPv6address")(address):
        raise unfit("host", NO_ZONE, rule_of("host", grammar), value=text, offset=text.index("%"))
    letters = charset("reg-name")
    for offset, character in enumerate(text):
        if character.isascii() and character not in letters:  # as triplets it would hide
            raise unfit(
                "host",
                f"{excerpt.found_at(text, offset)} at offset {offset} is not part of a name;"
                " give user, password and port by themselves, a name with triplets as a RegName",
                rule_of("reg-name", grammar),
                value=text,
                offset=offset,
            )
    return read_host(written(text, "reg-name", grammar, "host"), grammar)


def written_userinfo(user: Data | None, password: Data | None, grammar: str) -> str | None:
    """Write user and password; None without either, ComponentError for a password alone."""
    if user is None:
        if password is not None:
            raise ComponentError(
                'password: given without a user, which may be ""',
                component="userinfo",
                rule=rule_of("userinfo", grammar),
            )
        return None
    # The first ":" ends the user, so the user itself cannot contain one.
    text = written(user, "userinfo", grammar, "user").replace(":", quote(":", "unreserved"))
    if password is None:
        return text
    return f"{text}:{written(password, 'userinfo', grammar, 'password')}"


# Queries made of pairs: their pairs, and their text.


def query_pairs(
    reference: Text | None = None,
    *,
    query: Text | None = None,
    plus: bool = True,
    separator: Separator = "&",
    errors: OctetErrors = "strict",
    grammar: RecordGrammar | str = "rfc3986",
) -> tuple[tuple[str, str | None], ...]:
    """Split the query of a reference into pairs of name and value, then decode each of both.

    reference: a record, or the text of a URI or relative reference; without a query it has no
        pairs.
    query: instead of a reference, the text of a query.
    plus: True reads "+" as a space, as HTML forms, browsers, servers, `urllib.parse.parse_qsl` and
        yarl do; only `%2B` is a plus sign then. False reads "+" as itself, as in RFC 3986.
    separator: "&", as in browsers and `parse_qsl`; ";" or "&;" (either one) for a server that is
        known to split so.
    errors: "replace" reads what "strict" refuses as browsers read it: octets that are not UTF-8 as
        U+FFFD, and a "%" without two digits as itself.
    grammar: by which the text of a reference is parsed, "rfc3986" or "rfc3987".

    The value is None without "=", and `""` if nothing follows it; empty pairs are skipped.
    `query_string` writes a space as `%20` and a plus sign as `%2B`, which do not depend on `plus`;
    `with_query` keeps existing pairs as written.

    URISyntaxError for an invalid reference. ComponentError for a text such as "a=1&b", a relative
    path with "=" in its first segment: it is nearly always a query that was not given by name.
    EncodingError as for `unquote`, for octets that are not UTF-8; its offset is within the query,
    and the message names the pair. ValueError for another separator. TypeError unless exactly one
    of both is given.

    >>> query_pairs("http://h/?a=1&b=x%26y+z&c&d=;")
    (('a', '1'), ('b', 'x&y z'), ('c', None), ('d', ';'))
    >>> query_pairs(query="a=1+2;b", plus=False, separator=";")
    (('a', '1+2'), ('b', None))
    """
    if query is None and reference is not None:
        record = as_reference(reference, grammar)
        if (
            record is not reference
            and record.scheme is None
            and "=" in (first := record.path.partition("/")[0])
        ):
            raise unfit(
                "path",
                "a query is given by name, query_pairs(query=...); a path like this begins with ./",
                offset=first.index("="),
            )
        text = record.query or ""
    elif query is not None and reference is None:
        text = as_text(query, "query")
    else:
        raise TypeError("give either a reference or query=, the text of a query")
    return decoded_pairs(text, plus=plus, separator=separator, errors=errors)


def query_string(
    pairs: Pairs, *, separator: Separator = "&", grammar: RecordGrammar | str = "rfc3986"
) -> str:
    """Write pairs of name and value as a query, which `query_pairs` reads back.

    pairs: data. A space is written as `%20` and a plus sign as `%2B`, so a server may read
        "+" as a space or not; "&", ";" and "=" are encoded too. A value may be a number; a bool
        is written "true" or "false"; with None only the name is written. In a mapping, a list
        holds several values of the name.
    separator: what is written between pairs, the first character of "&", ";" or "&;".
    grammar: "rfc3987" keeps characters beyond ASCII.

    Linear in time. ComponentError for the pair of `""` and None, which has no written form;
    EncodingError for lone surrogates; TypeError for another type of pair; ValueError
    for another separator.

    >>> query_string([("q", "a&b=c+d e"), ("page", 2), ("all", None), ("", "")])
    'q=a%26b%3Dc%2Bd%20e&page=2&all&='
    """
    between = between_pairs(separator)
    return between.join(written_pairs(pairs, grammar_of_records(grammar)))
