"""Registered schemes by their grammars alone: dns, ipp, ipps, nfs, ni and pop."""

from __future__ import annotations

from typing import ClassVar, Literal

from uriparse.schemes.constraints import Constraint, once
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, full_pairs
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI


class DnsURI(GrammarURI, AuthorityURI):
    """`dns://server/name?class=...;type=...` (RFC 4501); without "//", any server is asked.

    dnsname: may be empty, which is the root. dnsquery: None without "?".

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("dns:example.org?TYPE=MX")
    >>> url.asked("class"), url.asked("type")
    ('IN', 'MX')
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        once("RFC 4501 section 3", "class", "type", field="parameters"),
    )
    dnsname: Encoded = url_field("dnsname")
    dnsquery: Encoded | None = url_field("dnsquery")

    @property
    def parameters(self) -> tuple[tuple[Encoded, Encoded], ...]:
        """Pairs of name and value, as written."""
        return full_pairs(self.dnsquery, ";")

    def asked(self, name: Literal["class", "type"]) -> str:
        """Return the class or the type of the records, in capitals: IN and A if not written."""
        default = {"class": "IN", "type": "A"}[name]
        return next((v.upper() for key, v in self.parameters if key.lower() == name), default)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the server, and the records of a name of the DNS.

        Every name is relative to the root, so that a dot at its end says nothing (section 3).
        """
        owner = self.dnsname.octets.lower()
        return (*self._server(), owner.removesuffix(b"."), self.asked("class"), self.asked("type"))


class IppURI(GrammarURI, AuthorityURI):
    """`ipp://host:port/path?query` (RFC 3510): a printer, or a job of one."""

    path: Encoded = url_field("path-abempty", "abs-path")
    query: Encoded | None = url_field("query")


class IppsURI(IppURI):
    """As `IppURI`, over TLS (RFC 7472)."""


class NfsURL(GrammarURI, AuthorityURI):
    """`nfs://host:port/path` (RFC 2224); without "//", a path of the same server.

    path: after "//" at its begin, it does not begin at the public directory.
    """

    path: Encoded = url_field("nfs-abempty", "nfs-absolute", "nfs-relative")


class NiURI(GrammarURI):
    """`ni://authority/algorithm;value?query` (RFC 6920): a thing by the hash of its octets.

    authority: may be empty. value: the hash in base64url. query: None without "?".
    """

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

    user: Encoded | None = url_field("enc-user")
    auth_type: Encoded | None = url_field("enc-auth-type")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the server, and the decoded names."""
        names = (self.user, self.auth_type)
        return (*self._server(), *(None if name is None else name.octets for name in names))
