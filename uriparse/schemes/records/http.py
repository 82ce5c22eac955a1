"""http and https URLs (RFC 1738 section 3.3): a host, a path, a search part."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Self

from uriparse.coerce import as_items
from uriparse.errors import ComponentError
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.schemes.encoding import Encoded, canonical
from uriparse.schemes.parts import Data, checked, own_scheme, server_parts, written, written_segment
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.trees import ServerTransformer, leaf, root
from uriparse.schemes.url import ServerURL, Sign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse.schemes.scheme import Schemes

_RESERVED = ";"
"""Within path and search part, "/", ";" and "?" have roles; of these their sets hold this one."""


class WebURL(ServerURL):
    """The syntax that http and https share: an `HttpURL` or an `HttpsURL`.

    host, port: as for every `ServerURL`; there is no user and no password.
    path: what follows the "/" after host and port, which is no part of it; None without "/".
    search: what follows "?"; None without "?".
    """

    __slots__ = ("path", "search")
    __match_args__: ClassVar[tuple[str, ...]] = ("host", "port", "path", "search")
    path: Encoded | None
    search: Encoded | None

    @property
    def segments(self) -> tuple[Encoded, ...]:
        """The parts of the path between slashes, as written; none without a path."""
        return () if self.path is None else self.path.parts("/")

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        segments: Iterable[Data] = (),
        search: Data | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URL of data; `segments` without any has no path, not even "/".

        Plain text and octets are encoded, "/", ";" and "?" in them too; what is `Encoded` is
        taken as written. ComponentError for parts that make no URL, as a search part without a
        path, and for segments of data that are "." or "..".

        >>> HttpURL.from_parts(host="h.d", segments=["a b", "c/d"], search="q=1&r=?")
        <HttpURL 'http://h.d/a%20b/c%2Fd?q=1&r=%3F'>
        """
        server, fields = server_parts(host, port)
        text = f"{cls.SCHEME}://{server}"
        parts = as_items(segments, "segments", "an iterable of segments")
        path = [
            written_segment(part, "hsegment", "a segment", reserved=_RESERVED) for part in parts
        ]
        if path:
            text += "/" + "/".join(path)
        part = None if search is None else written(search, "search", reserved=_RESERVED)
        if part is not None:
            if not path:
                raise ComponentError(
                    "search: given without a path, which may be one empty segment",
                    component="search",
                    rule="httpurl",
                )
            text += f"?{part}"
        expected = {**fields, "segments": tuple(path), "search": part}
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, HTTP, HTTPS))

    @classmethod
    def sign(cls, url: str, offset: int) -> Sign | None:
        """Tell a "?" that comes before the path."""
        start = url.find("//") + 2
        comes_early = url.startswith("?", offset) and url.find("/", start, offset) < 0
        return (
            Sign("search-without-path", "search") if 2 <= start < offset and comes_early else None
        )

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URLs share; where there is neither, "/" may be left out."""
        path = canonical(self.path or "", "hsegment", reserved=_RESERVED)
        search = self.search
        if search is not None:
            search = Encoded(canonical(search, "search", reserved=_RESERVED))
        return (*self._server(), path, search)


class HttpURL(WebURL):
    """`http://host:port/path?search`, port 80 by default.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("http://www.w3.org/a//b?x")
    >>> url.host, url.effective_port, url.segments, url.search
    ('www.w3.org', 80, ('a', '', 'b'), 'x')
    """

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "http"


class HttpsURL(WebURL):
    """As `HttpURL`, over a secured connection, port 443 by default (RFC 9110 section 4.2.2)."""

    __slots__ = ()
    SCHEME: ClassVar[str | None] = "https"


class HttpTransformer(ServerTransformer):
    """Trees of the rule `httpurl`."""

    httpurl = root
    hpath = leaf("path")
    search = leaf("search")


HTTP: Final = Scheme(
    "http",
    HttpURL,
    HttpTransformer,
    "httpurl",
    word="http",
    default_port=SCHEME_DEFAULTS["http"].port,
    hierarchical=True,
)
HTTPS: Final = HTTP.like("https", HttpsURL, default_port=SCHEME_DEFAULTS["https"].port)
