"""prospero: an object of the Prospero directory service (RFC 1738 section 3.11, RFC 4157)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar, Self

from uriparse.grammar.collecting import uncollected
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, _trusted_field, canonical
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import ServerURL

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
