"""Registered schemes by their grammars alone: dns, ipp, ni and pop."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI, shipped

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded


class DnsURI(GrammarURI, AuthorityURI):
    """`dns://server/name?class=...;type=...` (RFC 4501); without "//", any server is asked.

    dnsname: may be empty, which is the root. dnsquery: None without "?".
    """

    SCHEME: ClassVar[str | None] = "dns"
    dnsname: Encoded = url_field("dnsname")
    dnsquery: Encoded | None = url_field("dnsquery")


class IppURI(GrammarURI, AuthorityURI):
    """`ipp://host:port/path?query` (RFC 3510): a printer, or a job of one."""

    SCHEME: ClassVar[str | None] = "ipp"
    needs_host: ClassVar[bool] = True
    path: Encoded = url_field("path-abempty")
    query: Encoded | None = url_field("query")


class NiURI(GrammarURI):
    """`ni://authority/algorithm;value?query` (RFC 6920): a thing by the hash of its octets.

    authority: may be empty. value: the hash in base64url. query: None without "?".
    """

    SCHEME: ClassVar[str | None] = "ni"
    is_location_independent: ClassVar[bool] = True
    authority: Encoded = url_field("authority")
    algorithm: Encoded = url_field("alg")
    value: Encoded = url_field("val")
    query: Encoded | None = url_field("query")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 2): algorithm and value alone."""
        return (str(self.algorithm), str(self.value))


class PopURI(GrammarURI, AuthorityURI):
    """`pop://user;AUTH=type@host:port` (RFC 2384): a mailbox.

    user: None without "@". auth_type: "*" for any, None without ";AUTH=".
    """

    SCHEME: ClassVar[str | None] = "pop"
    user: Encoded | None = url_field("enc-user")
    auth_type: Encoded | None = url_field("enc-auth-type")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the server, and the decoded names."""
        names = (self.user, self.auth_type)
        return (*self._server(), *(None if name is None else name.octets for name in names))


SCHEMES: Final = (
    shipped(DnsURI, "rfc4501", "dnsurl"),
    shipped(IppURI, "rfc3510", "ipp-URL"),
    shipped(NiURI, "rfc6920", "NI-URI"),
    shipped(PopURI, "rfc2384", "pop-url", has_fragment=False),
)
