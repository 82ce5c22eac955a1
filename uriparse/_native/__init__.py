"""The kernel: generated tables at work in C, where it has been built.

`kernel` is the module, None where there is none; then everything is done in Python, which is what
the kernel is held to. It knows no grammar: its tables are the section `tagged` of a grammar, one
automaton for all rules of a grammar that yield records.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from uriparse._compiled.index import TAGGED
from uriparse.grammar import rule_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from uriparse._compiled._packed import Section
    from uriparse._native import _kernel


class Tagged:
    """The automaton of a grammar's records: its tables, and what the numbers in them mean."""

    __slots__ = ("CONSTANTS", "FIELDS", "FORMAT", "KINDS", "STARTS", "TABLES")

    def __init__(self, tables: Section) -> None:
        (self.FORMAT,) = tables.numbers("format")
        self.FIELDS: tuple[str, ...] = tables.words("fields")
        self.CONSTANTS: tuple[tuple[str, ...], ...] = tables.word_lists("constants")
        self.KINDS: Mapping[str, int] = tables.mapping("kinds")
        self.STARTS: Mapping[str, int] = tables.mapping("starts")
        self.TABLES: bytes = tables.octets("tables")


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
    from uriparse._compiled._packed import load  # noqa: PLC0415 - loaded for the first text

    return Tagged(load(grammar, "tagged"))


@cache
def _tables(grammar: str) -> _kernel.Tables:
    assert kernel is not None  # noqa: S101 - for type checkers
    return cast("_kernel.Tables", kernel.Tables(tagged_octets(grammar)))


def tagged_octets(grammar: str) -> bytes:
    """Give the tables of a grammar as the kernel takes them."""
    return tagged(grammar).TABLES
