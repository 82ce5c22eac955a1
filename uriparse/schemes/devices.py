"""Schemes of devices and services: coap, rtsp, stun, turn, dns, ipp, nfs, ni and pop."""

from __future__ import annotations

from typing import ClassVar, Literal

from uriparse._base.coerce import derived
from uriparse.schemes.constraints import Constraint, once
from uriparse.schemes.current_uri import AuthorityURI, UserinfoURI
from uriparse.schemes.encoding import Encoded, FullPairs, Parts, full_pairs, parts_of
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI

__all__ = [
    "CoapURI", "CoapsURI", "RtspURI", "RtspsURI", "StunURI", "StunsURI", "TurnURI", "TurnsURI",
]  # fmt: skip


class CoapURI(GrammarURI, AuthorityURI):
    """`coap://host:port/path?query` (RFC 7252 section 6.1), over TLS `coaps`. It has no fragment.

    host: never empty. path: begins with "/" or is empty. query: None without "?".
    uri_paths: what the options Uri-Path hold, as written: the segments; none for "/" (section 6.4).
    uri_queries: what the options Uri-Query hold, as written: the parts between "&".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("coap://example.com:5683/~sensors/temp.xml?a&b", registry=CURRENT)
    >>> url.host, url.effective_port, url.uri_paths, url.uri_queries
    ('example.com', 5683, ('~sensors', 'temp.xml'), ('a', 'b'))
    """

    path: Encoded = url_field("path-abempty")
    query: Encoded | None = url_field("query")
    uri_paths: Parts = derived(lambda url: () if url.path in {"", "/"} else url.path.parts("/")[1:])
    uri_queries: Parts = derived(lambda url: parts_of(url.query, "&"))


class CoapsURI(CoapURI):
    """As `CoapURI`, over DTLS, port 5684 by default."""


class CoapTcpURI(CoapURI):
    """As `CoapURI`, over TCP (RFC 8323 section 8.1)."""


class CoapsTcpURI(CoapURI):
    """As `CoapURI`, over TCP and TLS (RFC 8323 section 8.2)."""


class CoapWsURI(CoapURI):
    """As `CoapURI`, over WebSockets (RFC 8323 section 8.3)."""


class CoapsWsURI(CoapURI):
    """As `CoapURI`, over WebSockets and TLS (RFC 8323 section 8.4)."""


class RtspURI(GrammarURI, UserinfoURI):
    """`rtsp://host:port/path?query` (RFC 7826 section 4.2), over TLS `rtsps`.

    userinfo: None without "@". path: begins with "/" or is empty. query: None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("rtsp://media.example.com:554/twister/audiotrack", registry=CURRENT)
    >>> url.host, url.port, url.path
    ('media.example.com', '554', '/twister/audiotrack')
    """

    path: Encoded = url_field("path-abempty")
    query: Encoded | None = url_field("query")


class RtspsURI(RtspURI):
    """As `RtspURI`, over TLS, port 322 by default."""


class StunURI(GrammarURI, AuthorityURI):
    """`stun:host:port` (RFC 7064), over TLS `stuns`; without "//".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("stun:example.org", registry=CURRENT)
    >>> url.host, url.effective_port
    ('example.org', 3478)
    """

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: host, port, and the transport of a `TurnURI`."""
        return (*self._server(), (getattr(self, "transport", None) or "").lower())


class StunsURI(StunURI):
    """As `StunURI`, over TLS, port 5349 by default."""


class TurnURI(StunURI):
    """`turn:host:port?transport=...` (RFC 7065), over TLS `turns`; without "//".

    transport: "udp", "tcp" or another one, as written; None for any.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("turn:example.org:8000?transport=udp", registry=CURRENT)
    >>> url.host, url.effective_port, url.transport
    ('example.org', 8000, 'udp')
    """

    transport: Encoded | None = url_field("transport")


class TurnsURI(TurnURI):
    """As `TurnURI`, over TLS, port 5349 by default."""


class DnsURI(GrammarURI, AuthorityURI):
    """`dns://server/name?class=...;type=...` (RFC 4501); without "//", any server is asked.

    dnsname: may be empty, which is the root. dnsquery: None without "?".
    parameters: pairs of name and value, as written.

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
    parameters: FullPairs = derived(lambda url: full_pairs(url.dnsquery, ";"))

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
