"""Columns read by the kernel, without Python's lock."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from uriparse._native import tagged
from uriparse.arrow.by_rows import COMPONENTS
from uriparse.arrow.made import TOO_LONG, Outcome
from uriparse.arrow.rows import ColumnError

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse._native._kernel import Rule
    from uriparse.arrow.rows import Rows

_T = TypeVar("_T")

Wanted: TypeAlias = "tuple[tuple[int, ...]] | tuple[int, tuple[bytes, ...]]"
"""A column that is made of texts: the fields that it goes over; or a constant and its names."""


class ByKernel:
    """A rule that reads columns."""

    def __init__(self, rule: Rule, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Tell whether each row is a text of the rule."""
        return asked(self._rule.verdicts, rows.facts)

    def stops(self, rows: Rows) -> Outcome:
        """Tell where each row cannot go on."""
        return asked(self._rule.stops, rows.facts)

    def split(self, rows: Rows, width: int) -> tuple[Outcome, ...]:
        """Tell which rows are references, their components, and the kinds of their hosts."""
        return asked(self._rule.split, rows.facts, wanted(self._grammar), width)


@cache
def wanted(grammar: str) -> tuple[Wanted, ...]:
    """Give the columns that make a split one: the fields that each goes over, or its names."""
    told = tagged(grammar)
    spans = {field: [field] for field in told.FIELDS}
    spans["authority"] = ["userinfo", "host", "port"]
    kinds = told.KINDS["host"]
    names = tuple(name.encode() for name in told.CONSTANTS[kinds])
    fields = [tuple(map(told.FIELDS.index, spans[name])) for name in COMPONENTS]
    return *((numbers,) for numbers in fields), (kinds, names)


def asked(function: Callable[..., _T], *args: object) -> _T:
    """Ask the kernel; what it says of a column is a ColumnError."""
    try:
        return function(*args)
    except OverflowError:
        said = TOO_LONG
    except ValueError as error:
        said = f"column: {error}"
    raise ColumnError(said)
