"""The peers in Python that resolve, normalize, compare or relativize: a function for each.

A function takes the texts of a case and returns a text, or for a comparison a verdict. It imports
its library itself, so that a missing one costs its own process alone.
"""

# ruff: noqa: PLC0415 - a missing library costs the process of its own parser alone

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin

from uriparse import whatwg
from uriparse.normalization import normalize
from uriparse.parsing import parse
from uriparse.resolution import relativize, resolve
from uriparse.schemes import equivalent

Function: TypeAlias = Callable[..., object]

_LEVEL: Final = "scheme"
"""The cases of normalization are of section 6.2.3, too."""


def _by_methods(make: Callable[[], Any], chain: str, written: Function = str) -> Function:
    """Call a method of what a library makes of the first text, with what it makes of the others.

    make: imports the library, and returns what makes a URL of a text.
    """

    def function(*texts: str) -> object:
        first, *others = map(make(), texts)
        return written(getattr(first, chain)(*others))

    return function


def _rfc3986() -> Any:
    from rfc3986 import uri_reference

    return uri_reference


def _rfc3986_resolve(base: str, reference: str) -> object:
    return _rfc3986()(reference).resolve_with(_rfc3986()(base), strict=True).unsplit()


def _uritools_resolve(base: str, reference: str) -> object:
    from uritools import urijoin

    return urijoin(base, reference, strict=True)


def _yarl() -> Any:
    from yarl import URL

    return URL


def _httpx() -> Any:
    from httpx import URL

    return URL


def _hyperlink() -> Any:
    from hyperlink import URL

    return URL.from_text


def _ada_url(text: str, base: str | None = None) -> object:
    from ada_url import URL

    return URL(text, base).href


def _whatwg(text: str, base: str | None = None) -> object:
    return whatwg.parse(text, base=base).href


def _in_full(url: Any) -> str:
    found: str = url.to_text(with_password=True)
    return found


FUNCTIONS: Final[Mapping[str, Mapping[str, Function]]] = {
    "uriparse": {
        "resolution": lambda base, reference: str(resolve(parse(base), reference)),
        "normalization": lambda text: str(normalize(text, level=_LEVEL)),
        "equivalence": lambda one, other: equivalent(one, other, level=_LEVEL),
        "relativization": lambda base, target: str(relativize(base, target)),
    },
    "urllib": {"resolution": urljoin},
    "uritools": {"resolution": _uritools_resolve},
    "rfc3986": {
        "resolution": _rfc3986_resolve,
        "normalization": _by_methods(_rfc3986, "normalize", lambda u: u.unsplit()),
        "equivalence": _by_methods(_rfc3986, "normalized_equality", bool),
    },
    "yarl": {
        "resolution": _by_methods(_yarl, "join"),
        "equivalence": _by_methods(_yarl, "__eq__", bool),
    },
    "httpx": {
        "resolution": _by_methods(_httpx, "join"),
        "equivalence": _by_methods(_httpx, "__eq__", bool),
    },
    "hyperlink": {
        "resolution": lambda base, reference: _in_full(_hyperlink()(base).click(reference)),
        "normalization": _by_methods(_hyperlink, "normalize", _in_full),
    },
    "whatwg (this library)": {
        "resolution": lambda base, reference: _whatwg(reference, base),
        "normalization": _whatwg,
    },
    "ada-url": {
        "resolution": lambda base, reference: _ada_url(reference, base),
        "normalization": _ada_url,
    },
}
"""By the name of the peer and of the operation."""
