"""Exact, fast URI parsing in which the RFCs' own ABNF is the program.

`parse` gives records of RFC 3986 references, `is_valid` judges text by any rule of any shipped
grammar, `parse_tree` shows how a rule derives it. Names are loaded from their modules when first
asked for, so that `import uriparse` is quick; Lark is loaded for trees alone.

>>> import uriparse
>>> uriparse.parse("http://example.com/a?b").path
'/a'
"""

from __future__ import annotations

from importlib import import_module
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
from uriparse.grammar import grammars, rules
from uriparse.parsing import is_valid, parse, try_parse
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
    from uriparse.grammar.tree import TextTooLongError
    from uriparse.iri import iri_to_uri, uri_to_iri
    from uriparse.normalization import (
        SCHEME_DEFAULTS,
        SchemeDefaults,
        compose_characters,
        equivalent,
        is_same_document,
        lowest_rung,
        normalize,
    )
    from uriparse.parsing.trees import parse_tree
    from uriparse.percent import query_pairs, quote, unquote, unquote_to_bytes
    from uriparse.resolution import (
        BaseURI,
        base_uri,
        reference_kind,
        relativize,
        remove_dot_segments,
        resolve,
        trace_dot_segments,
    )
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
    "BaseURI": "uriparse.resolution",
    "Found": "uriparse.text",
    "SCHEME_DEFAULTS": "uriparse.normalization",
    "SchemeDefaults": "uriparse.normalization",
    "TextTooLongError": "uriparse.grammar.tree",
    "base_uri": "uriparse.resolution",
    "compose_characters": "uriparse.normalization",
    "equivalent": "uriparse.normalization",
    "find_uris": "uriparse.text",
    "iri_to_uri": "uriparse.iri",
    "is_same_document": "uriparse.normalization",
    "lowest_rung": "uriparse.normalization",
    "normalize": "uriparse.normalization",
    "parse_tree": "uriparse.parsing.trees",
    "parse_url": "uriparse.schemes",
    "query_pairs": "uriparse.percent",
    "quote": "uriparse.percent",
    "reference_kind": "uriparse.resolution",
    "relativize": "uriparse.resolution",
    "remove_dot_segments": "uriparse.resolution",
    "resolve": "uriparse.resolution",
    "trace_dot_segments": "uriparse.resolution",
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
