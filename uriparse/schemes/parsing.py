"""`parse_url`: from a text to the record of its scheme."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, overload

from lark.exceptions import UnexpectedInput, VisitError

from uriparse.door import Text, as_text, refusal
from uriparse.errors import URISyntaxError
from uriparse.grammar import matcher
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.failure import fragment_error, scheme_error, unexpected_error
from uriparse.schemes.host import RelaxedHost, read_host
from uriparse.schemes.registry import OTHER, REGISTRY, Registry, Scheme, is_scheme
from uriparse.schemes.trees import Source

if TYPE_CHECKING:
    from uriparse.schemes.other import OtherURL
    from uriparse.schemes.registry import DescribedURL
    from uriparse.schemes.url import URL

_STAND_IN = "h"
"""A host of RFC 1738, to parse in place of one that it lacks."""


@overload
def parse_url(
    text: Text, *, relaxed_host: bool = False, registry: None = None
) -> DescribedURL | OtherURL: ...
@overload
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Registry | None) -> URL: ...
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Registry | None = None) -> URL:
    """Parse a URL by the rule of its scheme (RFC 1738 section 5); give the scheme's own record.

    text: the URL, with a fragment perhaps, which is split off first; str or ASCII bytes. The
        scheme may be in any letter case.
    relaxed_host: whether to take a host that RFC 3986 allows and RFC 1738 lacks (a trailing dot,
        an underscore, an address in brackets...), unless it is empty; it becomes a `RelaxedHost`.
    registry: the schemes to know, `REGISTRY` if None; all others give an `OtherURL`.

    SchemeError if the text is no URL of its scheme, with the first offset at fault.

    >>> url = parse_url("ftp://ds.internic.net/rfc/rfc1436.txt;type=a#top")
    >>> url.cwds, url.name.decoded, url.typecode, url.fragment
    (('rfc',), 'rfc1436.txt', 'a', 'top')
    >>> parse_url("ftp://h.d/a;b")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    uriparse.errors.SchemeError: ftp URL...
    """
    whole = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    if registry is not None and not isinstance(registry, Mapping):
        raise refusal(registry, "registry", "a Registry or None")
    url, mark, fragment = whole.partition("#")
    word, colon, _ = url.partition(":")
    if not colon or not is_scheme(word):
        raise scheme_error(_refusal(url, OTHER), whole, OTHER, None)
    name = word.lower()
    scheme = (REGISTRY if registry is None else registry).get(name, OTHER)
    parsed, shift = url, 0
    if scheme.word is not None and scheme.word != name:
        parsed, shift = scheme.word + url[len(word) :], len(word) - len(scheme.word)
    host = _relaxed(parsed, shift, scheme) if relaxed_host else None
    if host is not None:
        start = (host.start or 0) - shift
        parsed = f"{parsed[:start]}{_STAND_IN}{parsed[start + len(host) :]}"
    source = Source(
        whole,
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
        raise scheme_error(error, whole, scheme, source) from None
    except UnexpectedInput as error:
        raise unexpected_error(error, whole, scheme, source) from None
    if mark and matcher("urlpath", "rfc1738").fullmatch(fragment) is None:
        raise fragment_error(fragment, whole, len(url) + 1, name)
    try:
        return scheme.transformer(source).transform(tree)
    except VisitError as error:  # whose message would show the tree, passwords and all
        raise error.orig_exc from None


def _refusal(url: str, scheme: Scheme) -> URISyntaxError:
    """Get the error of a text that is not even `scheme ":" schemepart`."""
    try:
        scheme.tree(url)
    except URISyntaxError as error:
        return error
    raise AssertionError("a genericurl has a scheme and a colon")


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
