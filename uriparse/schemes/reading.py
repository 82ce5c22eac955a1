"""From a text to a record, by the rule of one scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedInput, VisitError

from uriparse.errors import URISyntaxError
from uriparse.grammar import matcher
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.failure import fragment_error, scheme_error, unexpected_error
from uriparse.schemes.host import RelaxedHost, read_host
from uriparse.schemes.trees import Source

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.url import URL

_STAND_IN = "h"
"""A host of RFC 1738, to parse in place of one that it lacks."""


def read(text: str, scheme: Scheme, *, relaxed_host: bool = False) -> URL:
    """Make the record of a text that begins with the name of a scheme, in any letter case, and ":".

    SchemeError if it is no URL of that scheme.
    """
    url, mark, fragment = text.partition("#")
    word = url.partition(":")[0]
    name = word.lower()
    parsed, shift = url, 0
    if scheme.word is not None and scheme.word != name:
        parsed, shift = scheme.word + url[len(word) :], len(word) - len(scheme.word)
    host = _relaxed(parsed, shift, scheme) if relaxed_host else None
    if host is not None:
        start = (host.start or 0) - shift
        parsed = f"{parsed[:start]}{_STAND_IN}{parsed[start + len(host) :]}"
    source = Source(
        text,
        name,
        scheme.record,
        scheme.default_port,
        Encoded(fragment, len(url) + 1 if fragment else None) if mark else None,
        shift,
        host,
        len(_STAND_IN),
    )
    try:
        tree = scheme.tree(parsed)
    except URISyntaxError as error:
        raise scheme_error(error, text, scheme, source) from None
    except UnexpectedInput as error:
        raise unexpected_error(error, text, scheme, source) from None
    if mark and matcher("urlpath", "rfc1738").fullmatch(fragment) is None:
        raise fragment_error(fragment, text, len(url) + 1, name)
    try:
        return scheme.transformer(source).transform(tree)
    except VisitError as error:  # whose message would show the tree, passwords and all
        raise error.orig_exc from None


def _relaxed(text: str, shift: int, scheme: Scheme) -> RelaxedHost | None:
    """Find a host that only RFC 3986 allows where the scheme has one; None if there is none.

    In RFC 1738 an authority goes on to the first "/", and neither a user nor a password holds a
    raw "@".
    """
    if scheme.host_after is None:
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
    host = read_host(server if last < 0 else server[:last])
    return RelaxedHost(str(host), start + shift) if isinstance(host, RelaxedHost) else None
