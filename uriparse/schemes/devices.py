"""Schemes of devices, streams and calls: coap, rtsp, stun and turn, and each over TLS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.schemes.current_uri import AuthorityURI, UserinfoURI
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded

__all__ = [
    "CoapURI", "CoapsURI", "RtspURI", "RtspsURI", "StunURI", "StunsURI", "TurnURI", "TurnsURI",
]  # fmt: skip


class CoapURI(GrammarURI, AuthorityURI):
    """`coap://host:port/path?query` (RFC 7252 section 6.1), over TLS `coaps`. It has no fragment.

    host: never empty. path: begins with "/" or is empty. query: None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("coap://example.com:5683/~sensors/temp.xml?a&b", registry=CURRENT)
    >>> url.host, url.effective_port, url.uri_paths, url.uri_queries
    ('example.com', 5683, ('~sensors', 'temp.xml'), ('a', 'b'))
    """

    path: Encoded = url_field("path-abempty")
    query: Encoded | None = url_field("query")

    @property
    def uri_paths(self) -> tuple[Encoded, ...]:
        """What the options Uri-Path hold, as written: the segments; none for "/" (section 6.4)."""
        return () if self.path in {"", "/"} else self.path.parts("/")[1:]

    @property
    def uri_queries(self) -> tuple[Encoded, ...]:
        """What the options Uri-Query hold, as written: the parts between "&"."""
        return () if self.query is None else self.query.parts("&")


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
