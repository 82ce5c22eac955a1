r"""The canonical form of URLs by which WWWOFFLE, a caching proxy, names its cache files.

Made for what people and old browsers write, so it takes any text and repairs it: a text without
protocol is http, a missing "/" is added, the fragment goes, and every way to encode the same
octets becomes one. Two texts name the same cache file exactly if their canonical strings are
equal. Three readings of the same text differ from RFC 3986 and matter wherever a decision is
taken on the result: `localhost:8080/x` has a host and no scheme, `//host/path` is a path on the
local host, and "%2F" in a path becomes "/" (an ftp path means something else then; see
`preserve_encoded_slash`). Canonical strings are ASCII, but not always URIs: arguments may hold a
raw "|".

Text is read as UTF-8 octets, bytes are taken as they are: b"\xe9" is "%E9" and "é" is "%C3%A9".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from uriparse.errors import ComponentError
from uriparse.legacy.octets import octets_of
from uriparse.legacy.wwwoffle.encoding import (
    decode,
    encode_password,
)
from uriparse.legacy.wwwoffle.part_rules import canonical_host, rules
from uriparse.legacy.wwwoffle.split import Parts, composed, split_parts

__all__ = ["WwwoffleURL", "build_url", "canonicalize", "split_url"]

ParamsMode: TypeAlias = Literal["split", "path"]
"""Whether what follows ";" is a part of its own, as in WWWOFFLE 2.6, or of the path, as in 2.9."""

_PARTS = ("protocol", "username", "password", "host", "path", "params", "arguments")

LOCALHOST = "localhost:8080"
"""Host and port under which WWWOFFLE serves its own pages unless it is told otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class WwwoffleURL:
    """A URL as WWWOFFLE keeps it. None is an absent part; `str()` is the canonical string.

    Attributes:
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

    def __repr__(self) -> str:
        """Show the canonical string, a password masked."""
        start = self.canonical.find("://") + 3
        rest = self.canonical[start:].partition("@")[2] if self.username is not None else ""
        if self.password is None or not rest:
            return f"<{type(self).__name__} {self.canonical}>"
        user = encode_password(self.username or "")
        return f"<{type(self).__name__} {self.protocol}://{user}:***@{rest}>"


def canonicalize(
    text: str | bytes,
    *,
    localhost: str = LOCALHOST,
    params: ParamsMode = "split",
    preserve_encoded_slash: bool = False,
) -> str:
    """Give the canonical string of a URL. Never refuses a text; idempotent; linear in time.

    localhost: host and port of texts that begin with "/".
    params: "split" ends the path at its first ";", even inside a segment; "path" does not.
    preserve_encoded_slash: True keeps "%2F" in a path apart from "/".

    >>> canonicalize("HTTP://WWW.Example.COM:80/%7Efoo?q=a%20b#top")
    'http://www.example.com/~foo?q=a+b'
    >>> canonicalize("www.example.com"), canonicalize("/control/")
    ('http://www.example.com/', 'http://localhost:8080/control/')
    """
    return composed(_canonical(text, localhost, params, keep_slash=preserve_encoded_slash))


def split_url(
    text: str | bytes,
    *,
    localhost: str = LOCALHOST,
    params: ParamsMode = "split",
    preserve_encoded_slash: bool = False,
) -> WwwoffleURL:
    """Read a URL into its record. Takes what `canonicalize` takes.

    >>> url = split_url("ftp://Foo%3a:b%40r@h/x;y?z")
    >>> url.username, url.password, url.path, url.params, url.arguments
    ('Foo:', 'b@r', '/x', 'y', 'z')
    >>> str(url)
    'ftp://Foo%3A:b%40r@h/x;y?z'
    """
    parts = _canonical(text, localhost, params, keep_slash=preserve_encoded_slash)
    return WwwoffleURL(
        protocol=parts.protocol or "",
        username=None if parts.username is None else decode(parts.username),
        password=None if parts.password is None else decode(parts.password),
        host=parts.host,
        path=parts.path,
        params=parts.params,
        arguments=parts.arguments,
        canonical=composed(parts),
    )


def build_url(
    *,
    protocol: str = "http",
    username: str | None = None,
    password: str | None = None,
    host: str,
    port: int | None = None,
    path: str = "/",
    params: str | None = None,
    arguments: str | None = None,
) -> WwwoffleURL:
    """Make a URL from its parts: by composing, splitting again, and comparing.

    username, password: data, to be encoded. The other parts are as they are written in a URL.
    port: from 0 to 65535; the protocol's default is left out.

    ComponentError if a part holds a delimiter that would end it, if the path does not begin with
    "/", if the port is out of range, or if a password comes without a user name.

    >>> str(build_url(protocol="HTTP", host="H", port=80, path="/a b"))
    'http://h/a%20b'
    """
    if password is not None and username is None:
        raise _misplaced("password", password)
    if not path.startswith("/"):
        raise _misplaced("path", path)
    if port is not None and not 0 <= port <= 0xFFFF:
        raise _misplaced("port", str(port))
    parts = Parts(protocol, host if port is None else f"{host}:{port}", path)
    parts.username = None if username is None else encode_password(username)
    parts.password = None if password is None else encode_password(password)
    parts.params = params
    parts.arguments = arguments
    text = composed(parts)
    again = split_parts(text, localhost="", params=True)
    for component in _PARTS:
        value: str | None = getattr(parts, component)
        if getattr(again, component) != value:
            raise _misplaced(component, value)
    return split_url(text)


def _misplaced(component: str, value: str | None) -> ComponentError:
    return ComponentError(
        f"this {component} cannot be written at its place in a URL",
        component=component,
        rule=component,
        value=value,
    )


def _canonical(text: str | bytes, localhost: str, params: ParamsMode, *, keep_slash: bool) -> Parts:
    if params not in {"split", "path"}:
        raise ValueError(f'params is "split" or "path", not {params!r}')
    parts = split_parts(
        octets_of(text), localhost=_canonical_localhost(localhost), params=params == "split"
    )
    for rule in rules(params=params == "split", preserve_encoded_slash=keep_slash):
        rule.apply(parts)
    return parts


@lru_cache(maxsize=16)
def _canonical_localhost(localhost: str) -> str:
    return canonical_host(octets_of(localhost), "http")
