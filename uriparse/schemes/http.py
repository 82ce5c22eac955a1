"""http, https, ws and wss: a host, a path and a query (RFC 1738, RFC 9110, RFC 6455)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from uriparse._base.coerce import derived
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI, UserinfoURI
from uriparse.schemes.encoding import Encoded, Parts, parts_of
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import SchemeCause, ServerURL

_RESERVED = ";"
"""Within path and search part, "/", ";" and "?" have roles; of these their sets hold this one."""


class WebURL(ServerURL):
    """The syntax that http and https share (RFC 1738 section 3.3): `HttpURL` or `HttpsURL`.

    host, port: as for every `ServerURL`. User and password are not allowed.
    path: the text after the "/" that follows host and port; None without that "/".
    search: what follows "?"; None without "?".
    segments: the parts of the path between slashes, as written; none without a path.
    """

    path: Encoded | None = url_field("hpath", characters="hsegment", reserved=_RESERVED)
    search: Encoded | None = url_field("search", reserved=_RESERVED)
    segments: Parts = derived(lambda url: parts_of(url.path, "/"))

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        segments: Iterable[url_parts.Data] = (),
        search: url_parts.Data | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of data; `segments` without any has no path, not even "/".

        "/", ";" and "?" in data are encoded too. ComponentError for a search part without a path,
        and for segments of data that are "." or "..".

        >>> HttpURL.from_parts(host="h.d", segments=["a b", "c/d"], search="q=1&r=?")
        <HttpURL 'http://h.d/a%20b/c%2Fd?q=1&r=%3F'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        path = url_parts.segments_of(cls, "path", segments, scheme)
        fields = {"path": Encoded("/".join(path)) if path else None, "search": search}
        fields |= url_parts.server(host, port, scheme)
        return url_parts.made(cls, scheme, fragment, fields, {"segments": tuple(path)})

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a "?" before the path."""
        start = url.find("//") + 2
        comes_early = url.startswith("?", offset) and url.find("/", start, offset) < 0
        if 2 <= start < offset and comes_early:
            return SchemeCause("search-without-path", "search")
        return None

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; where there is neither, "/" may be left out."""
        return (*self._server(), self._canonical("path") or "", self._canonical("search"))


class HttpURL(WebURL):
    """`http://host:port/path?search`, port 80 by default.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("http://www.w3.org/a//b?x", registry=RFC1738)
    >>> url.host, url.effective_port, url.segments, url.search
    ('www.w3.org', 80, ('a', '', 'b'), 'x')
    """


class HttpsURL(WebURL):
    """As `HttpURL`, over a secured connection, port 443 by default (RFC 9110 section 4.2.2)."""


class RequestURI(AuthorityURI):
    """What URIs of the web and of WebSocket share: the path and the query of a request.

    segments: the parts of the path, each after its "/"; none for an empty path.
    """

    path: Encoded
    query: Encoded | None
    segments: Parts = derived(lambda url: url.path.parts("/")[1:])

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        userinfo: url_parts.Data | None = None,
        port: int | str | None = None,
        segments: Iterable[url_parts.Data] = (),
        query: url_parts.Data | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URI of data; `segments` without any has an empty path.

        host: as written, an address of IPv6 in brackets.
        userinfo, fragment: of http and https alone.

        "/" in segments is encoded too, while "&" and "=" stay in a query. ComponentError for
        segments of data that are "." or "..".

        >>> HttpURI.from_parts(host="[::1]", port=8080, segments=["~a b", "c/d"], query="q=1/2")
        <HttpURI 'http://[::1]:8080/~a%20b/c%2Fd?q=1/2'>
        >>> WssURI.from_parts(host="h.example", segments=["chat"])
        <WssURI 'wss://h.example/chat'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        path = url_parts.segments_of(cls, "path", segments, scheme)
        fields = {"userinfo": userinfo, "query": query, **url_parts.server(host, port, scheme)}
        fields["path"] = Encoded("".join(f"/{segment}" for segment in path))
        return url_parts.made(cls, scheme, fragment, fields, {"segments": tuple(path)})


class WebURI(RequestURI, UserinfoURI):
    """The syntax that http and https share (RFC 9110 section 4.2): `HttpURI` or `HttpsURI`.

    userinfo: deprecated, since it serves to disguise hosts (section 4.2.4); nobody is to send it.
    host: never empty (section 4.2.1).
    path: begins with "/" or is empty, which means the same as "/".
    query: what follows "?"; None without "?".
    """

    needs_host: ClassVar[bool] = True
    path: Encoded = url_field("path-abempty", characters="segment")
    query: Encoded | None = url_field("query")


class HttpURI(WebURI):
    """`http://host:port/path?query`, port 80 by default.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("http://h.example/~a//b?c/d")
    >>> url.host, url.effective_port, url.segments, url.query
    ('h.example', 80, ('~a', '', 'b'), 'c/d')
    """


class HttpsURI(WebURI):
    """As `HttpURI`, over a secured connection, port 443 by default."""


class WebSocketURI(RequestURI):
    """The syntax that ws and wss share (RFC 6455 section 3): `WsURI` or `WssURI`. No fragment.

    host: never empty: a client connects to it.
    path: begins with "/" or is empty.
    query: what follows "?"; None without "?".
    is_secure: whether the connection is one over TLS.
    resource_name: what the handshake asks for: the path, "/" if it is empty, and "?" and the query.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("wss://h.example?q")
    >>> url.resource_name, url.is_secure, url.effective_port
    ('/?q', True, 443)
    """

    needs_host: ClassVar[bool] = True
    path: Encoded = url_field("path", characters="segment")
    query: Encoded | None = url_field("query")
    is_secure: bool = derived(lambda url: url.scheme == "wss")
    resource_name: str = derived(
        lambda url: f"{url.path or '/'}{'' if url.query is None else f'?{url.query}'}"
    )


class WsURI(WebSocketURI):
    """`ws://host:port/path?query`, port 80 by default."""


class WssURI(WebSocketURI):
    """`wss://host:port/path?query`, over TLS, port 443 by default."""
