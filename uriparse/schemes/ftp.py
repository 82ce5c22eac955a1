"""ftp: where to log in, which directories to enter, what to fetch (RFC 1738 section 3.2)."""

from collections.abc import Iterable
from typing import Final, Literal, Self, TypeAlias

from uriparse._base.coerce import as_items, as_optional_str, derived
from uriparse.errors import unfit
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, Parts, parts_of
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import LoginURL, SchemeCause

Typecode: TypeAlias = Literal["a", "i", "d"]
"""Text, image (octets as they are), directory listing."""


class FtpURL(LoginURL):
    """`ftp://user:password@host:port/cwd1/.../cwdN/name;type=typecode`, port 21 by default.

    user, password, host, port: as for every `LoginURL`.
    fpath: what follows the "/" after host and port, without the type; None without that "/".
    cwds: the directories to enter, one after the other, as written; each may be empty.
    name: the last part of the path, as written; `""` after a "/" at the end, None without path.
    ftptype: the type as written, in upper or lower case; None without ";type=".
    typecode: the type in lower case; None if none is given, and then a client has to guess.

    The path is not a file name: each of its parts but the last is entered by a separate command,
    after decoding, so that `%2Fetc` and `/etc` are different directories.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("ftp://myname@host.dom/%2Fetc/motd;type=A", registry=RFC1738)
    >>> url.user, url.cwds, url.cwds[0].decoded, url.name, url.typecode, url.password
    ('myname', ('%2Fetc',), '/etc', 'motd', 'a', None)
    """

    fpath: Encoded | None = url_field("fpath", characters="fsegment", shown=("cwds", "name"))
    ftptype: Encoded | None = url_field("ftptype", shown=("typecode",))
    cwds: Parts = derived(lambda url: parts_of(url.fpath, "/")[:-1])
    name: Encoded | None = derived(lambda url: url.fpath and url.fpath.parts("/")[-1])
    typecode: Typecode | None = derived(lambda url: url.ftptype and url.ftptype.lower())

    @property
    def urlpath(self) -> Encoded | None:
        """What follows the "/" after host and port, the type included; None without that "/"."""
        if self.fpath is None or self.ftptype is None:
            return self.fpath
        start = self.fpath.start
        if start is None:  # an empty path is not placed: the type's delimiter is where it ends
            start = (self.ftptype.start or 0) - len(";type=")
        url = self.url
        return Encoded(url[start:], start)

    @classmethod
    def from_parts(  # noqa: PLR0913 - one argument a field
        cls,
        *,
        host: str,
        user: url_parts.Data | None = None,
        password: url_parts.Data | None = None,
        port: int | str | None = None,
        cwds: Iterable[url_parts.Data] = (),
        name: url_parts.Data | None = None,
        typecode: str | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL from data. Without a name it has no path, not even "/".

        typecode: "a", "i" or "d", in either letter case.

        "/" and ";" in parts of the path are encoded too. ComponentError for directories or a type
        without a name (which may be empty), and for a name of data that is "." or "..".

        A directory "." or ".." is written in triplets, as `%2E%2E`, and is sent as `CWD ..` by
        whoever reads the URL: resolving a reference removes the raw dots alone (RFC 3986 section
        5.2.4). Normalizing decodes the triplets (section 6.2.2.2) and removes the directory with
        the one before it; "./..", written `.%2F..`, outlives that too.

        >>> FtpURL.from_parts(host="h.d", user="a@b", cwds=["/etc"], name="x;y", typecode="i")
        <FtpURL 'ftp://a%40b@h.d/%2Fetc/x%3By;type=i'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        rule, grammar = cls.FIELDS["fpath"].characters, scheme.grammar
        words = [
            url_parts.written(cwd, rule, "a directory", grammar=grammar)
            for cwd in as_items(cwds, "cwds", "an iterable of directories")
        ]
        path, fpath, last = [_DOTS.get(word, word) for word in words], None, None
        if name is not None:
            last = url_parts.written_segment(name, rule, "name", grammar=grammar)
            fpath = Encoded("/".join([*path, last]))
        elif path:
            raise unfit("name", "missing, but directories are given; it may be empty", "ftpurl")
        ftptype = as_optional_str(typecode, "typecode")
        fields = {"user": user, "password": password, **url_parts.server(host, port, scheme)}
        fields |= {"fpath": fpath, "ftptype": None if ftptype is None else Encoded(ftptype)}
        expected = {"cwds": tuple(path), "name": last}
        return url_parts.made(cls, scheme, fragment, fields, expected)

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a ";" in the path that does not begin a type."""
        path = url.find("/", url.find("//") + 2)
        is_type = 0 <= path < url.find(";", path) < offset
        return SchemeCause("bad-typecode", "ftptype") if is_type else None

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share."""
        return (*self._login(), self._canonical("fpath"), self.typecode)


_DOTS: Final = {".": "%2E", "..": "%2E%2E"}
"""Directories that have to be triplets, so that nothing is removed when the URL is resolved."""


class FtpURI(AuthorityURI, FtpURL):
    """`ftp://user:password@host:port/cwd1/.../cwdN/name;type=typecode`, port 21 by default.

    The fields are those of `FtpURL`, with the characters and the hosts of RFC 3986, and so is what
    a client does with them. No RFC has described the scheme since: user and password are the two
    parts of what RFC 3986 calls userinfo.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("ftp://me@[::1]/~me/a_b;type=a")
    >>> url.user, url.host, url.cwds, url.name, url.typecode
    ('me', '[::1]', ('~me',), 'a_b', 'a')
    """

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: their normal form, and the type in any letter case."""
        (normal,) = super().identity()
        end = 0 if self.ftptype is None else len(";type=") + len(self.ftptype)
        return (str(normal)[: len(str(normal)) - end], self.typecode)
