"""The functions that the methods of records call, each loaded when a method first needs it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = [
    "add_query", "child", "normalize", "parent", "parents", "parse", "read_back",
    "redacted", "replaced", "resolve", "set_query", "try_parse", "with_name", "with_query",
    "with_segments", "with_suffix", "without_query",
]  # fmt: skip

_HOMES = {
    "parsing": "parse try_parse",
    "parsing.rewriting": "read_back replaced",
    "resolution": "resolve",
    "normalization": "normalize",
    "building": "redacted",
    "building.making": "child parent parents with_name with_segments with_suffix",
    "building.queries": "add_query set_query with_query without_query",
}
_LAZY = {name: f"uriparse.{home}" for home, names in _HOMES.items() for name in names.split()}
"""Where each function is."""

if TYPE_CHECKING:
    from uriparse import operations  # noqa: PLW0406 - for the proof
    from uriparse.building import redacted
    from uriparse.building.making import (
        child,
        parent,
        parents,
        with_name,
        with_segments,
        with_suffix,
    )
    from uriparse.building.queries import add_query, set_query, with_query, without_query
    from uriparse.normalization import normalize
    from uriparse.parsing import parse, try_parse
    from uriparse.parsing.rewriting import read_back, replaced
    from uriparse.records.references import Operations
    from uriparse.resolution import resolve

    _proof: Operations = operations
else:

    def __getattr__(name: str) -> object:
        """Load a function at its first use (PEP 562): resolving need not load building."""
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = function = getattr(import_module(_LAZY[name]), name)
        return function
