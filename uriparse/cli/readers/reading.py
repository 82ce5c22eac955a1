"""What a reader makes of a text, in one form for all: a destination and a target, or nothing."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from uriparse.cli.coprocess import GarbledError, Silence, Speech, value
from uriparse.errors import URISyntaxError
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.parsing import is_valid, parse

_LONGEST_REASON = 80
_LARGEST = 10**20
"""Stands for any port that is as large: numbers are not told apart for ever."""
_DIGITS = 1000


class Reading(NamedTuple):
    """Where a reader would go and what it would ask for there.

    Attributes:
        scheme: in lower case; None where the reader sees none.
        host: in lower case, brackets off; an address as the reader writes it. `""` is an empty
            host, None none at all, as far as the reader tells them apart.
        port: a number; the scheme's default where there is a host and no port is written.
        target: path and query, "/" for an empty path of http.

    """

    scheme: str | None
    host: str | None
    port: int | None
    target: str


class Refusal(NamedTuple):
    """The reader read the text and would not have it.

    Attributes:
        reason: the name of an error, or words that repeat nothing of the text.

    """

    reason: str


Outcome: TypeAlias = Reading | Refusal | Silence


def plain(scheme: str | None, host: str | None, port: int | None, target: str) -> Reading:
    """Bring what a reader says into the form in which readings are compared.

    Brackets stay around what is no IPv6 address: without them it is a name to be looked up.

    >>> plain("HTTP", "[::1]", None, "/?q")
    Reading(scheme='http', host='::1', port=80, target='/?q')
    >>> plain("HTTP", "[v1.a]", None, "/").host
    '[v1.a]'
    """
    scheme = scheme.lower() if scheme else None
    if host is not None:
        host = host.lower()
        if host.startswith("[") and is_valid(host[1:-1], "IPv6address"):
            host = host[1:-1]
    defaults = SCHEME_DEFAULTS.get(scheme or "")
    if host and port is None and defaults is not None:
        port = defaults.port
    return Reading(scheme, host, port, target)


def target_of(scheme: str | None, host: str | None, path: str, query: str | None) -> str:
    """Give the target of a path and a query: of http, with "/" before it (RFC 9112 section 3.2.1).

    >>> target_of("http", "h", "", "q"), target_of("ftp", "h", "", None)
    ('/?q', '')
    """
    defaults = SCHEME_DEFAULTS.get((scheme or "").lower())
    if host and not path and defaults is not None and defaults.empty_path_is_slash:
        path = "/"
    return path if query is None else f"{path}?{query}"


def our_reading(text: str) -> Reading | Refusal:
    """Read a text as RFC 3986 does; the refusal says what is wrong with it."""
    try:
        uri = parse(text, "URI")
    except URISyntaxError as error:
        return Refusal(str(error))
    host = None if uri.host is None else str(uri.host)
    target = target_of(uri.scheme, host, uri.path, uri.query)
    return plain(uri.scheme, host, _number(uri.port), target)


def answer(line: bytes) -> Reading | Refusal:
    """Read one line of a reader, a JSON object; GarbledError if it is none of the three kinds.

    `target` is for readers that tell what they would send, `path` and `query` for the others.

    >>> answer(b'{"scheme": "http", "host": "h", "port": "", "target": "/"}')
    Reading(scheme='http', host='h', port=80, target='/')
    >>> answer(b'{"scheme": "http", "host": "h", "port": 8, "path": "", "query": null}')
    Reading(scheme='http', host='h', port=8, target='/')
    >>> answer(b'{"refuses": "InvalidURL"}')
    Refusal(reason='InvalidURL')
    """
    match value(line):
        case {"refuses": str(reason)}:
            return Refusal(reason[:_LONGEST_REASON])
        case {
            "scheme": str() | None as scheme,
            "host": str() | None as host,
            "port": str() | int() | None as port,
            **others,
        }:
            match others:
                case {"target": str(target)}:
                    pass
                case {"path": str() | None as path, "query": str() | None as query}:
                    target = target_of(scheme, host, path or "", query)
                case _:
                    raise GarbledError
            return plain(scheme, host, _number(port), target)
    raise GarbledError


def _number(port: str | int | None) -> int | None:
    """Read a port: a number, or digits (readers that keep the text give those)."""
    if isinstance(port, str) and port:
        if not (port.isascii() and port.isdigit()):
            raise GarbledError
        port = int(port) if len(port) < _DIGITS else _LARGEST
    if isinstance(port, bool):
        raise GarbledError
    return None if port is None or port == "" else min(int(port), _LARGEST)


def octets(text: str) -> bytes:
    """Give the octets of a text; those that were no UTF-8 on the command line come back."""
    return text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "surrogatepass")


def _is_escaped(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


SPEECH = Speech(lambda text: octets(text).hex().encode(), answer)
"""A text goes to a reader as the hexadecimal digits of its octets, so that none can pass for two.
"""
