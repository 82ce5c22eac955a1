"""mailto: the addresses and header fields of a message (RFC 1738 section 3.5, RFC 6068)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple, Self

from uriparse._base.coerce import as_items, derived
from uriparse.errors import unfit
from uriparse.grammar import matcher
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import fold_triplets, lower_around_triplets
from uriparse.schemes.constraints import Constraint, in_utf8
from uriparse.schemes.current_uri import NO_ATOM, CurrentURI
from uriparse.schemes.encoding import Encoded, full_pairs
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import URL
from uriparse.schemes.url_parts import Data, Schemes, each_pair, made, written


class MailtoURL(URL):
    """`mailto:address`. RFC 1738 knows no headers: "?" belongs to the address.

    address: the `addr-spec` of RFC 822 as written; no character of it is reserved, but "%",
        frequent in addresses, is written `%25`.
    local: the decoded address before its last "@"; all of it if there is none.
    domain: the decoded address after its last "@"; None if there is none. EncodingError for both if
        the octets are not UTF-8.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("mailto:user%25host@relay.dom", registry=RFC1738)
    >>> url.address.decoded, url.local, url.domain
    ('user%host@relay.dom', 'user%host', 'relay.dom')
    """

    address: Encoded = url_field("encoded822addr")
    local: str = derived(lambda url: url.address.decoded.rsplit("@", 1)[0])
    domain: str | None = derived(lambda url: (*url.address.decoded.rsplit("@", 1), None)[1])

    @property
    def is_addr_spec(self) -> bool:
        """Return whether the address is one by RFC 822; the rule of RFC 1738 takes any text.

        Words, which are atoms or quoted strings, between full stops; "@"; and a domain of atoms or
        of literals in brackets (section 6.1).

        >>> from uriparse.schemes import RFC1738, parse_url
        >>> texts = ["mailto:" + text for text in ("a.b@c.d", "a..b@c.d", "a")]
        >>> [parse_url(text, registry=RFC1738).is_addr_spec for text in texts]
        [True, False, False]
        """
        text = self.address.octets.decode("latin-1")
        return fullmatch("addr-spec", "rfc822")(text) is not None

    @classmethod
    def from_parts(
        cls, *, address: Data, fragment: Data | None = None, registry: Schemes | None = None
    ) -> Self:
        """Make a URL of an address; ComponentError for an empty one.

        >>> MailtoURL.from_parts(address="user%host@relay.dom")
        <MailtoURL 'mailto:user%25host@relay.dom'>
        """
        return made(cls, registry, fragment, {"address": address}, needs=("address",))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share: the address, but for the letter case of its domain."""
        address = self._canonical("address") or ""
        local, at, domain = address.rpartition("@")
        return local + at, domain.lower() if at else domain


_GRAMMAR = "rfc6068"


class HeaderField(NamedTuple):
    """A header field of the message: name and value as written; see `Encoded.decoded`."""

    hfname: Encoded
    hfvalue: Encoded


class MailtoURI(CurrentURI):
    """`mailto:addr-spec,...?hfname=hfvalue&...`.

    to: the addresses before "?" as written, separated by ","; None without any.
    hfields: the header fields as written, "?" included; None without "?".
    headers: the header fields, in their order; "body" is the text of the message.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("mailto:a@x.example,%22b,c%22@y.example?to=d@z.example&Subject=e%20f")
    >>> [address.decoded for address in url.addresses]
    ['a@x.example', '"b,c"@y.example', 'd@z.example']
    >>> [(field.hfname, field.hfvalue.decoded) for field in url.headers]
    [('to', 'd@z.example'), ('Subject', 'e f')]
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        in_utf8("RFC 6068 section 2", "to", "hfields"),
    )
    to: Encoded | None = url_field("to", characters="qchar", shown=("addresses",))
    hfields: Encoded | None = url_field("hfields", characters="qchar", shown=("headers",))
    headers: tuple[HeaderField, ...] = derived(
        lambda url: tuple(map(HeaderField._make, full_pairs(url.hfields, "&", 1)))
    )

    @property
    def addresses(self) -> tuple[Encoded, ...]:
        """All addresses, as written: those before the "?", then those of the fields named "to".

        A field whose value is not a list of addresses alone, such as one with names of people, is
        only in `headers`.
        """
        fields = [field.hfvalue for field in self.headers if field.hfname.decoded.lower() == "to"]
        lists = [each for each in fields if fullmatch("to", _GRAMMAR)(each)]
        given = lists if self.to is None else [self.to, *lists]
        return tuple(found for each in given for found in _found("addr-spec", each))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 2).

        A field "to" means the same as the addresses before "?", the names of fields ignore letter
        case, and so do domains.
        """
        parts = (fold_triplets(address).rpartition("@") for address in self.addresses)
        fields = ((fold_triplets(name).lower(), value) for name, value in self.headers)
        others = (
            (name, fold_triplets(value))
            for name, value in fields
            if name != "to" or fullmatch("to", _GRAMMAR)(value) is None
        )
        addresses = ((local, lower_around_triplets(domain)) for local, _, domain in parts)
        return (tuple(addresses), tuple(others))

    @classmethod
    def from_parts(
        cls,
        *,
        addresses: Iterable[Data] = (),
        headers: Iterable[tuple[Data, Data]] = (),
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        r"""Make a URI of data: addresses, and pairs of names and values of header fields.

        A line of a body ends with CR LF. ComponentError for an address without "@".

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
        fields = {
            "to": Encoded(",".join(each)) if each else None,
            "hfields": Encoded(f"?{asked}") if pairs else None,
        }
        found = made(cls, registry, fragment, fields, {"headers": pairs})
        if found.addresses[: len(each)] != tuple(each):
            raise unfit("addresses", "holds a delimiter, and would be read as more than that", "to")
        return found


def _found(rule: str, field: Encoded) -> Iterator[Encoded]:
    start = field.start or 0
    for match in matcher(rule, _GRAMMAR).finditer(field):
        yield Encoded(match[0], start + match.start())
