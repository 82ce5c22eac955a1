"""URIs of schemes that nobody has described: the generic syntax (RFC 3986 section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.current_uri import URIHost, UserinfoURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.trees import URLTransformer, branch, leaf, passed, root

if TYPE_CHECKING:
    from uriparse.schemes.trees import Found


class OtherURI(UserinfoURI):
    """`scheme://userinfo@host:port/path?query` or `scheme:path?query`.

    userinfo, host, port: as for every `UserinfoURI`; all None without "//".
    path: as written, never None.
    query: what follows "?"; None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("svn+ssh://me@h.d/~a?b", registry=CURRENT)
    >>> url.scheme, url.userinfo, url.host, url.path, url.query
    ('svn+ssh', 'me', 'h.d', '/~a', 'b')
    """

    __slots__ = ("path", "query")
    __match_args__: ClassVar[tuple[str, ...]] = (
        "scheme",
        "userinfo",
        "host",
        "port",
        "path",
        "query",
    )
    path: Encoded
    query: Encoded | None

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add an empty path, and the brackets of an address."""
        found.setdefault("path", Encoded(""))
        literal = found.pop("literal", None)
        if isinstance(literal, Encoded):
            start = (literal.start or 0) - 1
            found["host"] = URIHost(url[start : start + len(literal) + 2], start)


class OtherTransformer(URLTransformer):
    """Trees of the rule `URI`."""

    uri = root
    authority = branch
    host = branch
    ip_literal = branch
    scheme = passed
    userinfo = leaf("userinfo")
    ipv6address = leaf("literal")
    ipvfuture = leaf("literal")
    ipv4address = leaf("host", URIHost)
    reg_name = leaf("host", URIHost)
    port = leaf("port")
    path_abempty = leaf("path")
    path_absolute = leaf("path")
    path_rootless = leaf("path")
    path_empty = leaf("path")
    query = leaf("query")
    fragment = leaf("fragment")


OTHER: Final = Scheme(
    "x-other",
    OtherURI,
    OtherTransformer,
    "URI",
    "rfc3986",
    host_after=None,
    takes_any_host=True,
    fragment=("fragment", "rfc3986"),
)
"""How URIs of schemes are read that `CURRENT` does not hold."""
