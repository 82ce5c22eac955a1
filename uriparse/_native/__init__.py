"""The C kernel, which executes generated tables, if it has been built.

`kernel` is its module, or None; then everything is done in Python, with the same results. The
kernel does not know any grammar: its tables are the section `tagged` of a grammar, one automaton
for all rules whose texts become records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from uriparse._base.engine import CHOSEN
from uriparse._compiled.index import TAGGED
from uriparse.grammar import rule_name

if TYPE_CHECKING:
    from types import ModuleType

    from uriparse._base.engine import Engine
    from uriparse._compiled._packed import Section
    from uriparse._native import _kernel


class Tagged:
    """The automaton of a grammar's records: its tables and the names of the numbers in them."""

    __slots__ = ("CONSTANTS", "FIELDS", "FORMAT", "KINDS", "STARTS", "TABLES")

    def __init__(self, tables: Section) -> None:
        (self.FORMAT,) = tables.numbers("format")
        self.FIELDS: tuple[str, ...] = tables.words("fields")
        self.CONSTANTS: tuple[tuple[str, ...], ...] = tables.word_lists("constants")
        self.KINDS: Mapping[str, int] = tables.mapping("kinds")
        self.STARTS: Mapping[str, int] = tables.mapping("starts")
        self.TABLES: bytes = tables.octets("tables")


FORMAT = 1
"""The format of the tables. A kernel for another one, left by an old build, is not used."""


def _found() -> ModuleType | None:
    if CHOSEN not in {None, "native"}:
        return None
    try:
        from uriparse._native import _kernel  # noqa: PLC0415 - it may not have been built
    except ImportError:
        found = None
    else:
        found = _kernel if _kernel.FORMAT == FORMAT else None
    if found is None and CHOSEN is not None:
        raise ImportError("URIPARSE_ENGINE is native, and the C kernel has to be built")
    return found


__all__ = ["implementation", "kernel", "native_rule", "tagged"]

kernel = _found()

implementation: Engine = CHOSEN or ("python" if kernel is None else "native")
"""How texts are read: by the C kernel, in Python or by Lark. The results are the same."""


def native_rule(
    rule: str, grammar: str, fallback: Callable[[str], object | None]
) -> _kernel.Rule | None:
    """Return the kernel's version of a rule; None without the kernel or without tables for it.

    fallback: reads the texts with lone surrogates, which have no UTF-8 form.
    """
    if kernel is None or grammar not in TAGGED:
        return None
    start = tagged(grammar).STARTS.get(rule_name(rule, grammar))
    if start is None:
        return None
    return cast("_kernel.Rule", kernel.Rule(_tables(grammar), start, fallback))


@cache
def tagged(grammar: str) -> Tagged:
    """Load the generated tables of a grammar whose texts become records."""
    from uriparse._compiled._packed import load  # noqa: PLC0415 - only for the first text: imports stay fast

    return Tagged(load(grammar, "tagged"))


@cache
def _tables(grammar: str) -> _kernel.Tables:
    assert kernel is not None  # noqa: S101 - for type checkers
    return cast("_kernel.Tables", kernel.Tables(tagged(grammar).TABLES))
