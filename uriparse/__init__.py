"""Exact, fast URI parsing in which the RFCs' own ABNF is the program.

`parse` gives records of RFC 3986 references, `is_valid` judges text by any rule of any shipped
grammar, `parse_tree` shows how a rule derives it. Names are loaded from their modules when first
asked for, so that `import uriparse` is quick; Lark is loaded for trees alone.

>>> import uriparse
>>> uriparse.parsing.parser("http://example.com/a?b").path
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
from uriparse.grammar.matchers import grammars, rules
from uriparse.parsing.parser import is_valid, parse, try_parse
from uriparse.records.references import (
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
    from uriparse.grammar.tree import TextTooLongError, parse_tree
    from uriparse.iri.mapping import iri_to_uri, uri_to_iri
    from uriparse.normalization.characters import compose_characters
    from uriparse.normalization.equivalence import equivalent, lowest_rung
    from uriparse.normalization.normalizing import normalize
    from uriparse.normalization.scheme_defaults import SCHEME_DEFAULTS, SchemeDefaults
    from uriparse.percent.coding import query_pairs, quote, unquote, unquote_to_bytes
    from uriparse.resolution.base import BaseURI, base_uri
    from uriparse.resolution.dot_segments import remove_dot_segments, trace_dot_segments
    from uriparse.resolution.kinds import is_same_document, reference_kind
    from uriparse.resolution.relativizing import relativize
    from uriparse.resolution.resolving import resolve
    from uriparse.schemes import parse_url
    from uriparse.text.find import Found, find_uris

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
    "BaseURI": "uriparse.resolution.base",
    "Found": "uriparse.text.find",
    "SCHEME_DEFAULTS": "uriparse.normalization.scheme_defaults",
    "SchemeDefaults": "uriparse.normalization.scheme_defaults",
    "TextTooLongError": "uriparse.grammar.tree",
    "base_uri": "uriparse.resolution.base",
    "compose_characters": "uriparse.normalization.characters",
    "equivalent": "uriparse.normalization.equivalence",
    "find_uris": "uriparse.text.find",
    "iri_to_uri": "uriparse.iri.mapping",
    "is_same_document": "uriparse.resolution.kinds",
    "lowest_rung": "uriparse.normalization.equivalence",
    "normalize": "uriparse.normalization.normalizing",
    "parse_tree": "uriparse.grammar.tree",
    "parse_url": "uriparse.schemes",
    "query_pairs": "uriparse.percent.coding",
    "quote": "uriparse.percent.coding",
    "reference_kind": "uriparse.resolution.kinds",
    "relativize": "uriparse.resolution.relativizing",
    "remove_dot_segments": "uriparse.resolution.dot_segments",
    "resolve": "uriparse.resolution.resolving",
    "trace_dot_segments": "uriparse.resolution.dot_segments",
    "unquote": "uriparse.percent.coding",
    "unquote_to_bytes": "uriparse.percent.coding",
    "uri_to_iri": "uriparse.iri.mapping",
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
