"""URLs of schemes that nobody has described (RFC 1738 section 2.1, RFC 3986 section 3)."""

from __future__ import annotations

from typing import ClassVar, Final, Self

from uriparse._base.coerce import derived
from uriparse.errors import unfit
from uriparse.schemes.current_uri import UserinfoURI
from uriparse.schemes.encoding import Encoded, URIHost, canonical
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.registry import RFC1738, Scheme, Schemes, checked_scheme, known
from uriparse.schemes.url import LoginURL
from uriparse.schemes.url_parts import Data, checked, server, written


class OtherURL(LoginURL):
    """`scheme:schemepart`, of a scheme that the registry does not hold.

    schemepart: all that follows ":", as written.
    user, password, host, port, urlpath: where the scheme part has the common Internet syntax,
        `//user:password@host:port/urlpath`; otherwise all None.
    has_internet_syntax: whether it has that (RFC 1738 section 3.1).

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("tn3270://h.d/x", registry=RFC1738)
    >>> url.scheme, url.schemepart, url.host, url.urlpath, url.has_internet_syntax
    ('tn3270', '//h.d/x', 'h.d', 'x', True)
    >>> parse_url("foo:bar", registry=RFC1738).has_internet_syntax
    False
    """

    UNREAD: ClassVar[tuple[str, ...]] = ("schemepart",)
    schemepart: Encoded = url_field(shown=("scheme", "schemepart"), first=True)
    urlpath: Encoded | None = url_field("urlpath")
    has_internet_syntax: bool = derived(lambda url: url.host is not None)

    @classmethod
    def from_parts(  # noqa: PLR0913 - one argument a field
        cls,
        *,
        scheme: str,
        schemepart: Data | None = None,
        user: Data | None = None,
        password: Data | None = None,
        host: str | None = None,
        port: int | str | None = None,
        urlpath: Data | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URL of a scheme and its part, or the fields of the common Internet syntax.

        Reserved characters stay raw, since only the scheme knows their roles. ComponentError for a
        scheme that the registry holds.

        >>> OtherURL.from_parts(scheme="foo", schemepart="a b"), OtherURL.from_parts(
        ...     scheme="svn", user="me", host="h.d", urlpath="trunk"
        ... )
        (<OtherURL 'foo:a%20b'>, <OtherURL 'svn://me@h.d/trunk'>)
        """
        scheme = checked_scheme(scheme, "scheme")
        if scheme.lower() in known(registry, RFC1738):
            raise unfit(
                "scheme", "the registry has it, and records of its own for it", value=scheme
            )
        expected: dict[str, object]
        if host is None:
            others = (user, password, port, urlpath)
            if schemepart is None or any(part is not None for part in others):
                raise unfit(
                    "schemepart", "pass it alone, or a host and its other parts", "genericurl"
                )
            part = written(schemepart, "xchar", "schemepart")
            expected = {"schemepart": part}
        elif schemepart is not None:
            raise unfit("schemepart", "given beside a host", "genericurl")
        else:
            login = {"user": user, "password": password, "urlpath": urlpath}
            expected = {n: None if d is None else written(d, n) for n, d in login.items()}
            expected |= server(host, port, OTHER_URL)
            if user is None and password is not None:
                raise unfit("password", "given without a user, which may be empty", "login")
            marks = {"user": "", "password": ":", "host": "" if user is None else "@", "port": ":"}
            written_parts = (
                f"{mark}{expected[name]}"
                for name, mark in {**marks, "urlpath": "/"}.items()
                if expected[name] is not None
            )
            part = f"//{''.join(written_parts)}"
        return checked(cls, f"{scheme}:{part}", fragment, expected, OTHER_URL)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add what follows ":", beside the fields of the common Internet syntax if it has it."""
        start = url.index(":") + 1
        found["schemepart"] = Encoded(url[start:], start if url[start:] else None)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; every reserved character may have a role."""
        if self.host is None:
            return (self.scheme, canonical(self.schemepart))
        path = None if self.urlpath is None else canonical(self.urlpath)
        return (self.scheme, *self._login(), path)


OTHER_URL: Final = Scheme("x-other", OtherURL, "genericurl")
"""How URLs of schemes are parsed that a registry does not hold."""


class OtherURI(UserinfoURI):
    """`scheme://userinfo@host:port/path?query` or `scheme:path?query`.

    userinfo, host, port: as for every `UserinfoURI`; all None without "//".
    path: as written, never None.
    query: what follows "?"; None without "?".

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("svn+ssh://me@h.d/~a?b")
    >>> url.scheme, url.userinfo, url.host, url.path, url.query
    ('svn+ssh', 'me', 'h.d', '/~a', 'b')
    """

    COMPLETED: ClassVar[tuple[str, ...]] = ("IPv6address", "IPvFuture")
    userinfo: Encoded | None = url_field("userinfo", shown=("scheme", "userinfo"), first=True)
    host: URIHost | None = url_field("IPv4address", "reg-name", kind=URIHost)
    path: Encoded = url_field("path-abempty", "path-absolute", "path-rootless", "path-empty")
    query: Encoded | None = url_field("query")

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add an empty path, and the brackets of an address."""
        found.setdefault("path", Encoded(""))
        literal = found.pop("ipv6address", None) or found.pop("ipvfuture", None)
        if isinstance(literal, Encoded):
            start = (literal.start or 0) - 1
            found["host"] = URIHost(url[start : start + len(literal) + 2], start)


OTHER_URI: Final = Scheme(
    "x-other",
    OtherURI,
    "URI",
    "rfc3986",
    host_after=None,
    takes_any_host=True,
    fragment=("fragment", "rfc3986"),
)
"""How URIs of schemes are read that `CURRENT` does not hold."""
