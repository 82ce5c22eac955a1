"""What a WAIS client asks a server for (RFC 1738 section 3.9, RFC 1625)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from uriparse.schemes.plans.access import expect, fit_to_send, server_of
from uriparse.schemes.records.wais import WaisURL

if TYPE_CHECKING:
    from uriparse.schemes.records.wais import Kind


@dataclass(frozen=True, slots=True)
class WaisPlan:
    """What to ask for; how is a matter of Z39.50, whose requests are not lines of text.

    Attributes:
        host, port: the server.
        kind: `"database"` (which can be searched), `"search"` or `"document"`.
        database: its name.
        search: the words to search for; None unless that is the kind.
        wtype: the type of the document; None unless that is the kind.
        wpath: the document's id, which only its server understands; None unless that is the kind.

    """

    host: str
    port: int
    kind: Kind
    database: bytes
    search: bytes | None = None
    wtype: bytes | None = None
    wpath: bytes | None = None


def wais_plan(url: WaisURL) -> WaisPlan:
    """Plan a search, or the access to a database or a document.

    SchemeError, with the offset, where anything decoded but the document's id holds CR, LF or
    NUL, or the port cannot be.

    >>> from uriparse.schemes import parse_url
    >>> wais_plan(parse_url("wais://h.d/db?a%20b")).search
    b'a b'
    """
    expect(url, WaisURL)
    host, port = server_of(url)
    return WaisPlan(
        host,
        port,
        url.kind,
        fit_to_send(url, url.database, "database"),
        None if url.search is None else fit_to_send(url, url.search, "search"),
        None if url.wtype is None else fit_to_send(url, url.wtype, "wtype"),
        None if url.wpath is None else url.wpath.octets,
    )
