"""Peers of the other operations: resolving, normalizing, typed URLs, URIs in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import ours
from .contenders import OURS, Contender
from .peers_parse import PARSE, ada, can_ada

if TYPE_CHECKING:
    from .timing import Call


def _urljoin() -> Call:
    from urllib.parse import urljoin

    return lambda text: urljoin(ours.BASE, text)


def _uritools_join() -> Call:
    from uritools import urijoin

    return lambda text: urijoin(ours.BASE, text)


def _rfc3986_resolve() -> Call:
    from rfc3986 import uri_reference

    base = uri_reference(ours.BASE)
    return lambda text: uri_reference(text).resolve_with(base)


def _rfc3987_resolve() -> Call:
    from rfc3987 import resolve

    return lambda text: resolve(ours.BASE, text)


def _yarl_join() -> Call:
    from yarl import URL

    base = URL(ours.BASE)
    return lambda text: base.join(URL(text))


def _hyperlink_click() -> Call:
    from hyperlink import URL

    base = URL.from_text(ours.BASE)
    return base.click


def _furl_join() -> Call:
    from furl import furl

    return lambda text: furl(ours.BASE).join(text)


def _httpx_join() -> Call:
    from httpx import URL

    base = URL(ours.BASE)
    return base.join


def _ada_join() -> Call:
    from ada_url import join_url

    return lambda text: join_url(ours.BASE, text)


RESOLVE = (
    Contender(OURS, ours.resolve),
    Contender("urllib.parse", _urljoin),
    Contender("uritools", _uritools_join),
    Contender("rfc3986", _rfc3986_resolve),
    Contender("rfc3987", _rfc3987_resolve),
    Contender("yarl", _yarl_join),
    Contender("hyperlink", _hyperlink_click),
    Contender("furl", _furl_join),
    Contender("httpx", _httpx_join),
    Contender("ada-url", _ada_join, native=True),
)


def _rfc3986_normalize() -> Call:
    from rfc3986 import normalize_uri

    return normalize_uri  # type: ignore[no-any-return]


def _hyperlink_normalize() -> Call:
    from hyperlink import URL

    return lambda text: URL.from_text(text).normalize()


def _yarl_normalize() -> Call:
    from yarl import URL

    return lambda text: str(URL(text))


def _ada_normalize() -> Call:
    from ada_url import normalize_url

    return normalize_url


NORMALIZE = (
    Contender(OURS, ours.normalize),
    Contender("rfc3986", _rfc3986_normalize),
    Contender("hyperlink", _hyperlink_normalize),
    Contender("yarl", _yarl_normalize),
    Contender("ada-url", _ada_normalize, native=True),
)

RFC1738 = f"{OURS}, RFC 1738"
PURE = f"{OURS}, pure"
TRY_PARSE = f"{OURS}.try_parse"

PARSE_URL = (
    Contender(OURS, ours.parse_url),
    Contender(RFC1738, ours.parse_url_rfc1738),
    Contender(PURE, ours.parse_url_pure),
    Contender(TRY_PARSE, ours.try_parse),
    *(peer for peer in PARSE if peer.name in {"urllib.parse", "yarl", "furl"}),
)
"""The typed record, by the RFCs in force and by RFC 1738; the others know no schemes."""


def _split_and_quote() -> Call:
    from urllib.parse import quote, urlsplit

    return lambda text: quote(urlsplit(text).path)


BROWSER = (
    Contender(OURS, ours.browser),
    Contender("can_ada", can_ada, native=True),
    Contender("ada-url", ada, native=True),
    Contender("urlsplit and quote", _split_and_quote),
)
"""The URL Standard; urllib does not know it."""


def _urlextract() -> Call:
    from urlextract import URLExtract

    extractor = URLExtract()
    return lambda text: list(extractor.gen_urls(text))


def _linkify() -> Call:
    from linkify_it import LinkifyIt

    return LinkifyIt().match  # type: ignore[no-any-return]


FIND_URIS = (
    Contender(OURS, ours.find_uris),
    Contender("urlextract", _urlextract),
    Contender("linkify-it-py", _linkify),
)
