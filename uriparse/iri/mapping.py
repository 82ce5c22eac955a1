"""The mapping between IRIs and URIs (RFC 3987 sections 3.1 and 3.2)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from uriparse.parsing import as_reference, parse
from uriparse.percent.utf8_triplets import decode, encode
from uriparse.records import RegName
from uriparse.records.components import compose, compose_authority
from uriparse.resolution.dot_segments import keep_encoded_dots

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.parsing import Record, Reference


def iri_to_uri(iri: Reference, *, idna: bool = False) -> Record:
    """Map an IRI reference to the URI reference that identifies the same (RFC 3987 section 3.1).

    Each character beyond ASCII becomes the triplets of its UTF-8 octets; nothing else changes,
    so a URI maps to itself. No character normalization takes place (section 3.1, step 1c).

    idna: True writes a host name beyond ASCII, percent-encoded or not, as a DNS name instead
        (ToASCII, with the mapping of UTS 46). For schemes whose hosts are DNS names.

    URISyntaxError if a text is no IRI reference; EncodingError if its host is no DNS name.

    >>> str(iri_to_uri("http://résumé.example.org/é"))
    'http://r%C3%A9sum%C3%A9.example.org/%C3%A9'
    >>> str(iri_to_uri("http://résumé.example.org", idna=True))
    'http://xn--rsum-bpad.example.org'
    """
    record = as_reference(iri, "rfc3987", "iri")
    text = str(record)
    if idna:
        from uriparse.iri.idna_hosts import to_ascii  # noqa: PLC0415 - only those who ask pay for it

        text = _mapped(record, host=to_ascii)
    return parse(encode(text))


def uri_to_iri(uri: Reference, *, idna: bool = False) -> Record:
    """Map a URI reference to an IRI reference that is easier to read (RFC 3987 section 3.2).

    Triplets of unreserved characters, and of UTF-8 octets, become characters. Those that stay:
    of reserved and of other ASCII characters; of octets that are no UTF-8; of characters that
    IRIs do not allow there, of spaces, and of those that are invisible or change the direction
    of text; and, in a relative reference, the first dot of a segment that would become a dot
    segment, and lead elsewhere. Mapped back, the IRI gives a URI with the same normal form (level
    "syntax").

    idna: True also decodes the `xn--` labels of the host.

    URISyntaxError if a text is no URI reference.

    >>> str(uri_to_iri("http://www.example.org/D%C3%BCrst%2F%7Eu%FC"))
    'http://www.example.org/Dürst%2F~u%FC'
    """
    record = as_reference(uri, name="uri")
    host: Callable[[str], str] = decode
    path = decode if record.scheme is not None else _decoded_relative_path
    if idna:
        from uriparse.iri.idna_hosts import to_unicode  # noqa: PLC0415 - only those who ask pay for it

        def host(name: str) -> str:
            return to_unicode(decode(name))

    text = _mapped(record, host, path, decode, partial(decode, private=True))
    return parse(text, "IRI-reference", grammar="rfc3987")


def _as_it_is(text: str) -> str:
    return text


def _decoded_relative_path(path: str) -> str:
    return keep_encoded_dots(path, decode(path))


def _mapped(
    record: Record,
    host: Callable[[str], str],
    path: Callable[[str], str] = _as_it_is,
    other: Callable[[str], str] = _as_it_is,
    query: Callable[[str], str] = _as_it_is,
) -> str:
    """Put the text of a reference together again, with its components mapped."""
    authority: str | None = None
    if record.host is not None:
        name = record.host.text
        authority = compose_authority(
            None if record.userinfo is None else other(record.userinfo),
            host(name) if isinstance(record.host, RegName) else name,
            record.port,
        )
    return compose(
        record.scheme,
        authority,
        path(record.path),
        None if record.query is None else query(record.query),
        None if record.fragment is None else other(record.fragment),
    )
