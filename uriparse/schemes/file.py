"""file: a file of this machine or of another (RFC 1738 section 3.10, RFC 8089)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from uriparse._base.coerce import derived
from uriparse.errors import unfit
from uriparse.grammar import charset
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import CurrentURI
from uriparse.schemes.encoding import HOST_KINDS, Encoded, Host, Parts, URIHost
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.url import URL, SchemeCause

LOCAL = "localhost"
"""The host that is the machine which interprets the URL, as an empty one is."""


def _drive(url: str, offset: int) -> SchemeCause | None:
    """Recognize a drive, a letter with ":" or "|", where a path or a host begins."""
    name = url.partition(":")[2].lstrip("/")
    letter, mark, after = name[:1], name[1:2], name[2:3]
    if letter not in charset("alpha", "rfc1738") or mark not in {":", "|"}:
        return None
    if after not in {"", "/", "\\"} or offset > len(url) - len(name) + 1:
        return None
    return SchemeCause("drive", placeholders={"drive": f"{letter}:"})


class FileURL(URL):
    """`file://host/directory/.../name`.

    host: None where none is written between "//" and "/", which means this machine.
    path: what follows the "/" after the host.
    is_local: whether the file is on the machine that interprets the URL.
    segments: the directories and the name, as written; never empty, but the name may be.

    The path is not a path of a file system: its parts are names within names, and what they mean on
    a machine is the machine's business.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("FILE://LOCALHOST/etc/x", registry=RFC1738)
    >>> url.segments, url.is_local
    (('etc', 'x'), True)
    """

    host: Host | None = url_field(kind=HOST_KINDS)
    path: Encoded = url_field("fpath", characters="fsegment")
    is_local: bool = derived(lambda url: url.host is None or url.host.lower() == LOCAL)
    segments: Parts = derived(lambda url: url.path.parts("/"))

    @classmethod
    def from_parts(
        cls,
        *,
        host: str | None = None,
        segments: Iterable[url_parts.Data],
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of data: directories and a name, which may be empty.

        host: as written, an address of IPv6 in brackets; of today's URIs "" is local, as None.

        "/" and, by RFC 1738, ";" in a segment are encoded too. ComponentError for no segments at
        all, and for segments of data that are "." or "..".

        >>> FileURL.from_parts(segments=["D:", "Doc", "a~b"])
        <FileURL 'file:///D:/Doc/a%7Eb'>
        >>> FileURI.from_parts(segments=["D:", "~a b"])
        <FileURI 'file:///D:/~a%20b'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        path = url_parts.segments_of(cls, "path", segments, scheme)
        if not path:
            rule = cls.FIELDS["path"].characters
            raise unfit("path", "of one segment at least, which may be empty", rule)
        named = None
        if host is not None and not (scheme.takes_any_host and host == ""):
            named = url_parts.server(host, None, scheme)["host"]
        text = f"{cls.SCHEME}://{'' if named is None else named}/{'/'.join(path)}"
        expected = {"host": named, "segments": tuple(path)}
        return url_parts.checked(cls, text, fragment, expected, scheme)

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize missing slashes, and a drive."""
        scheme, _, rest = url.partition(":")
        drive = _drive(url, offset)
        if drive is not None:
            return drive._replace(component="host" if "//" in url[:offset] else None)
        if not rest.startswith("//") and offset < len(scheme) + len("://"):
            return SchemeCause("no-slashes", placeholders={"begin": f"{scheme.lower()}:///"})
        return None

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; "localhost" and no host are the same."""
        host = LOCAL if self.host is None else self.host.lower()
        return host, self._canonical("path")


class FileURI(CurrentURI, FileURL):
    """`file:/path`, `file:///path` or `file://host/path`.

    host: None where none is written: without "//", or with "/" right after it.
    path: begins with "/", and the second character is not "/".
    segments: the directories and the name, as written; the name is empty after a last "/".

    >>> from uriparse.schemes import parse_url
    >>> local, remote = (
    ...     parse_url(text) for text in ("file:/~/a", "file://h.d/c:/a")
    ... )
    >>> local.is_local, local.segments, remote.is_local, remote.segments
    (True, ('~', 'a'), False, ('c:', 'a'))
    """

    COMPLETED: ClassVar[tuple[str, ...]] = ("auth-path",)
    host: URIHost | None = url_field(kind=URIHost)
    path: Encoded = url_field("local-path", characters="segment")
    segments: Parts = derived(lambda url: url.path.parts("/")[1:])

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a query, which RFC 8089 does not have (section 2), and a drive."""
        is_query = url.startswith("?", offset) and "/" in url[:offset]
        return SchemeCause("no-query", "query") if is_query else _drive(url, offset)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Split host and path, which begins with the first "/" after the "//"."""
        del url
        auth_path = found.pop("auth_path", None)
        if isinstance(auth_path, Encoded):
            at, slash = auth_path.start or 0, auth_path.index("/")
            found["path"] = Encoded(auth_path[slash:], at + slash)
            found["host"] = URIHost(auth_path[:slash], at) if slash else None
