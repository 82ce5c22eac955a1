"""The peers in Python that resolve, normalize, compare or relativize: a function for each.

A function takes the texts of a case and returns a text, or for a comparison a verdict. It imports
its library itself, so that a missing one costs its own process alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, TypeAlias

from uriparse.normalization import equivalent, normalize
from uriparse.parsing import parse
from uriparse.resolution import relativize, resolve

Function: TypeAlias = Callable[..., object]

_LEVEL: Final = "scheme"
"""The cases of normalization are of section 6.2.3, too."""


def _by_methods(module: str, make: str, chain: str, written: Function = str) -> Function:
    """Call a method of what a library makes of the first text, with what it makes of the others."""

    def function(*texts: str) -> object:
        made: Any = import_module(module)
        for name in make.split("."):
            made = getattr(made, name)
        first, *others = map(made, texts)
        return written(getattr(first, chain)(*others))

    return function


def _rfc3986_resolve(base: str, reference: str) -> object:
    made = import_module("rfc3986").uri_reference
    return made(reference).resolve_with(made(base), strict=True).unsplit()


def _href(module: str, made: str) -> Function:
    return lambda text: getattr(import_module(module), made)(text).href


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
    "urllib": {"resolution": lambda *texts: import_module("urllib.parse").urljoin(*texts)},
    "uritools": {
        "resolution": lambda *texts: import_module("uritools").urijoin(*texts, strict=True)
    },
    "rfc3986": {
        "resolution": _rfc3986_resolve,
        "normalization": _by_methods(
            "rfc3986", "uri_reference", "normalize", lambda u: u.unsplit()
        ),
        "equivalence": _by_methods("rfc3986", "uri_reference", "normalized_equality", bool),
    },
    "yarl": {
        "resolution": _by_methods("yarl", "URL", "join"),
        "equivalence": _by_methods("yarl", "URL", "__eq__", bool),
    },
    "httpx": {
        "resolution": _by_methods("httpx", "URL", "join"),
        "equivalence": _by_methods("httpx", "URL", "__eq__", bool),
    },
    "hyperlink": {
        "resolution": lambda base, reference: _in_full(
            import_module("hyperlink").URL.from_text(base).click(reference)
        ),
        "normalization": _by_methods("hyperlink", "URL.from_text", "normalize", _in_full),
    },
    "whatwg (this library)": {
        "resolution": lambda base, reference: (
            import_module("uriparse.whatwg").parse(reference, base=base).href
        ),
        "normalization": _href("uriparse.whatwg", "parse"),
    },
    "ada-url": {
        "resolution": lambda base, reference: import_module("ada_url").URL(reference, base).href,
        "normalization": _href("ada_url", "URL"),
    },
}
"""By the name of the peer and of the operation."""
