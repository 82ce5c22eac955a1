"""Exact, fast URI parsing in which the RFCs' own ABNF is the program.

`parse` gives records of RFC 3986 references, `is_valid` judges text by any rule of any shipped
grammar, `parse_tree` shows how a rule derives it. Names are loaded from their modules when first
asked for, so that `import uriparse` is quick; Lark is loaded for trees alone.

>>> import uriparse
>>> uriparse.parse("http://example.com/a?b").path
'/a'
"""

from __future__ import annotations

import sys as _sys

from uriparse import rightward as _rightward

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, which the command loads behind its guard (see below)
if TYPE_CHECKING:
    from uriparse import building as building
    from uriparse import conformance as conformance
    from uriparse import diagnosis as diagnosis
    from uriparse import errors as errors
    from uriparse import grammar as grammar
    from uriparse import iri as iri
    from uriparse import legacy as legacy
    from uriparse import normalization as normalization
    from uriparse import parsing as parsing
    from uriparse import percent as percent
    from uriparse import records as records
    from uriparse import resolution as resolution
    from uriparse import schemes as schemes
    from uriparse import text as text
    from uriparse import validation as validation
    from uriparse._native import implementation
    from uriparse.building import (
        SENSITIVE_NAMES,
        add_query,
        child,
        from_path,
        make,
        parent,
        query_string,
        redacted,
        set_query,
        to_path,
        with_name,
        with_query,
        with_segments,
        with_suffix,
        without_query,
    )
    from uriparse.errors import (
        ComponentError,
        EncodingError,
        MissingExtraError,
        MissingPackageError,
        PatternError,
        ResolutionError,
        SchemeError,
        UnknownRuleError,
        URIError,
        URISyntaxError,
    )
    from uriparse.expressions import pattern
    from uriparse.grammar import grammars, rules
    from uriparse.grammar.lark_parser import TextTooLongError
    from uriparse.iri import iri_to_uri, uri_to_iri
    from uriparse.legacy.rfc2396 import Components, join_reference, split_reference
    from uriparse.normalization import (
        SCHEME_DEFAULTS,
        SchemeDefaults,
        compose_characters,
        equivalent,
        is_same_document,
        lowest_rung,
        normalize,
    )
    from uriparse.parsing import is_valid, parse, try_parse
    from uriparse.parsing.trees import parse_tree
    from uriparse.percent import query_pairs, quote, unquote, unquote_to_bytes
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
    from uriparse.resolution import (
        BaseURI,
        base_uri,
        complete_suffix_reference,
        merge,
        reference_kind,
        relativize,
        remove_dot_segments,
        resolve,
        trace_dot_segments,
    )
    from uriparse.resolution.base import enclosing_bases, html_base, mime_base
    from uriparse.schemes import parse_url
    from uriparse.text import Found, find_uris
    from uriparse.validation import (
        Finding,
        Policy,
        PolicyError,
        Report,
        Severity,
        Target,
        check,
        validate,
    )

__all__ = [
    "SCHEME_DEFAULTS",
    "SENSITIVE_NAMES",
    "URI",
    "Authority",
    "BaseURI",
    "ComponentError",
    "Components",
    "EncodingError",
    "Finding",
    "Found",
    "Host",
    "IPv4",
    "IPv6",
    "IPvFuture",
    "MissingExtraError",
    "MissingPackageError",
    "PatternError",
    "Policy",
    "PolicyError",
    "RegName",
    "RelativeRef",
    "Report",
    "ResolutionError",
    "SchemeDefaults",
    "SchemeError",
    "Severity",
    "Target",
    "TextTooLongError",
    "URIError",
    "URIReference",
    "URISyntaxError",
    "UnknownRuleError",
    "add_query",
    "base_uri",
    "check",
    "child",
    "complete_suffix_reference",
    "compose_characters",
    "enclosing_bases",
    "equivalent",
    "find_uris",
    "from_path",
    "grammars",
    "html_base",
    "implementation",
    "iri_to_uri",
    "is_same_document",
    "is_valid",
    "join_reference",
    "lowest_rung",
    "make",
    "merge",
    "mime_base",
    "normalize",
    "parent",
    "parse",
    "parse_tree",
    "parse_url",
    "pattern",
    "query_pairs",
    "query_string",
    "quote",
    "redacted",
    "reference_kind",
    "relativize",
    "remove_dot_segments",
    "resolve",
    "rules",
    "set_query",
    "split_reference",
    "to_path",
    "trace_dot_segments",
    "try_parse",
    "unquote",
    "unquote_to_bytes",
    "uri_to_iri",
    "validate",
    "with_name",
    "with_query",
    "with_segments",
    "with_suffix",
    "without_query",
]

