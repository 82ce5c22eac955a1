"""New columns: their types, and their values in buffers laid out as Arrow has them."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.arrow.rows import ColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse._native._kernel import Block

    Octets: TypeAlias = bytes | Block

TOO_LONG = (
    "column: what is made of it takes more octets than offsets of 32 bits can count:"
    " give it as large_string, or in smaller pieces"
)


class Type(NamedTuple):
    """A type, as Arrow writes it; `""` for the name of one that stands alone."""

    format: str
    name: str = ""
    children: tuple[Type, ...] = ()


class Values(NamedTuple):
    """The values of a column: its rows, its nulls, its buffers, and the columns in it."""

    length: int
    nulls: int
    buffers: tuple[Octets | None, ...]
    children: tuple[Values, ...] = ()


Outcome: TypeAlias = "tuple[int, Octets | None, Octets, Octets | None]"
"""What is made of a column: how many nulls, what is no null, values, and the octets of texts."""

BOOL = Type("b")
INT64 = Type("l")


def text_type(width: int, name: str = "") -> Type:
    """Give the type of texts whose beginnings take so many octets each."""
    return Type("u" if width == 4 else "U", name)


def values_of(length: int, outcome: Outcome) -> Values:
    """Give an outcome as values."""
    nulls, validity, values, data = outcome
    buffers = (validity, values) if data is None else (validity, values, data)
    return Values(length, nulls, buffers)


def flags(values: Sequence[bool | None]) -> Outcome:
    """Write verdicts, None for null."""
    return *_validity(values), _bits([value is True for value in values]), None


def numbers(values: Sequence[int | None]) -> Outcome:
    """Write whole numbers, None for null."""
    return *_validity(values), array("q", [value or 0 for value in values]).tobytes(), None


def texts(values: Sequence[bytes | None], width: int) -> Outcome:
    """Write texts, None for null; ColumnError for more than the width of beginnings allows."""
    begins = list(accumulate((len(value or b"") for value in values), initial=0))
    if width == 4 and begins[-1] > _MOST:
        raise ColumnError(TOO_LONG)
    places = array("i" if width == 4 else "q", begins).tobytes()
    return *_validity(values), places, b"".join(value for value in values if value)


_MOST = (1 << 31) - 1


def _validity(values: Sequence[object]) -> tuple[int, bytes | None]:
    nulls = sum(value is None for value in values)
    return nulls, _bits([value is not None for value in values]) if nulls else None


def _bits(values: list[bool]) -> bytes:
    digits = "".join("01"[value] for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")
