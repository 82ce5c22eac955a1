"""wais: a database, a search in one or a document of one (RFC 1738 section 3.9, RFC 4156)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import ServerURL

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded

Kind: TypeAlias = Literal["database", "search", "document"]


class WaisURL(ServerURL):
    """`wais://host:port/database`, `.../database?search` or `.../database/wtype/wpath`, port 210.

    database: as written, may be empty.
    search: what to search for; None if the URL is not a search.
    wtype, wpath: type and id of a document; both None if the URL is not one. The id means something
        to its server alone and is never split.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> [parse_url("wais://h.d/" + text, registry=RFC1738).kind for text in ("db", "db?", "db/t/p")]
    ['database', 'search', 'document']
    """

    database: Encoded = url_field("database")
    search: Encoded | None = url_field("search")
    wtype: Encoded | None = url_field("wtype")
    wpath: Encoded | None = url_field("wpath")

    @property
    def kind(self) -> Kind:
        """Which of the three forms the URL has."""
        if self.search is not None:
            return "search"
        return "database" if self.wtype is None else "document"

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        database: url_parts.Data,
        search: url_parts.Data | None = None,
        wtype: url_parts.Data | None = None,
        wpath: url_parts.Data | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of data, with a search, or with type and id of a document, or with neither.

        >>> WaisURL.from_parts(host="h.d", database="db", wtype="TEXT", wpath=b"1=/x;")
        <WaisURL 'wais://h.d/db/TEXT/1%3D%2Fx%3B'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        fields = {"database": database, "search": search, "wtype": wtype, "wpath": wpath}
        fields |= url_parts.server(host, port, scheme)
        return url_parts.made(cls, scheme, fragment, fields, needs=("database",))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share."""
        return (*self._server(), *map(self._canonical, ("database", "search", "wtype", "wpath")))


class WaisURI(AuthorityURI, WaisURL):
    """`wais://host:port/database` and a search or a document; the fields of `WaisURL`.

    >>> from uriparse.schemes import parse_url
    >>> parse_url("wais://h.d/~db?a/b").search
    'a/b'
    """