# Where the names are held, by module. Such a name also stands in __all__ and, for type checkers,
# among the imports above.
_HOMES = {
    "_native": "implementation",
    "errors": (
        "ComponentError EncodingError MissingExtraError MissingPackageError PatternError "
        "ResolutionError SchemeError URIError URISyntaxError UnknownRuleError"
    ),
    "grammar": "grammars rules",
    "grammar.lark_parser": "TextTooLongError",
    "percent": "query_pairs quote unquote unquote_to_bytes",
    "records": "Authority Host IPv4 IPv6 IPvFuture RegName RelativeRef URI URIReference",
    "parsing": "is_valid parse try_parse",
    "parsing.trees": "parse_tree",
    "resolution": (
        "BaseURI base_uri complete_suffix_reference merge reference_kind relativize "
        "remove_dot_segments resolve trace_dot_segments"
    ),
    "resolution.base": "enclosing_bases html_base mime_base",
    "iri": "iri_to_uri uri_to_iri",
    "normalization": (
        "SCHEME_DEFAULTS SchemeDefaults compose_characters equivalent is_same_document "
        "lowest_rung normalize"
    ),
    "text": "Found find_uris",
    "building": (
        "SENSITIVE_NAMES add_query child from_path make parent query_string redacted set_query "
        "to_path with_name with_query with_segments with_suffix without_query"
    ),
    "schemes": "parse_url",
    "legacy.rfc2396": "Components join_reference split_reference",
    "expressions": "pattern",
    "validation": "Finding Policy PolicyError Report Severity Target check validate",
}
_LAZY = {name: f"uriparse.{home}" for home, names in _HOMES.items() for name in names.split()}


# Packages that stand beside the names: `uriparse.legacy.rfc2396` needs no further import.
_WINGS = frozenset(
    {
        *("errors", "grammar", "percent", "records", "diagnosis", "parsing", "resolution", "iri"),
        *("normalization", "text", "building", "schemes", "legacy", "validation", "conformance"),
        "arrow",
    }
)

if not TYPE_CHECKING:  # who would take any name for one that is there, and no slip for a slip

    def __getattr__(name: str) -> object:
        """Load a public name, or a wing, on first use (PEP 562)."""
        from importlib import import_module  # noqa: PLC0415 - so that importing stays quick

        if name in _WINGS:
            return import_module(f"uriparse.{name}")
        if name not in _LAZY:
            from uriparse.migration_hints import FUNCTIONS, advice  # noqa: PLC0415 - same

            raise AttributeError(
                f"module {__name__!r} has no attribute {name!r}{advice(name, FUNCTIONS)}",
                name=name,
                obj=_sys.modules[__name__],
            )
        value = getattr(import_module(_LAZY[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)


def _is_command_starting() -> bool:
    """Whether this process is `python -m uriparse`, or the script `uriparse`.

    Python calls a module "-m" while it looks for it.
    """
    program = _sys.argv[0] if _sys.argv else ""
    return program == "-m" or program.replace("\\", "/").rpartition("/")[2] in _SCRIPTS


_rightward.front = _sys.modules[__name__]

_SCRIPTS = ("uriparse", "uriparse.exe", "uriparse-script.py")

# What nearly every program asks for first. The command has to take care of interrupts before it
# loads so much: a Ctrl-C here would show a traceback.
if not _is_command_starting():
    from uriparse import parsing as _parsing  # noqa: F401 - and with it errors, grammar, records
