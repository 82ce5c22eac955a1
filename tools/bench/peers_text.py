"""Peers at comparing, mapping and percent-encoding texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import ours
from .contenders import OURS, Contender

if TYPE_CHECKING:
    from .timing import Call

OTHER = "HTTP://Example.com:80/%7eann/./report"
"""What each text is compared with."""

BEYOND_ASCII = "é/ü?q=ß"
"""What makes an IRI of each text."""

PAIRS = "page=2&name=two%20words&"
"""Pairs before each text, which is the rest of a query."""


def _our_equivalent() -> Call:
    from uriparse import equivalent

    return lambda text: equivalent(text, OTHER)


def _yarl_equal() -> Call:
    from yarl import URL

    return lambda text: URL(text) == URL(OTHER)


def _w3lib_equal() -> Call:
    from w3lib.url import canonicalize_url

    return lambda text: canonicalize_url(text) == canonicalize_url(OTHER)


def _url_normalize_equal() -> Call:
    from url_normalize import url_normalize

    return lambda text: url_normalize(text) == url_normalize(OTHER)


EQUIVALENT = (
    Contender(OURS, _our_equivalent),
    Contender("yarl, which keeps what it has read", _yarl_equal),
    Contender("w3lib", _w3lib_equal),
    Contender("url-normalize", _url_normalize_equal, slow=True),
)


def _our_mapping() -> Call:
    from uriparse import iri_to_uri

    return lambda text: str(iri_to_uri(text + BEYOND_ASCII))


def _yarl_mapping() -> Call:
    from yarl import URL

    return lambda text: str(URL(text + BEYOND_ASCII))


def _w3lib_mapping() -> Call:
    from w3lib.url import safe_url_string

    return lambda text: safe_url_string(text + BEYOND_ASCII)


def _httpx_mapping() -> Call:
    from httpx import URL

    return lambda text: str(URL(text + BEYOND_ASCII))


IRI_TO_URI = (
    Contender(OURS, _our_mapping),
    Contender("yarl", _yarl_mapping),
    Contender("w3lib", _w3lib_mapping),
    Contender("httpx", _httpx_mapping),
)


def _our_pairs() -> Call:
    from uriparse import query_pairs

    return lambda text: query_pairs(query=PAIRS + text)


def _urllib_pairs() -> Call:
    from urllib.parse import parse_qsl

    return lambda text: parse_qsl(PAIRS + text, keep_blank_values=True)


def _yarl_pairs() -> Call:
    from yarl import URL

    return lambda text: URL.build(query_string=PAIRS + text, encoded=True).query


QUERY_PAIRS = (
    Contender(OURS, _our_pairs),
    Contender("urllib.parse", _urllib_pairs),
    Contender("yarl", _yarl_pairs),
)


def _our_quote() -> Call:
    from uriparse import quote

    return lambda text: quote(text, "query-value")


def _urllib_quote() -> Call:
    from urllib.parse import quote

    return lambda text: quote(text, safe="")


QUOTE = (Contender(OURS, _our_quote), Contender("urllib.parse", _urllib_quote))


def _our_unquote() -> Call:
    from uriparse import unquote

    return unquote


def _urllib_unquote() -> Call:
    from urllib.parse import unquote

    return unquote


UNQUOTE = (Contender(OURS, _our_unquote), Contender("urllib.parse", _urllib_unquote))


def _w3lib_canonical() -> Call:
    from w3lib.url import canonicalize_url

    return canonicalize_url  # type: ignore[no-any-return]


def _url_normalize() -> Call:
    from url_normalize import url_normalize

    return url_normalize


CANONICALIZE = (
    Contender(OURS, ours.canonicalize),
    Contender("w3lib", _w3lib_canonical),
    Contender("url-normalize", _url_normalize, slow=True),
)
"""The key of a cache; the peers know no rules of WWWOFFLE's."""
