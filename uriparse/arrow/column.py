"""The columns that are made: their values, and their export by the Arrow PyCapsule protocol."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse._base import migration_hints as hints
from uriparse._native import kernel
from uriparse.arrow.importing import TOO_LONG, ColumnError, pyarrow, type_name

if TYPE_CHECKING:
    import pyarrow as pa

    from uriparse._native._kernel import Block


# New columns: their types, and their values in buffers laid out as Arrow has them.

if TYPE_CHECKING:
    Octets: TypeAlias = bytes | Block


class Type(NamedTuple):
    """A type by its Arrow format string; the name is `""` except in a struct."""

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
"""The result for a column: its count of nulls, bits of validity, values, and octets of texts."""

BOOL = Type("b")
INT64 = Type("l")


def text_type(width: int, name: str = "") -> Type:
    """Return the type of texts with offsets of 4 or 8 octets."""
    return Type("u" if width == 4 else "U", name)


def values_of(length: int, outcome: Outcome) -> Values:
    """Return an outcome as values."""
    nulls, validity, values, data = outcome
    buffers = (validity, values) if data is None else (validity, values, data)
    return Values(length, nulls, buffers)


def flags(values: Sequence[bool | None]) -> Outcome:
    """Write verdicts, None for null."""
    return *_validity(values), bits([value is True for value in values]), None


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
    return nulls, bits([value is not None for value in values]) if nulls else None


def bits(values: list[bool]) -> bytes:
    """Return a bit for each value, the first one lowest."""
    digits = "".join("01"[value] for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


# Export: by the kernel, or else by pyarrow. Both hold the buffers until the consumer releases them.


def _type(kind: Type) -> pa.DataType:
    pa = pyarrow()
    if kind.format == "+l":
        return pa.list_(_type(kind.children[0]))
    if kind.children:
        return pa.struct([(child.name, _type(child)) for child in kind.children])
    return {"b": pa.bool_, "l": pa.int64, "u": pa.string, "U": pa.large_string}[kind.format]()


def _array(kind: Type, values: Values) -> pa.Array:
    pa = pyarrow()
    children = zip(kind.children, values.children, strict=True)
    return pa.Array.from_buffers(
        _type(kind),
        values.length,
        [None if octets is None else pa.py_buffer(octets) for octets in values.buffers],
        values.nulls,
        children=[_array(*child) for child in children],
    )


class ChunkedColumn(hints.Foreign, foreign=hints.foreign_names("column")):
    """A column in pieces: `pyarrow.chunked_array`, `polars.Series` and others accept it.

    It holds an Arrow stream; `len` counts rows. The functions of `uriparse.arrow` make it.
    """

    __slots__ = ("_chunks", "_type")

    def __init__(self, kind: Type, chunks: tuple[Values, ...]) -> None:
        self._type = kind
        self._chunks = chunks

    def __len__(self) -> int:
        return sum(chunk.length for chunk in self._chunks)

    def __repr__(self) -> str:
        fields = self._type.children if self._type.format == "+s" else ()
        names = ", ".join(field.name for field in fields)
        shown = type_name(self._type.format) + (f" of {names}" if names else "")
        return f"<{type(self).__name__} of {len(self)} rows: {shown}>"

    def __arrow_c_schema__(self) -> object:
        """Export the type, in a capsule of `ArrowSchema`."""
        if kernel is not None:
            return kernel.schema(self._type)
        schema: object = _type(self._type).__arrow_c_schema__()
        return schema

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the pieces, in a capsule of `ArrowArrayStream`; no other type is available."""
        if kernel is not None:
            return kernel.stream(self._type, self._chunks)
        chunks = [_array(self._type, chunk) for chunk in self._chunks]
        made = pyarrow().chunked_array(chunks, type=_type(self._type))
        stream: object = made.__arrow_c_stream__()
        return stream


class Column(ChunkedColumn):
    """A column in one piece: `pyarrow.array`, `polars.Series` and others accept it.

    It holds an Arrow array, and a stream of that alone; `len` counts rows. The functions of
    `uriparse.arrow` make it.
    """

    __slots__ = ()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Export type and values, in capsules; no other type is available."""
        if kernel is not None:
            return kernel.schema(self._type), kernel.array(self._chunks[0])
        schema, values = _array(self._type, self._chunks[0]).__arrow_c_array__()
        return schema, values
