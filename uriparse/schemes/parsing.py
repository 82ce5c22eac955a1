"""`parse_url`: from a text to the record of its scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, overload

from uriparse.coerce import Text, as_text
from uriparse.schemes.failure import cause_error, no_scheme_error
from uriparse.schemes.other import OTHER
from uriparse.schemes.reading import read
from uriparse.schemes.registry import REGISTRY, Registry
from uriparse.schemes.scheme import is_scheme, known

if TYPE_CHECKING:
    from uriparse.schemes.other import OtherURL
    from uriparse.schemes.registry import DescribedURL
    from uriparse.schemes.scheme import Schemes
    from uriparse.schemes.url import URL


PREFIX: Final = "url"
"""What marks URLs in running text, as in `<URL:ftp://h.d/>` (RFC 1738, appendix): no scheme."""


@overload
def parse_url(
    text: Text, *, relaxed_host: bool = False, registry: None = None
) -> DescribedURL | OtherURL: ...
@overload
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None) -> URL: ...
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None = None) -> URL:
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
    word, colon, _ = whole.partition(":")
    schemes = REGISTRY if registry is None else registry
    if type(schemes) is not Registry:
        schemes = known(schemes, REGISTRY)
    name = word.lower()
    scheme = schemes.get(name) if colon and word.isascii() else None
    if scheme is None:
        if not colon or not is_scheme(word):
            raise no_scheme_error(whole)
        if name == PREFIX and _has_scheme(whole[len(word) + 1 :]):
            raise cause_error(whole, None, 0, "scheme", "scheme", "url-prefix")
        scheme = getattr(schemes, "other", None) or OTHER
    return read(whole, name, scheme, relaxed_host=relaxed_host)


def _has_scheme(text: str) -> bool:
    word, colon, _ = text.partition(":")
    return bool(colon) and is_scheme(word)
