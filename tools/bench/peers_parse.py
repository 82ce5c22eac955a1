"""Peers that take a URI apart: the bare call, and the call with every component read."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from . import ours
from .contenders import OURS, Contender

if TYPE_CHECKING:
    from collections.abc import Callable

    from .timing import Call


def _urllib() -> Call:
    from urllib.parse import urlsplit

    return urlsplit.__wrapped__  # type: ignore[attr-defined, no-any-return]  # without its cache


def _uritools() -> Call:
    from uritools import urisplit

    return urisplit


def _rfc3986() -> Call:
    from rfc3986 import uri_reference

    return uri_reference  # type: ignore[no-any-return]


def _rfc3987() -> Call:
    from rfc3987 import parse

    return lambda text: parse(text, rule="URI")


def yarl() -> Call:
    """Load yarl, which repairs much of what it is given."""
    from yarl import URL

    return URL


def _hyperlink() -> Call:
    from hyperlink import URL

    return URL.from_text


def _furl() -> Call:
    from furl import furl

    return furl  # type: ignore[no-any-return]


def _urllib3() -> Call:
    from urllib3.util import parse_url

    return parse_url


def _httpx() -> Call:
    from httpx import URL

    return URL


def ada() -> Call:
    """Load Ada's reader in Python."""
    from ada_url import URL

    return URL


def can_ada() -> Call:
    """Load Ada's reader with pybind11."""
    from can_ada import parse

    return parse


def _pydantic() -> Call:
    from pydantic_core import Url

    return Url


_USER_AND_PASSWORD = "username password hostname port"
_WHATWG = f"protocol {_USER_AND_PASSWORD} pathname search hash"

_PEERS: tuple[tuple[str, Callable[[], Call], str, bool], ...] = (
    ("urllib.parse", _urllib, f"scheme {_USER_AND_PASSWORD} path query fragment", False),
    ("uritools", _uritools, "scheme userinfo host port path query fragment", False),
    ("rfc3986", _rfc3986, "scheme userinfo host port path query fragment", False),
    ("rfc3987", _rfc3987, "", False),
    (
        "yarl",
        yarl,
        (
            "scheme raw_user raw_password raw_host explicit_port raw_path raw_query_string "
            "raw_fragment"
        ),
        False,
    ),
    ("hyperlink", _hyperlink, "scheme userinfo host port path query fragment", False),
    ("furl", _furl, "scheme username password host port path query fragment", False),
    ("urllib3", _urllib3, "scheme auth host port path query fragment", False),
    ("httpx", _httpx, "scheme userinfo host port path query fragment", False),
    ("ada-url", ada, _WHATWG, True),
    ("can-ada", can_ada, _WHATWG, True),
    ("pydantic-core", _pydantic, "scheme username password host port path query fragment", True),
)


def _and_read(load: Callable[[], Call], names: str) -> Callable[[], Call]:
    def loaded() -> Call:
        call = load()
        if not names:
            return call
        components = attrgetter(*names.split())
        return lambda text: components(call(text))

    return loaded


PARSE = (
    Contender(OURS, ours.parse, answers=False),
    *(Contender(name, load, answers=False, native=native) for name, load, _names, native in _PEERS),
)
"""The call alone: the components can be read afterwards, at a further price in some."""

READ = (
    Contender(OURS, ours.read, answers=False),
    *(
        Contender(name, _and_read(load, names), answers=False, native=native)
        for name, load, names, native in _PEERS
    ),
)
"""The call and every component read once."""
