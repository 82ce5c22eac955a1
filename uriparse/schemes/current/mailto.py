"""mailto URIs (RFC 6068): the addresses and the header fields of a message to be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from uriparse.coerce import as_items
from uriparse.grammar import matcher
from uriparse.schemes.current.generic import NO_ATOM, CurrentURI, described
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.parts import Data, checked, each_pair, own_scheme, written
from uriparse.schemes.trees import URLTransformer, leaf, root

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.schemes.scheme import Schemes

_GRAMMAR = "rfc6068"


class HeaderField(NamedTuple):
    """A header field of the message: name and value as written; see `Encoded.decoded`."""

    hfname: Encoded
    hfvalue: Encoded


class MailtoURI(CurrentURI):
    """`mailto:addr-spec,...?hfname=hfvalue&...`.

    to: the addresses as written, each behind the first with a "," before it; None without any.
    hfields: the header fields as written, "?" included; None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("mailto:a@x.example,%22b,c%22@y.example?to=d&Subject=e%20f",
    ...     registry=CURRENT)
    >>> [address.decoded for address in url.addresses]
    ['a@x.example', '"b,c"@y.example']
    >>> [(field.hfname, field.hfvalue.decoded) for field in url.headers]
    [('to', 'd'), ('Subject', 'e f')]
    """

    __slots__ = ("hfields", "to")
    __match_args__: ClassVar[tuple[str, ...]] = ("addresses", "headers")
    SCHEME: ClassVar[str | None] = "mailto"
    is_retrievable: ClassVar[bool] = False
    to: Encoded | None
    hfields: Encoded | None

    @property
    def addresses(self) -> tuple[Encoded, ...]:
        """The addresses before the "?", as written. A field named "to" holds further ones."""
        return () if self.to is None else tuple(_found("addr-spec", self.to))

    @property
    def headers(self) -> tuple[HeaderField, ...]:
        """The header fields, in their order; "body" is the text of the message."""
        return () if self.hfields is None else tuple(self._headers(self.hfields))

    @classmethod
    def from_parts(
        cls,
        *,
        addresses: Iterable[Data] = (),
        headers: Iterable[tuple[Data, Data]] = (),
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> MailtoURI:
        r"""Make a URI of data: addresses, and pairs of names and values of header fields.

        Plain text and octets are encoded, text as UTF-8; what is `Encoded` is taken as written. A
        line of a body ends with CR LF. ComponentError for what is no address: one without "@".

        >>> MailtoURI.from_parts(addresses=["a&b@x.example"], headers=[("body", "1\r\n2 & 3")])
        <MailtoURI 'mailto:a%26b@x.example?body=1%0D%0A2%20%26%203'>
        """
        given = as_items(addresses, "addresses", "an iterable of addresses")
        each = [
            written(a, "qchar", "an address", reserved=NO_ATOM, grammar=_GRAMMAR) for a in given
        ]
        pairs = tuple(
            (
                written(name, "qchar", "a header field", grammar=_GRAMMAR),
                written(value, "qchar", "its value", grammar=_GRAMMAR),
            )
            for name, value in each_pair(headers, "headers", "a header field")
        )
        asked = "&".join(f"{name}={value}" for name, value in pairs)
        text = f"{cls.SCHEME}:{','.join(each)}{'?' if pairs else ''}{asked}"
        expected = {"addresses": tuple(each), "headers": pairs}
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, MAILTO))

    @staticmethod
    def _headers(hfields: Encoded) -> Iterator[HeaderField]:
        at = (hfields.start or 0) + 1
        for field in hfields[1:].split("&"):
            name, equals, value = field.partition("=")
            begin = at + len(name) + len(equals)
            yield HeaderField(
                Encoded(name, at if name else None), Encoded(value, begin if value else None)
            )
            at += len(field) + 1


def _found(rule: str, field: Encoded) -> Iterator[Encoded]:
    start = field.start or 0
    for match in matcher(rule, _GRAMMAR).finditer(field):
        yield Encoded(match[0], start + match.start())


class MailtoTransformer(URLTransformer):
    """Trees of the rule `mailtoURI`."""

    mailtouri = root
    to = leaf("to")
    hfields = leaf("hfields")


MAILTO: Final = described("mailto", MailtoURI, MailtoTransformer, "mailtoURI", _GRAMMAR)
