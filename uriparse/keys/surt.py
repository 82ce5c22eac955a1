"""The keys of web archives: SURT, the "Sort-friendly URI Reordering Transform".

An index of archived pages (CDX) is sorted by these keys: the labels of the host come in reverse, so
that a domain is beside its subdomains, and the scheme and much of what a server rarely tells apart
is left out. They are those of the package `surt`, which pywb uses as well, with these exceptions,
made so that a key is its own key and that nothing is repaired. Only URIs have keys. One without a
host keeps its scheme, in lower case, and stays a URI, with at most one "/" before its path. "?" of
a path, and what would end a host or a label of it, stay triplets. IPv6 addresses keep their
brackets, and a port is any number. A session is dropped only as a whole pair or segment, but each.
"""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import IPv4Address
from typing import NamedTuple

from uriparse.errors import URISyntaxError
from uriparse.grammar import charset
from uriparse.keys.steps import Profile, Step, sorted_query
from uriparse.legacy.octets import DECODED, Octets, encoder, octets_of
from uriparse.parsing import parse
from uriparse.records import IPv6, IPvFuture


class Archived(NamedTuple):
    """A URI on its way to a key: texts, of which some are no longer parts of a URI."""

    scheme: str  # "" of a key that is read again, which has none
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: None = None

    def replace(self, **changes: object) -> Archived:
        """Return a copy with changes."""
        return self._replace(**changes)  # type: ignore[arg-type]  # as the caller says


def _read(text: str) -> Archived:
    try:
        uri = parse(text, "URI")
    except URISyntaxError:
        if (key := _key_again(text)) is None:
            raise
        return key
    if uri.host is None and ")/" in text and (key := _key_again(text)) is not None:
        return key  # "localhost:80)/" is a URI as well
    host = None if uri.host is None else uri.host.text or None
    if isinstance(uri.host, IPv6 | IPvFuture):
        host = f"[{uri.host.text.strip('[]')}]"
    return Archived(uri.scheme, host, uri.port, uri.path, uri.query)


def _key_again(text: str) -> Archived | None:
    """Return what a key with a host is the key of; None for a text that is not one."""
    inner, bracket, after = text.partition("]") if text.startswith("[") else ("", "", text)
    labels, end, rest = after.partition(")")  # an address of the future may have one as well
    labels = inner + bracket + labels
    name, _, port = labels.rpartition(":") if not labels.endswith("]") else (labels, "", "")
    labels, port = (name, port) if name else (port, "")
    host = labels if labels.startswith("[") else ".".join(reversed(labels.split(",")))
    path, mark, query = rest.partition("?")
    if not (end and path.startswith("/")):
        return None
    value = again = Archived("", host, port or None, path, query if mark else None)
    for step in SURT.steps:
        value = step.apply(value)
    return again if _written(value) == text else None


def _written(value: Archived) -> str:
    path = value.path
    if value.query is not None:
        path = f"{path or '/'}?{value.query}"
    if value.host is None:
        return f"{value.scheme}:{path}"
    host = value.host
    if not host.startswith("["):
        host = ",".join(reversed(host.split(".")))
    return f"{host}{'' if value.port is None else f':{value.port}'}){path}"


# What stays in a key: graphic ASCII but "#" and "%", in a path without "?", in a host without what
# ends it or its labels; in a key without a host, which is a URI, what a URI can have.
_GRAPHIC = frozenset(map(chr, range(0x21, 0x7F))) - frozenset("#%")
_OF_URI = (charset("reserved") | charset("unreserved")) - frozenset("#[]")
_IN_QUERY, _IN_PATH = encoder(_GRAPHIC), encoder(_GRAPHIC - {"?"})
_IN_URI_QUERY, _IN_URI_PATH = encoder(_OF_URI), encoder(_OF_URI - {"?"})
_IN_HOST = encoder(_GRAPHIC - frozenset("/?:,)[]@"))
_FIRST, _LENGTH = "%", len("%00")


def _decoded(text: str) -> Octets:
    """Decode triplets until none is left, in one go: to repeat it would take quadratic time."""
    octets = octets_of(text)
    if _FIRST not in octets:
        return octets
    done: list[str] = []
    for octet in octets:
        done.append(octet)
        # A triplet ends here, and so may one that begins before what it stands for.
        while (
            len(done) >= _LENGTH
            and done[-_LENGTH] == _FIRST
            and (one := DECODED.get("".join(done[1 - _LENGTH :]))) is not None
        ):
            done[-_LENGTH:] = [one]
    return "".join(done)


def _decode(value: Archived) -> Archived:
    query, has_host = value.query, value.host is not None
    in_query = _IN_QUERY if has_host else _IN_URI_QUERY
    return value.replace(
        path=_decoded(value.path).translate(_IN_PATH if has_host else _IN_URI_PATH),
        query=None if query is None else _decoded(query).translate(in_query),
    )


