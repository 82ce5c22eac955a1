r"""The canonical form of URLs by which WWWOFFLE, a caching proxy, names its cache files.

Made for what people and old browsers write, so it takes any text and repairs it: a text without
protocol is http, a missing "/" is added, the fragment goes, and every way to encode the same
octets becomes one. Two texts name the same cache file exactly if their canonical strings are
equal. Five readings of the same text differ from RFC 3986 and matter wherever a decision is
taken on the result: `localhost:8080/x` has a host and no scheme, `user:password@host` no scheme
either, `//host/path` is a path on the local host, `http:///path` is so too, and "%2F" in a path
becomes "/" (an ftp path means something else then; see `preserve_encoded_slash`). Canonical
strings are not always URIs: arguments may hold a raw "|".

Text is read as UTF-8 octets, bytes are taken as they are: b"\xe9" is "%E9" and "é" is "%C3%A9".

`version` says whose rules. "2.6" is those of its document, README.URL; no source of that version
was found to hold them to. Where the document says nothing, it keeps what the program loses: a host
is kept whole, addresses stay in their notation, user and password end at the last "@" before the
path, "?" and "#" end every part before them, and empty names, passwords and odd triplets stay. Its
form is ASCII and its own canonical form. "2.7", "2.8" and "2.9" are the functions of the program
(2.7h, 2.8e, 2.9h), to the letter, and so the names of its files: older-documents.md shows where
each differs.
"""

from base64 import b64encode
from dataclasses import dataclass
from functools import partial
from hashlib import md5

from uriparse._base.coerce import Data, Textual, as_choice, as_optional_str, as_str, refusal
from uriparse.components.servers import HIGHEST_PORT
from uriparse.errors import ComponentError, unfit
from uriparse.errors.excerpt import MASK
from uriparse.legacy.octets import Octets, octets_of, text_of
from uriparse.legacy.wwwoffle import by_document, encodings, program
from uriparse.legacy.wwwoffle.by_document import WwwoffleParts
from uriparse.legacy.wwwoffle.encodings import VERSIONS, Version, decode

__all__ = ["WwwoffleURL", "build_url", "canonicalize", "split_url"]

_PARTS = ("protocol", "username", "password", "host", "path", "params", "arguments")

