"""Peers at building: references made of data, and one of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .contenders import OURS, Contender

if TYPE_CHECKING:
    from .timing import Call

SEGMENT = "annual report é.pdf"
"""A segment of data: spaces, a letter beyond ASCII. No slash, for which yarl has no spelling."""

PAIRS = [("q", "a&b=c"), ("page", "2")]
"""Pairs of data."""


def _our_child() -> Call:
    from uriparse import parse

    return lambda text: str(parse(text).child(SEGMENT))


def _yarl_child() -> Call:
    from yarl import URL

    return lambda text: str(URL(text) / SEGMENT)


def _furl_child() -> Call:
    from furl import furl

    def call(text: str) -> object:
        url = furl(text)
        url.path.segments.append(SEGMENT)
        return url.url

    return call


CHILD = (
    Contender(OURS, _our_child),
    Contender("yarl", _yarl_child),
    Contender("furl", _furl_child, slow=True),
)


def _our_add_query() -> Call:
    from uriparse import parse

    return lambda text: str(parse(text).add_query(PAIRS))


def _yarl_add_query() -> Call:
    from yarl import URL

    return lambda text: str(URL(text).extend_query(PAIRS))


def _furl_add_query() -> Call:
    from furl import furl

    return lambda text: furl(text).add(PAIRS).url


def _httpx_add_query() -> Call:
    from httpx import URL

    def call(text: str) -> object:
        url = URL(text)
        for name, value in PAIRS:
            url = url.copy_add_param(name, value)
        return str(url)

    return call


ADD_QUERY = (
    Contender(OURS, _our_add_query),
    Contender("yarl", _yarl_add_query),
    Contender("furl", _furl_add_query, slow=True),
    Contender("httpx", _httpx_add_query),
)


def _our_make() -> Call:
    from uriparse import make

    return lambda host: str(
        make(scheme="https", host=host, port=8443, path_segments=["a", SEGMENT], query=PAIRS)
    )


def _yarl_make() -> Call:
    from yarl import URL

    path = f"/a/{SEGMENT}"
    return lambda host: str(URL.build(scheme="https", host=host, port=8443, path=path, query=PAIRS))


def _furl_make() -> Call:
    from furl import furl

    def call(host: str) -> object:
        url = furl(scheme="https", host=host, port=8443, query_params=PAIRS)
        url.path.segments = ["a", SEGMENT]
        return url.url

    return call


MAKE = (
    Contender(OURS, _our_make),
    Contender("yarl", _yarl_make),
    Contender("furl", _furl_make, slow=True),
)
