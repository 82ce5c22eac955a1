"""Validate and parse URIs, IRIs and URLs, exactly by the RFCs' own grammars.

`parse` returns records of RFC 3986 references, `is_valid` checks a text against any rule of any
bundled grammar, `parse_tree` shows how a rule derives it, and `transform` makes a record of that.
Names are loaded from their modules on first use, so `import uriparse` is quick; Lark is loaded only
for trees. Rarely used functions are in their modules, such as `uriparse.resolution.merge`.

>>> import uriparse
>>> uriparse.parse("http://example.com/a?b").path
'/a'
"""

from __future__ import annotations

import sys as _sys

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, which the command loads after its guard (see below)
if TYPE_CHECKING:
    from uriparse import arrow as arrow
    from uriparse import building as building
    from uriparse import components as components
    from uriparse import conformance as conformance
    from uriparse import diagnosis as diagnosis
    from uriparse import errors as errors
    from uriparse import extra as extra
    from uriparse import grammar as grammar
    from uriparse import guard as guard
    from uriparse import iri as iri
    from uriparse import keys as keys
    from uriparse import legacy as legacy
    from uriparse import normalization as normalization
    from uriparse import parsing as parsing
    from uriparse import percent as percent
    from uriparse import records as records
    from uriparse import resolution as resolution
    from uriparse import schemes as schemes
    from uriparse import text as text
    from uriparse import trees as trees
    from uriparse import validation as validation
    from uriparse import whatwg as whatwg
    from uriparse._native import implementation
    from uriparse.building import make, query_pairs, redact
    from uriparse.errors import (
        ComponentError,
        EncodingError,
        ResolutionError,
        SchemeError,
        UnknownRuleError,
        URIError,
        URISyntaxError,
    )
    from uriparse.grammar import grammars, rules
    from uriparse.iri import iri_to_uri, uri_to_iri
    from uriparse.normalization import normalize
    from uriparse.parsing import is_valid, parse, try_parse
    from uriparse.percent import quote, unquote, unquote_to_bytes
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
    from uriparse.resolution import base_uri, relativize, remove_dot_segments, resolve
    from uriparse.schemes import equivalent, parse_url, transform
    from uriparse.text import find_uris
    from uriparse.trees import parse_tree
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
    "URI", "Authority", "ComponentError", "EncodingError", "Finding", "Host", "IPv4",
    "IPv6", "IPvFuture", "Policy", "PolicyError", "RegName", "RelativeRef", "Report",
    "ResolutionError", "SchemeError", "Severity", "Target", "URIError", "URIReference",
    "URISyntaxError", "UnknownRuleError", "base_uri", "check", "equivalent", "find_uris",
    "grammars", "implementation", "iri_to_uri", "is_valid", "make", "normalize", "parse",
    "parse_tree", "parse_url", "query_pairs", "quote", "redact", "relativize",
    "remove_dot_segments", "resolve", "rules", "transform", "try_parse", "unquote",
    "unquote_to_bytes", "uri_to_iri", "validate",
]  # fmt: skip

# The modules of these names. A name is in `__all__` too and, for type checkers, in an import above.
_HOMES = {
    "_native": "implementation",
    "errors": (
        "ComponentError EncodingError ResolutionError SchemeError URIError URISyntaxError "
        "UnknownRuleError"
    ),
    "grammar": "grammars rules",
    "percent": "quote unquote unquote_to_bytes",
    "records": "Authority Host IPv4 IPv6 IPvFuture RegName RelativeRef URI URIReference",
    "parsing": "is_valid parse try_parse",
    "resolution": "base_uri relativize remove_dot_segments resolve",
    "iri": "iri_to_uri uri_to_iri",
    "normalization": "normalize",
    "text": "find_uris",
    "trees": "parse_tree",
    "building": "make query_pairs redact",
    "schemes": "equivalent parse_url transform",
    "validation": "Finding Policy PolicyError Report Severity Target check validate",
}
_LAZY = {name: f"uriparse.{home}" for home, names in _HOMES.items() for name in names.split()}


# Packages beside the names: `uriparse.legacy.rfc2396` needs no further import.
_WINGS = frozenset(
    {
        *("errors", "grammar", "percent", "components", "records", "diagnosis", "parsing"),
        *("resolution", "iri", "normalization", "text", "trees", "building", "schemes"),
        *("legacy", "keys", "validation", "conformance", "arrow", "extra", "guard", "whatwg"),
    }
)

if not TYPE_CHECKING:  # with it, type checkers would accept any name, also a misspelt one

    def __getattr__(name: str) -> object:
        """Load a public name, or a wing, on first use (PEP 562)."""
        from importlib import import_module  # noqa: PLC0415 - so that importing stays quick

        if name in _WINGS:
            return import_module(f"uriparse.{name}")
        if name not in _LAZY:
            from uriparse._base.migration_hints import of_front  # noqa: PLC0415 - same

            hint = "" if name.startswith("_") else of_front(name, _homes_of_names())
            raise AttributeError(
                f"module {__name__!r} has no attribute {name!r}{hint}",
                name=name,
                obj=_sys.modules[__name__],
            )
        value = getattr(import_module(_LAZY[name]), name)
        globals()[name] = value
        return value


def _homes_of_names() -> dict[str, str]:
    """Return where each name is that the front or a wing of the library has, the front first."""
    from importlib import import_module  # noqa: PLC0415 - only for who errs

    wings = sorted(_WINGS - {"arrow", "components", "conformance", "extra", "guard", "legacy"})
    homes = [*wings, "schemes.current", "legacy.rfc2396", "diagnosis"]
    found = {
        name: f"uriparse.{home}.{name}"
        for home in reversed(homes)
        for name in import_module(f"uriparse.{home}").__all__
    }
    return found | {name: f"uriparse.{name}" for name in __all__}


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)


def _is_command_starting() -> bool:
    """Return whether this process is `python -m uriparse`, or the script `uriparse`.

    Python calls a module "-m" while it looks for it.
    """
    program = _sys.argv[0] if _sys.argv else ""
    return program == "-m" or program.replace("\\", "/").rpartition("/")[2] in _SCRIPTS


_SCRIPTS = ("uriparse", "uriparse.exe", "uriparse-script.py")


def _load() -> None:
    """Load what nearly every program asks for first, and the engine that the environment names."""
    from uriparse._base.engine import CHOSEN  # noqa: PLC0415 - the command loads all of this later

    if CHOSEN == "lark":
        from uriparse.trees import engine as engine  # noqa: PLC0415 - it installs itself
    from uriparse import parsing as parsing  # noqa: PLC0415 - and with it errors, grammar, records


# The command has to take care of interrupts before it loads so much: a Ctrl-C here would show a
# traceback.
if not _is_command_starting():
    _load()
