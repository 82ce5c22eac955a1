"""The kernel: generated tables at work in C, where it has been built.

`kernel` is the module, None where there is none; then everything is done in Python, which is what
the kernel is held to. It knows no grammar: its tables are those of `<grammar>_tagged`, one
automaton for all rules of a grammar that yield records.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast

from uriparse._compiled.index import TAGGED
from uriparse.grammar import rule_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Protocol

    from uriparse._native import _kernel

    class Tagged(Protocol):
        """What a generated `<grammar>_tagged` module holds."""

        FORMAT: int
        FIELDS: tuple[str, ...]
        CONSTANTS: tuple[tuple[str, ...], ...]
        KINDS: Mapping[str, int]
        STARTS: Mapping[str, int]
        TABLES: str


FORMAT = 1
"""Of the tables; a kernel of another, which an old build may have left behind, is not used."""


def _found() -> ModuleType | None:
    if os.environ.get("URIPARSE_PURE", "0") not in ("", "0"):
        return None
    try:
        from uriparse._native import _kernel  # noqa: PLC0415 - may not be there
    except ImportError:
        return None
    return _kernel if _kernel.FORMAT == FORMAT else None


__all__ = ["implementation", "kernel", "native_rule", "tagged", "tagged_octets"]

kernel = _found()

implementation: Literal["native", "pure"] = "pure" if kernel is None else "native"
"""How texts are read: by the C kernel, or in Python. The outcome is the same."""


def native_rule(
    rule: str, grammar: str, otherwise: Callable[[str], object | None]
) -> _kernel.Rule | None:
    """Give a rule as the kernel reads it; None without kernel, or where it has no tables.

    otherwise: reads the texts with lone surrogates, which are not UTF-8.
    """
    if kernel is None or grammar not in TAGGED:
        return None
    start = tagged(grammar).STARTS.get(rule_name(rule, grammar))
    if start is None:
        return None
    return cast("_kernel.Rule", kernel.Rule(_tables(grammar), start, otherwise))


@cache
def tagged(grammar: str) -> Tagged:
    """Load the generated tables of a grammar with records."""
    return cast("Tagged", import_module(f"uriparse._compiled.{grammar}_tagged"))


@cache
def _tables(grammar: str) -> _kernel.Tables:
    assert kernel is not None  # noqa: S101 - for type checkers
    return cast("_kernel.Tables", kernel.Tables(tagged_octets(grammar)))


def tagged_octets(grammar: str) -> bytes:
    """Give the tables of a grammar as the kernel takes them."""
    from binascii import a2b_base64  # noqa: PLC0415 - loaded for the first text

    return a2b_base64(tagged(grammar).TABLES)
