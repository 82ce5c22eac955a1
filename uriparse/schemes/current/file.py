"""file URIs (RFC 8089): a file of this machine or of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.coerce import as_items
from uriparse.errors import ComponentError
from uriparse.normalization import normalize
from uriparse.schemes.current.generic import DEFAULTS, CurrentURI, URIHost, described
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.parts import Data, as_host, checked, own_scheme, server_parts, written_segment
from uriparse.schemes.trees import URLTransformer, branch, leaf, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse.schemes.scheme import Schemes
    from uriparse.schemes.trees import Found

LOCAL = "localhost"
"""The host that is the machine which interprets the URI, as an empty or absent one is."""


class FileURI(CurrentURI):
    """`file:/path`, `file:///path` or `file://host/path`.

    host: None where none is written: without "//", or with "/" right behind it.
    path: begins with "/", and has no second one behind it.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> local, remote = (
    ...     parse_url(text, registry=CURRENT) for text in ("file:/~/a", "file://h.d/c:/a")
    ... )
    >>> local.is_local, local.segments, remote.is_local, remote.segments
    (True, ('~', 'a'), False, ('c:', 'a'))
    """

    __slots__ = ("host", "path")
    __match_args__: ClassVar[tuple[str, ...]] = ("host", "path")
    SCHEME: ClassVar[str | None] = "file"
    is_globally_accessible: ClassVar[bool] = False
    host: URIHost | None
    path: Encoded

    @property
    def is_local(self) -> bool:
        """Whether the file is on the machine that interprets the URI."""
        return not self.host or self.host.lower() == LOCAL

    @property
    def segments(self) -> tuple[Encoded, ...]:
        """The directories and the name, as written; the name is empty behind a last "/"."""
        return self.path.parts("/")[1:]

    @classmethod
    def from_parts(
        cls,
        *,
        host: str | None = None,
        segments: Iterable[Data],
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> FileURI:
        """Make a URI of data, with "//": directories and a name, which may be empty.

        host: as written, an address of IPv6 in brackets; None or empty for a local file.

        Plain text and octets are encoded, "/" in them too; what is `Encoded` is taken as written.
        ComponentError for parts that make no URI, as no segments at all or an empty one before
        others, and for segments of data that are "." or "..".

        >>> FileURI.from_parts(segments=["D:", "~a b"])
        <FileURI 'file:///D:/~a%20b'>
        """
        parts = as_items(segments, "segments", "an iterable of names")
        path = [written_segment(each, "segment", "a segment", grammar="rfc3986") for each in parts]
        if not path:
            raise ComponentError(
                "segments: one at least, which may be empty", component="path", rule="path-absolute"
            )
        named = "" if host is None else as_host(host)
        server, fields = server_parts(named, None, any_host=True) if named else ("", {})
        text = f"{cls.SCHEME}://{server}/{'/'.join(path)}"
        expected = {"host": fields.get("host"), "segments": tuple(path)}
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, FILE))

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Part host and path, which begins with the first "/" behind the "//"."""
        del url
        auth_path = found.pop("auth_path", None)
        if isinstance(auth_path, Encoded):
            at, slash = auth_path.start or 0, auth_path.index("/")
            found["path"] = Encoded(auth_path[slash:], at + slash)
            found["host"] = URIHost(auth_path[:slash], at) if slash else None

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URIs share: a local one may say so in four ways."""
        host = "" if self.is_local else self.host
        return (str(normalize(f"file://{host}{self.path}", "scheme", schemes=DEFAULTS)),)


class FileTransformer(URLTransformer):
    """Trees of the rule `file-URI`."""

    file_uri = root
    file_hier_part = branch
    auth_path = leaf("auth_path")
    local_path = leaf("path")


FILE: Final = described("file", FileURI, FileTransformer, "file-URI", "rfc8089", hierarchical=True)