LOCALHOST = "localhost:8080"
"""Host and port under which WWWOFFLE serves its own pages unless it is configured otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class WwwoffleURL(Textual):
    """A URL as WWWOFFLE keeps it. None is an absent part; `str()` is the canonical string.

    protocol: in lower case; "http" where the text had none.
    username: decoded; "" where it was written empty.
    password: decoded; "" where it was written empty.
    host: with its port, unless that is the protocol's default; in lower case.
    path: canonical, so encoded; at least "/".
    params: canonical; None where it was written empty.
    arguments: canonical; None where it was written empty. The RFCs call it query.
    canonical: the canonical string, password included.
    """

    protocol: str
    username: str | None
    password: str | None
    host: str
    path: str
    params: str | None
    arguments: str | None
    canonical: str

    def __str__(self) -> str:
        return self.canonical

    @property
    def name(self) -> str:
        """The canonical string without user name and password: the program's `Url->name`.

        >>> split_url("ftp://user:secret@h/a").name
        'ftp://h/a'
        """
        if self.username is None:
            return self.canonical
        return f"{self.protocol}://{self.canonical.partition('@')[2]}"

    @property
    def cache_name(self) -> str:
        """The MD5 name of the program's cache files: 22 characters of base64, "-" for "/".

        It is that of the canonical string, user name and password included: `Url->file`. "D"
        before it names the file of the page, "U" the one that holds the URL.

        >>> "D" + split_url("http://www.example.com/").cache_name
        'D8XdxEfXQ8cgf+gTedREo+g'
        """
        digest = md5(octets_of(self.canonical).encode("latin-1"), usedforsecurity=False).digest()
        return b64encode(digest, b"+-").decode("ascii").rstrip("=")

    def __repr__(self) -> str:
        """Show the canonical string, a password masked."""
        start = self.canonical.find("://") + 3
        rest = self.canonical[start:].partition("@")[2] if self.username is not None else ""
        if self.password is None or not rest:
            return f"<{type(self).__name__} {self.canonical}>"
        user = encodings.encode_password(self.username or "")
        return f"<{type(self).__name__} {self.protocol}://{user}:{MASK}@{rest}>"


def canonicalize(
    text: Data,
    *,
    localhost: str = LOCALHOST,
    version: Version = "2.6",
    preserve_encoded_slash: bool = False,
) -> str:
    """Return the canonical string of a URL. Never refuses a text; linear in time.

    localhost: host and port of texts that name no host, as those that begin with "/".
    version: of the program; "2.6" is idempotent.
    preserve_encoded_slash: True keeps "%2F" in a path apart from "/"; with version "2.6" alone.

    >>> canonicalize("HTTP://WWW.Example.COM:80/%7Efoo?q=a%20b#top")
    'http://www.example.com/~foo?q=a+b'
    >>> canonicalize("www.example.com"), canonicalize("/control/")
    ('http://www.example.com/', 'http://localhost:8080/control/')
    >>> canonicalize("user:secret@www.example.com/a;b"), canonicalize("http:///x")
    ('http://user:secret@www.example.com/a;b', 'http://localhost:8080/x')
    """
    parts = _canonical(text, localhost, version, keep_slash=preserve_encoded_slash)
    return text_of(by_document.composed(parts))


def split_url(
    text: Data,
    *,
    localhost: str = LOCALHOST,
    version: Version = "2.6",
    preserve_encoded_slash: bool = False,
) -> WwwoffleURL:
    """Read a URL into its record. Takes what `canonicalize` takes.

    >>> url = split_url("ftp://Foo%3a:b%40r@h/x;y?z")
    >>> url.username, url.password, url.path, url.params, url.arguments
    ('Foo:', 'b@r', '/x', 'y', 'z')
    >>> str(url)
    'ftp://Foo%3A:b%40r@h/x;y?z'
    """
    parts = _canonical(text, localhost, version, keep_slash=preserve_encoded_slash)
    user, password = (
        None if one is None else decode(one) for one in (parts.username, parts.password)
    )
    params, arguments = (
        None if one is None else text_of(one) for one in (parts.params, parts.arguments)
    )
    protocol, canonical = text_of(parts.protocol or ""), text_of(by_document.composed(parts))
    return WwwoffleURL(
        *(protocol, user, password, text_of(parts.host), parts.path, params, arguments, canonical)
    )


def build_url(  # noqa: PLR0913 - the parts of a URL, each given by its name
    *,
    protocol: str = "http",
    username: str | None = None,
    password: str | None = None,
    host: str,
    port: int | None = None,
    path: str = "/",
    params: str | None = None,
    arguments: str | None = None,
    version: Version = "2.6",
) -> WwwoffleURL:
    """Make a URL from its parts: by composing, splitting again, and comparing.

    username, password: data, to be encoded. The other parts are as they are written in a URL.
    host: with the port perhaps; an IPv6 address in brackets.
    port: from 0 to 65535; the protocol's default is left out.
    version: of the program that will split it; in "2.9", ";" may be in the path.

    ComponentError if a part holds a delimiter that would end it, for a protocol that would have
    to be encoded, an empty host, which would be the local one, or one with two ":", if the path
    does not begin with "/", if the port is out of range, or if a password comes without a user
    name.

    >>> str(build_url(protocol="HTTP", host="H", port=80, path="/a b"))
    'http://h/a%20b'
    >>> build_url(host="h", path="/a;b/c", version="2.9").path
    '/a;b/c'
    """
    protocol = as_str(protocol, "protocol")
    given = {"username": username, "password": password, "params": params, "arguments": arguments}
    parts = WwwoffleParts(protocol, as_str(host, "host"), as_str(path, "path"))
    for name, part in given.items():
        setattr(parts, name, as_optional_str(part, name))
    if parts.password is not None and parts.username is None:
        raise _misplaced("password", parts.password)
    if by_document.canonical_protocol(protocol) != protocol.lower():
        raise _misplaced("protocol", protocol)
    name, own_port = by_document.split_port(parts.host)
    if not name:
        raise _misplaced("host", parts.host, "empty, it is the local one")
    if ":" in name and not by_document.is_literal(parts.host):
        raise _misplaced("host", parts.host, "an IPv6 address must be in brackets")
    if own_port is not None and port is not None:
        raise _misplaced("host", parts.host, "it has a port already")
    if not parts.path.startswith("/"):
        raise _misplaced("path", parts.path)
    if port is not None:
        if not isinstance(port, int) or isinstance(port, bool):
            raise refusal(port, "port", "an int or None")
        if not 0 <= port <= HIGHEST_PORT:
            raise _misplaced("port", str(port))
        parts.host = f"{parts.host}:{port}"
    for name in ("username", "password"):
        if (part := getattr(parts, name)) is not None:
            setattr(parts, name, encodings.encode_password(part))
    text = by_document.composed(parts)
    again = split_by_version(text, "", as_choice(version, "version", VERSIONS))
    for component in _PARTS:
        written: str | None = getattr(parts, component)
        if getattr(again, component) != written:
            raise _misplaced(component, written)
    return split_url(text, version=version)


def _misplaced(component: str, value: str | None, reason: str = "") -> ComponentError:
    message = "cannot be written at its place in a URL"
    return unfit(component, f"{message}: {reason}" if reason else message, value=value)


def split_by_version(octets: Octets, localhost: Octets, version: Version) -> WwwoffleParts:
    """Split octets into their parts as written."""
    if version == "2.6":
        return by_document.split_parts(octets, localhost)
    return program.split_parts(octets, localhost, version)


def rules(
    localhost: str, version: Version, *, preserve_encoded_slash: bool = False
) -> tuple[Octets, tuple[by_document.NamedRule, ...]]:
    """Return the local host's octets, and the rules of a version in their order."""
    local = octets_of(as_str(localhost, "localhost"))
    if as_choice(version, "version", VERSIONS) == "2.6":
        host = by_document.canonical_host(local, "http")
        return host, by_document.rules(preserve_encoded_slash=bool(preserve_encoded_slash))
    if preserve_encoded_slash:
        raise ValueError('preserve_encoded_slash is with version "2.6"')
    apply = partial(program.canonize, localhost=local, version=version)
    return local, (by_document.NamedRule("program", "all that its functions do", apply),)


def _canonical(text: Data, localhost: str, version: Version, *, keep_slash: bool) -> WwwoffleParts:
    local, steps = rules(localhost, version, preserve_encoded_slash=keep_slash)
    parts = split_by_version(octets_of(text), local, version)
    for rule in steps:
        rule.apply(parts)
    return parts
