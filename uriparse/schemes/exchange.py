"""What is parsed in place of a URL.

Mostly it is the URL itself. But schemes can share a rule, whose word then stands for their own; and
where a host is taken that RFC 1738 lacks, one that it has stands in for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.schemes.encoding import Encoded
from uriparse.schemes.host import RelaxedHost, read_host
from uriparse.schemes.source import STAND_IN, Source

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme


def exchanged(text: str, scheme: Scheme, *, relaxed_host: bool = False) -> Source:
    """Make what is parsed of a URL that begins with the name of the scheme, or of another, and ":".

    relaxed_host: whether a host that only RFC 3986 allows may have a stand-in.
    """
    url, mark, fragment = (text, "", "") if scheme.fragment is None else text.partition("#")
    word = url.partition(":")[0]
    name = word.lower()
    parsed, shift = url, 0
    if scheme.word is not None and scheme.word != name:
        parsed, shift = scheme.word + url[len(word) :], len(word) - len(scheme.word)
    host = _relaxed(parsed, shift, scheme) if relaxed_host else None
    if host is not None:
        start = (host.start or 0) - shift
        parsed = f"{parsed[:start]}{STAND_IN}{parsed[start + len(host) :]}"
    return Source(
        text,
        parsed,
        name,
        scheme.record,
        scheme.default_port,
        Encoded(fragment, len(url) + 1 if fragment else None) if mark else None,
        shift,
        host,
    )


def _relaxed(text: str, shift: int, scheme: Scheme) -> RelaxedHost | None:
    """Find a host that only RFC 3986 allows where the scheme has one; None if there is none.

    In RFC 1738 an authority goes on to the first "/", and neither a user nor a password holds a
    raw "@".
    """
    if scheme.host_after is None or scheme.takes_any_host:
        return None
    if scheme.host_after == "//":
        start = text.index(":") + len("://")
        if text[start - 2 : start] != "//":
            return None
        end = text.find("/", start)
        authority = text[start : len(text) if end < 0 else end]
    else:
        start = text.index(":") + 1
        authority = text[start:]
        if "@" not in authority:
            return None
    login, at, server = authority.rpartition("@")
    start += len(login) + len(at)
    last = server.find("]") + 1 if server.startswith("[") else server.find(":")
    if last >= 0 and server[last:] and server[last] != ":":
        return None  # what follows the brackets would become a part of the stand-in's name
    host = read_host(server if last < 0 else server[:last])
    return RelaxedHost(str(host), start + shift) if isinstance(host, RelaxedHost) else None
