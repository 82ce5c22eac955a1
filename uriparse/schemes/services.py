"""telnet, wais and prospero: services of 1994 (RFC 1738 sections 3.8, 3.9 and 3.11).

Today's URIs are those of RFC 4248, RFC 4156 and RFC 4157.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar, Literal, Self, TypeAlias

from uriparse.grammar.collecting import uncollected
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, _trusted_field, canonical
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import LoginURL, ServerURL
from uriparse.schemes.url_parts import Data, Schemes, made, own_scheme, server


class TelnetURL(LoginURL):
    """`telnet://user:password@host:port/`, port 23 by default.

    user, password, host, port: as for every `LoginURL`; the first two are advice to the person
        at the terminal, and not sent.
    urlpath: `""` where a "/" follows host and port, None where none does. Both mean the same.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("telnet://well.sf.ca.us", registry=RFC1738)
    >>> url.host, url.effective_port, url.user, url.credentials_advisory
    ('well.sf.ca.us', 23, None, True)
    """

    urlpath: Encoded | None = url_field(
        derived=lambda own: Encoded("") if own.url.endswith("/") else None
    )

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        user: Data | None = None,
        password: Data | None = None,
        port: int | str | None = None,
        slash: bool = True,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URL of data, with or without the "/" at its end.

        >>> TelnetURL.from_parts(host="h.d", user="guest", port=2323)
        <TelnetURL 'telnet://guest@h.d:2323/'>
        """
        scheme = own_scheme(cls, registry)
        fields = {"user": user, "password": password, **server(host, port, scheme)}
        return made(cls, scheme, fragment, fields, end="/" if slash else "")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share."""
        return self._login()


class TelnetURI(AuthorityURI, TelnetURL):
    """`telnet://user:password@host:port/`, port 23 by default; the fields of `TelnetURL`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("telnet://guest~1@[::1]/")
    >>> url.user, url.host, url.effective_port
    ('guest~1', '[::1]', 23)
    """


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


_EMPTY = Encoded("")


def _fieldspecs(own: ServerURL) -> Encoded:
    """Return the fields as a whole: from the first ";" on that no name of a host holds."""
    name = own.url.index("/", own.url.index("//") + 2)
    start = own.url.find(";", name)
    return Encoded("") if start < 0 else Encoded(own.url[start:], start)


class ProsperoURL(ServerURL):
    """`prospero://host:port/hsoname;field=value...`, port 1525 by default.

    hsoname: the object's name on its host, as written. Only the server knows what it means: "/"
        within it has no role, and one at its start comes after the "/" that precedes every name.
    fieldspecs: the fields as written, each with the ";" before it; `""` where there are none.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3;w=2", registry=RFC1738)
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '3'), ('w', '2')))
    """

    UNREAD: ClassVar[tuple[str, ...]] = ("fieldspec", "fieldname", "fieldvalue", "field", "value")
    _PAIR: ClassVar[tuple[str, str]] = ("fieldname", "fieldvalue")
    """The rules of a field's name and of its value."""
    hsoname: Encoded = url_field("ppath", characters="urlpath", reserved=";")
    fieldspecs: Encoded = url_field(shown=("fields",), derived=_fieldspecs)

    @property
    def fields(self) -> tuple[tuple[Encoded, Encoded], ...]:
        """Pairs of name and value as written, in their order; a name may come more than once."""
        with uncollected(self.fieldspecs):
            return tuple(self._fields())

    def _fields(self) -> Iterator[tuple[Encoded, Encoded]]:
        at = (self.fieldspecs.start or 0) + 1
        for field in self.fieldspecs.split(";")[1:]:
            name, _, value = field.partition("=")
            # Of what is empty one is enough: a URL can hold a million of them.
            yield (
                _trusted_field(Encoded, name, at) if name else _EMPTY,
                _trusted_field(Encoded, value, at + len(name) + 1) if value else _EMPTY,
            )
            at += len(field) + 1

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        hsoname: url_parts.Data,
        fields: Iterable[tuple[url_parts.Data, url_parts.Data]] = (),
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of data: a name, and pairs of fields and values.

        "/" in the name stays. EncodingError for a lone surrogate.

        >>> ProsperoURL.from_parts(host="host.dom", hsoname="/pros/a;b", fields=[("v", "1=")])
        <ProsperoURL 'prospero://host.dom//pros/a%3Bb;v=1%3D'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        write = partial(url_parts.written, grammar=scheme.grammar)
        of_field, of_value = cls._PAIR
        pairs = tuple(
            (write(field, of_field, "a field"), write(value, of_value, "its value"))
            for field, value in url_parts.each_pair(fields, "fields", "a field")
        )
        tail = "".join(f";{field}={value}" for field, value in pairs)
        named = {**url_parts.server(host, port, scheme), "hsoname": hsoname}
        expected = {"fields": pairs}
        return url_parts.made(cls, scheme, fragment, named, expected, needs=("hsoname",), end=tail)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; "/" in the name is a character like others."""
        return (
            *self._server(),
            self._canonical("hsoname"),
            tuple(
                (canonical(field, "fieldname"), canonical(value, "fieldvalue"))
                for field, value in self.fields
            ),
        )


class ProsperoURI(AuthorityURI, ProsperoURL):
    """`prospero://host:port/hsoname;field=value...`; the fields of `ProsperoURL`.

    >>> from uriparse.schemes import parse_url
    >>> parse_url("prospero://h.d/~a/b;v=~1;w=").fields
    (('v', '~1'), ('w', ''))
    """

    _PAIR: ClassVar[tuple[str, str]] = ("field", "value")
    hsoname: Encoded = url_field("hsoname")