def _host(value: Archived) -> Archived:
    if value.host is None or value.host.startswith("["):
        return value.replace(host=value.host and value.host.lower())
    host = ".".join(filter(None, _decoded(value.host).split(".")))
    if not host.isascii() and _FIRST not in host:
        with suppress(UnicodeError):
            host = host.encode("latin-1").decode().encode("idna").decode("ascii")
    host = host.translate(_IN_HOST).lower()
    # A name that was one before "www." was dropped is not an address when the key is read again.
    address = _address(host) if value.scheme else None
    return value.replace(host=address or host or None)


def _address(host: str) -> str | None:
    """Return an address that is written in decimal or octal numbers, as C's inet_aton reads it."""
    if not host.replace(".", "").isdigit():
        return None
    *first, last = host.split(".")
    try:
        if not first:
            return str(IPv4Address(int(last) & 0xFFFFFFFF))
        *octets, rest = (int(part, 8 if part.startswith("0") else 10) for part in (*first, last))
        # The last number fills the octets that are left.
        return str(IPv4Address(bytes(octets) + rest.to_bytes(4 - len(octets))))
    except (ValueError, OverflowError):
        return None


def _remove_dots(value: Archived) -> Archived:
    """Remove dot segments and empty segments; ".." stays where nothing is left to remove."""
    if value.host is None:  # a path that began with "//" would be read as a host
        return value.replace(path=re.sub("^/+", "/", value.path))
    if "//" not in value.path and "/." not in value.path and value.path:
        return value
    kept: list[str] = []
    for segment in value.path.split("/")[1:] or [""]:
        if segment == ".." and kept:
            kept.pop()
        elif segment != ".":
            kept.append(segment)
    *inner, last = kept or [""]
    return value.replace(path="/" + "/".join([*filter(None, inner), last]))


_WWW = re.compile(r"www[0-9]*\.")
_PORTS = {"http": 80, "https": 443}


def _drop_www(value: Archived) -> Archived:
    found = _WWW.match(value.host or "")
    if found is None or not value.scheme:
        return value
    return value.replace(host=found.string[found.end() :] or found.string)


def _drop_port(value: Archived) -> Archived:
    port = (value.port or "").lstrip("0")
    is_default = port == str(_PORTS.get(value.scheme.lower(), ""))
    return value.replace(port=None if is_default else port or None)


def _lower(value: Archived) -> Archived:
    query = value.query
    return value.replace(
        scheme=value.scheme.lower(),
        path=value.path.lower(),
        query=None if query is None else query.lower(),
    )


# Sessions as servers of the 2000s wrote them into URLs: Java, PHP, ASP, ASP.NET, ColdFusion.
_SESSION = re.compile(
    "(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24}", re.ASCII
)
_SESSION_SEGMENT = re.compile(r"\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)", re.ASCII)
_COLD_FUSION = ("cfid=", "cftoken=")


def _drop_sessions(value: Archived) -> Archived:
    head, page, tail = value.path.rpartition(".aspx")
    if page and "(" in head and value.host is not None:
        *inner, name = head.split("/")
        inner = [one for one in inner if not _SESSION_SEGMENT.fullmatch(one)]
        value = value.replace(path=f"{'/'.join([*inner, name])}{page}{tail}")
    if not value.query:
        return value
    pairs = value.query.split("&")
    both = all(any(map(str.startswith, pairs, [name] * len(pairs))) for name in _COLD_FUSION)
    fit = [
        bool(_SESSION.fullmatch(pair) or (both and pair.startswith(_COLD_FUSION))) for pair in pairs
    ]
    if not any(fit):
        return value
    rest = [pair for pair, is_dropped in zip(pairs, fit, strict=True) if not is_dropped]
    if rest and fit[-1]:  # the separator before it stays, as in the archives' keys
        rest.append("")
    return value.replace(query="&".join(rest))


def _end(value: Archived) -> Archived:
    path = value.path.rstrip("/") or value.path[:1]
    return value.replace(path=path, query=value.query or None)


def _sort(value: Archived) -> Archived:
    return value if value.query is None else value.replace(query=sorted_query(value.query))


SURT: Profile[Archived] = Profile(
    "surt",
    _read,
    (
        Step("host", "lower case, addresses as four numbers, names by IDNA", _host),
        Step("decode", "triplets of path and query, however often encoded", _decode),
        Step("remove-dots", "dot segments and empty segments", _remove_dots),
        Step("drop-www", "www, www2 … before the host", _drop_www),
        Step("drop-port", "the default port of http and https", _drop_port),
        Step("lower-case", "path and query", _lower),
        Step("drop-sessions", "session ids in path and query", _drop_sessions),
        Step("drop-ends", 'a final "/", an empty query', _end, is_last=True),
        Step("order-query", "the order of pairs", _sort, is_last=True),
    ),
    _written,
)
"""The keys of web archives: `com,example)/path?query`; without scheme, user and fragment."""
