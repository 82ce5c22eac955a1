"""mailto URLs (RFC 1738 section 3.5): the address of a mailbox, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.encoding import Encoded, canonical
from uriparse.schemes.parts import Data, checked, own_scheme, written
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.trees import URLTransformer, leaf, root
from uriparse.schemes.url import URL

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Schemes


class MailtoURL(URL):
    """`mailto:address`. RFC 1738 knows no headers: "?" belongs to the address.

    address: the `addr-spec` of RFC 822 as written; no character of it is reserved, but "%",
        frequent in addresses, is written `%25`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("mailto:user%25host@relay.dom")
    >>> url.address.decoded, url.local, url.domain
    ('user%host@relay.dom', 'user%host', 'relay.dom')
    """

    __slots__ = ("address",)
    __match_args__: ClassVar[tuple[str, ...]] = ("address",)
    SCHEME: ClassVar[str | None] = "mailto"
    is_retrievable: ClassVar[bool] = False
    address: Encoded

    @property
    def local(self) -> str:
        """The decoded address before its last "@"; all of it if there is none.

        EncodingError if the octets are not UTF-8.
        """
        before, at, after = self.address.decoded.rpartition("@")
        return before if at else after

    @property
    def domain(self) -> str | None:
        """The decoded address after its last "@"; None if there is none.

        EncodingError if the octets are not UTF-8.
        """
        _, at, after = self.address.decoded.rpartition("@")
        return after if at else None

    @property
    def is_addr_spec(self) -> bool:
        """Whether the address is one by RFC 822; the rule of RFC 1738 takes any text.

        >>> from uriparse.schemes import parse_url
        >>> [parse_url("mailto:" + text).is_addr_spec for text in ("a.b@c.d", "a..b@c.d", "a")]
        [True, False, False]
        """
        from uriparse.schemes.records.mail import is_addr_spec  # noqa: PLC0415 - for those who ask

        return is_addr_spec(self.address.octets)

    @classmethod
    def from_parts(
        cls,
        *,
        address: Data,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> MailtoURL:
        """Make a URL of an address; an `Encoded` is taken as written, other data is encoded.

        ComponentError for an empty address.

        >>> MailtoURL.from_parts(address="user%host@relay.dom")
        <MailtoURL 'mailto:user%25host@relay.dom'>
        """
        text = written(address, "encoded822addr", "address")
        return checked(
            cls,
            f"{cls.SCHEME}:{text}",
            fragment,
            {"address": text},
            own_scheme(cls, registry, MAILTO),
        )

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URLs share: the address, but for the letter case of its domain."""
        address = canonical(self.address, "encoded822addr")
        local, at, domain = address.rpartition("@")
        return local + at, domain.lower() if at else domain


class MailtoTransformer(URLTransformer):
    """Trees of the rule `mailtourl`."""

    mailtourl = root
    encoded822addr = leaf("address")


MAILTO: Final = Scheme(
    "mailto", MailtoURL, MailtoTransformer, "mailtourl", word="mailto", host_after=None
)
