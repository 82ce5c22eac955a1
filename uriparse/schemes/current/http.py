"""http and https URIs (RFC 9110 section 4.2), ws and wss URIs (RFC 6455 section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.current.generic import (
    AuthorityURI,
    HostTransformer,
    UserinfoURI,
    described,
)
from uriparse.schemes.trees import branch, leaf, root

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded


class WebURI(UserinfoURI):
    """The syntax that http and https share: an `HttpURI` or an `HttpsURI`.

    userinfo: deprecated, since it serves to disguise hosts (section 4.2.4); nobody is to send it.
    host: never empty (section 4.2.1).
    path: begins with "/" or is empty, which means the same as "/".
    query: what follows "?"; None without "?".
    """

    __slots__ = ("path", "query")
    __match_args__: ClassVar[tuple[str, ...]] = ("userinfo", "host", "port", "path", "query")
    needs_host: ClassVar[bool] = True
    path: Encoded
    query: Encoded | None

    @property
    def segments(self) -> tuple[Encoded, ...]:
        """The parts of the path, each behind its "/"; none for an empty path."""
        return self.path.parts("/")[1:]


class HttpURI(WebURI):
    """`http://host:port/path?query`, port 80 by default.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("http://h.example/~a//b?c/d", registry=CURRENT)
    >>> url.host, url.effective_port, url.segments, url.query
    ('h.example', 80, ('~a', '', 'b'), 'c/d')
    """

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "http"


class HttpsURI(WebURI):
    """As `HttpURI`, over a secured connection, port 443 by default."""

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "https"


class WebSocketURI(AuthorityURI):
    """The syntax that ws and wss share: a `WsURI` or a `WssURI`. They have no fragment.

    host: never empty: a client connects to it.
    path: begins with "/" or is empty.
    query: what follows "?"; None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("wss://h.example?q", registry=CURRENT)
    >>> url.resource_name, url.is_secure, url.effective_port
    ('/?q', True, 443)
    """

    __slots__ = ("path", "query")
    __match_args__: ClassVar[tuple[str, ...]] = ("host", "port", "path", "query")
    needs_host: ClassVar[bool] = True
    path: Encoded
    query: Encoded | None

    @property
    def is_secure(self) -> bool:
        """Whether the connection is one over TLS."""
        return self.scheme == "wss"

    @property
    def resource_name(self) -> str:
        """What the handshake asks for: the path, "/" if it is empty, and "?" and the query."""
        return f"{self.path or '/'}{'' if self.query is None else f'?{self.query}'}"


class WsURI(WebSocketURI):
    """`ws://host:port/path?query`, port 80 by default."""

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "ws"


class WssURI(WebSocketURI):
    """`wss://host:port/path?query`, over TLS, port 443 by default."""

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "wss"


class WebTransformer(HostTransformer):
    """Trees of the rules `http-URI` and `https-URI`."""

    http_uri = root
    https_uri = root
    authority = branch
    userinfo = leaf("userinfo")
    path_abempty = leaf("path")
    query = leaf("query")


class WebSocketTransformer(HostTransformer):
    """Trees of the rules `ws-URI` and `wss-URI`."""

    ws_uri = root
    wss_uri = root
    path = leaf("path")
    query = leaf("query")


HTTP: Final = described(
    "http", HttpURI, WebTransformer, "http-URI", "rfc9110", hierarchical=True, host_after="//"
)
HTTPS: Final = described(
    "https", HttpsURI, WebTransformer, "https-URI", "rfc9110", hierarchical=True, host_after="//"
)
WS: Final = described(
    "ws",
    WsURI,
    WebSocketTransformer,
    "ws-URI",
    "rfc6455",
    hierarchical=True,
    host_after="//",
    fragment=None,
)
WSS: Final = described(
    "wss",
    WssURI,
    WebSocketTransformer,
    "wss-URI",
    "rfc6455",
    hierarchical=True,
    host_after="//",
    fragment=None,
)
