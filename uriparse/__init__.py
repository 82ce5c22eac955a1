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
    from uriparse.base import BaseURI, base_uri
    from uriparse.characters import compose_characters
    from uriparse.dot_segments import remove_dot_segments, trace_dot_segments
    from uriparse.equivalence import equivalent, lowest_rung
    from uriparse.grammar import TextTooLongError, parse_tree
    from uriparse.iri import iri_to_uri, uri_to_iri
    from uriparse.normalize import normalize
    from uriparse.percent import query_pairs, quote, unquote, unquote_to_bytes
    from uriparse.references import is_same_document, reference_kind
    from uriparse.relativize import relativize
    from uriparse.resolve import resolve
    from uriparse.scheme_defaults import SCHEME_DEFAULTS, SchemeDefaults
    from uriparse.schemes import parse_url
    from uriparse.text import Found, find_uris

__all__ = [
    "SCHEME_DEFAULTS",
    "URI",
    "Authority",
    "BaseURI",
    "ComponentError",
    "EncodingError",
    "Found",
    "Host",
    "IPv4",
    "IPv6",
    "IPvFuture",
    "MissingExtraError",
    "RegName",
    "RelativeRef",
    "ResolutionError",
    "SchemeDefaults",
    "SchemeError",
    "TextTooLongError",
    "URIError",
    "URIReference",
    "URISyntaxError",
    "UnknownRuleError",
    "base_uri",
    "compose_characters",
    "equivalent",
    "find_uris",
    "grammars",
    "iri_to_uri",
    "is_same_document",
    "is_valid",
    "lowest_rung",
    "normalize",
    "parse",
    "parse_tree",
    "parse_url",
    "query_pairs",
    "quote",
    "reference_kind",
    "relativize",
    "remove_dot_segments",
    "resolve",
    "rules",
    "trace_dot_segments",
    "try_parse",
    "unquote",
    "unquote_to_bytes",
    "uri_to_iri",
]

# Each name that is loaded when asked for, and the module that holds it. Such a name also stands in
# __all__ and, for type checkers, among the imports above.
_LAZY = {
    "BaseURI": "uriparse.base",
    "Found": "uriparse.text",
    "SCHEME_DEFAULTS": "uriparse.scheme_defaults",
    "SchemeDefaults": "uriparse.scheme_defaults",
    "TextTooLongError": "uriparse.grammar",
    "base_uri": "uriparse.base",
    "compose_characters": "uriparse.characters",
    "equivalent": "uriparse.equivalence",
    "find_uris": "uriparse.text",
    "iri_to_uri": "uriparse.iri",
    "is_same_document": "uriparse.references",
    "lowest_rung": "uriparse.equivalence",
    "normalize": "uriparse.normalize",
    "parse_tree": "uriparse.grammar",
    "parse_url": "uriparse.schemes",
    "query_pairs": "uriparse.percent",
    "quote": "uriparse.percent",
    "reference_kind": "uriparse.references",
    "relativize": "uriparse.relativize",
    "remove_dot_segments": "uriparse.dot_segments",
    "resolve": "uriparse.resolve",
    "trace_dot_segments": "uriparse.dot_segments",
    "unquote": "uriparse.percent",
    "unquote_to_bytes": "uriparse.percent",
    "uri_to_iri": "uriparse.iri",
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
