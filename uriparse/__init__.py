"""Exact, fast URI parsing in which the RFCs' own ABNF is the program.

`parse` gives records of RFC 3986 references, `is_valid` judges text by any rule of any shipped
grammar, `parse_tree` shows how a rule derives it. Names are loaded from their modules when first
asked for, so that `import uriparse` is quick; Lark is loaded for trees alone.

>>> import uriparse
>>> uriparse.parse("http://example.com/a?b").path
'/a'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from uriparse.errors import (
    ComponentError,
    EncodingError,
    MissingExtraError,
    ResolutionError,
    SchemeError,
    UnknownRuleError,
    URIError,
    URISyntaxError,
)
from uriparse.matchers import grammars, rules
from uriparse.parse import is_valid, parse, try_parse
from uriparse.records import (
    URI,
    Authority,
    Host,
    IPv4,
    IPv6,
    IPvFuture,
    RegName,
    RelativeRef,
    URIReference,
)

if TYPE_CHECKING:
    from uriparse.percent import query_pairs, quote, unquote, unquote_to_bytes

__all__ = [
    "URI",
    "Authority",
    "ComponentError",
    "EncodingError",
    "Host",
    "IPv4",
    "IPv6",
    "IPvFuture",
    "MissingExtraError",
    "RegName",
    "RelativeRef",
    "ResolutionError",
    "SchemeError",
    "URIError",
    "URIReference",
    "URISyntaxError",
    "UnknownRuleError",
    "grammars",
    "is_valid",
    "parse",
    "query_pairs",
    "quote",
    "rules",
    "try_parse",
    "unquote",
    "unquote_to_bytes",
]

# Each name that is loaded when asked for, and the module that holds it. Such a name also stands in
# __all__ and, for type checkers, among the imports above.
_LAZY = {
    "query_pairs": "uriparse.percent",
    "quote": "uriparse.percent",
    "unquote": "uriparse.percent",
    "unquote_to_bytes": "uriparse.percent",
}


def __getattr__(name: str) -> object:
    """Load a public name on first use (PEP 562)."""
    try:
        module = _LAZY[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps a module from taking the place of the function that it is named after."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _LAZY and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
