"""Columns that come in by the Arrow PyCapsule protocol, held to what their types say."""

from __future__ import annotations

import sys
from ctypes import byref
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from uriparse.arrow.interface import (
    ARRAY,
    SCHEMA,
    STREAM,
    Array,
    Schema,
    Stream,
    SupportsArrowArray,
    SupportsArrowStream,
    error_function,
    get_function,
    memory,
    moved_out,
    pointers,
    release,
)
from uriparse.arrow.rows import VIEW, ColumnError, Facts, Keys, Rows, Texts
from uriparse.arrow.type_names import type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    ArrowColumn: TypeAlias = SupportsArrowArray | SupportsArrowStream

_Struct = TypeVar("_Struct", Schema, Array, Stream)

_WIDTHS = {"u": 4, "z": 4, "U": 8, "Z": 8, "vu": VIEW, "vz": VIEW, "n": 0}
"""By format: string and binary, large ones, views of both; null, which has no texts."""

_KEYS = {"c": -1, "C": 1, "s": -2, "S": 2, "i": -4, "I": 4, "l": -8, "L": 8}
"""By format: whole numbers, below 0 where they are signed."""

_MOST = 1 << 57
"""Rows that an array may have: what all its places take can still be counted."""


class Kind(NamedTuple):
    """The type of a column of texts.

    Attributes:
        width: as in `Texts`; 0 where all is null.
        key_width: as in `Keys`; 0 without a dictionary.

    """

    width: int
    key_width: int

    @property
    def place_width(self) -> int:
        """Octets for where a text begins, in columns made of it: enough for all its texts."""
        return 4 if self.width in {0, 4} and not self.key_width else 8


class Taken(NamedTuple):
    """A column that was taken: its type, its chunks, and whether it came as one array."""

    kind: Kind
    chunks: list[Rows]
    is_array: bool


def take(column: ArrowColumn) -> Taken:
    """Take a column; what is no column of texts is a TypeError.

    Its capsules are consumed. ColumnError for arrays that contradict their type, and for capsules
    that were consumed before.
    """
    if isinstance(column, SupportsArrowArray):
        return _taken_array(*column.__arrow_c_array__())
    if isinstance(column, SupportsArrowStream):
        return _taken_stream(column.__arrow_c_stream__())
    raise TypeError(
        "column is an object that holds an Arrow array or stream of texts"
        f" (with __arrow_c_array__ or __arrow_c_stream__), not {type(column).__name__}"
    )


class _Owned(Generic[_Struct]):
    """A struct that is ours, released when nothing refers to this object any more."""

    def __init__(self, struct: _Struct) -> None:
        self.struct: _Struct = struct

    def __del__(self, let_go: Callable[[_Struct], None] = release) -> None:
        let_go(self.struct)


def _owned(kind: type[_Struct], capsule: object, name: bytes) -> _Owned[_Struct]:
    struct = moved_out(kind, capsule, name)
    if struct is None:
        raise ColumnError(f"column: {_RELEASED}; a capsule of Arrow can be read only once")
    return _Owned(struct)


_RELEASED = "it has been released"


def _taken_array(schema: object, array: object) -> Taken:
    owned = _owned(Schema, schema, SCHEMA)
    kind = _kind(owned.struct)
    return Taken(kind, [_rows(kind, _owned(Array, array, ARRAY))], is_array=True)


def _taken_stream(capsule: object) -> Taken:
    owned = _owned(Stream, capsule, STREAM)
    schema = _Owned(Schema())
    _get(owned.struct, owned.struct.get_schema, schema.struct)
    kind = _kind(schema.struct)
    return Taken(kind, list(_chunks(owned.struct, kind)), is_array=False)


def _kind(schema: Schema) -> Kind:
    if not schema.release:
        raise ColumnError(f"column: {_RELEASED}")
    written = (schema.format or b"").decode("ascii", "replace")
    shown, keys = type_name(written), 0
    if schema.dictionary:
        keys = _KEYS.get(written, 0)
        own = Schema.from_address(schema.dictionary)
        if not own.release:
            raise ColumnError("column: its dictionary has been released")
        written = "" if own.dictionary else (own.format or b"").decode("ascii", "replace")
        shown = f"a dictionary of {type_name(written) if written else 'dictionaries'}"
    if written in _WIDTHS and bool(keys) == bool(schema.dictionary):
        return Kind(_WIDTHS[written], keys)
    advice = "; give one of its columns" if written == "+s" else ""
    raise TypeError(
        "column holds texts (Arrow's string, binary, their large and view types, or a dictionary of"
        f" one of these), not {shown}{advice}"
    )


def _chunks(stream: Stream, kind: Kind) -> Iterator[Rows]:
    while True:
        own = _Owned(Array())
        _get(stream, stream.get_next, own.struct)
        if not own.struct.release:
            return
        yield _rows(kind, own)


def _get(stream: Stream, function: int, struct: Array | Schema) -> None:
    if not get_function(function)(byref(stream), byref(struct)):
        return
    said = error_function(stream.get_last_error)(byref(stream)) or b""
    raise ColumnError(f"column: its stream has failed: {said.decode('utf-8', 'replace') or '?'}")


def _rows(kind: Kind, owner: _Owned[Array]) -> Rows:
    array = owner.struct
    if not kind.key_width:
        _check(array)
        return Rows(Facts(array.length, _texts(kind.width, array), None), owner)
    _check(array, buffers=2)
    if not array.dictionary:
        raise ColumnError("column: its dictionary is missing")
    own = Array.from_address(array.dictionary)
    _check(own)
    validity, places = pointers(array.buffers, 2)
    end = array.offset + array.length
    size = end * abs(kind.key_width)
    keys = Keys(array.offset, kind.key_width, _bits(array, validity), _buffer(places, size))
    return Rows(Facts(array.length, _texts(kind.width, own), keys), owner)


def _check(array: Array, buffers: int | None = None) -> None:
    """Hold the numbers of an array to what can be."""
    if not array.release:
        raise ColumnError(f"column: {_RELEASED}")
    if not (0 <= array.length <= _MOST and 0 <= array.offset <= _MOST):
        raise ColumnError(
            f"column: {array.length} rows from row {array.offset} on are none that can be"
        )
    if array.null_count < -1 or array.null_count > array.length:
        raise ColumnError(f"column: {array.null_count} nulls among {array.length} rows")
    if buffers is not None and array.n_buffers != buffers:
        raise ColumnError(f"column: {array.n_buffers} buffers, where its type has {buffers}")


def _texts(width: int, array: Array) -> Texts:
    length, offset = array.length, array.offset
    if not width:
        return Texts(length, 0, 4, bytes((length + 7) // 8), bytes((length + 1) * 4), (b"",))
    _check(array, None if width == VIEW else 3)
    if width == VIEW and not 3 <= array.n_buffers < _MOST:
        raise ColumnError(f"column: {array.n_buffers} buffers, where views have 3 or more")
    validity, places, *rest = pointers(array.buffers, array.n_buffers) or [None] * array.n_buffers
    bits = _bits(array, validity)
    end = length + offset
    if width == VIEW:
        return Texts(length, offset, width, bits, _buffer(places, end * width), _parts(rest))
    if not length:
        return Texts(0, 0, width, None, b"", (b"",))
    begins = _buffer(places, (end + 1) * width)
    size = int.from_bytes(begins[end * width :], sys.byteorder, signed=True)
    if size < 0:
        raise ColumnError(f"column: its texts end at octet {size}")
    return Texts(length, offset, width, bits, begins, (_buffer(rest[0], size),))


def _parts(places: list[int | None]) -> tuple[memoryview, ...]:
    """Give the buffers that views point into; how large they are stands in the last."""
    *parts, last = places
    sizes = memory(last, 8 * len(parts)).cast("q") if parts and last else []
    if len(sizes) != len(parts) or any(size < 0 for size in sizes):
        raise ColumnError("column: it does not say how large its buffers are")
    return tuple(_buffer(place, size) for place, size in zip(parts, sizes, strict=True))


def _bits(array: Array, place: int | None) -> memoryview | None:
    if place is None or array.null_count == 0:
        if array.null_count > 0:
            raise ColumnError("column: it has nulls and does not say where")
        return None
    return memory(place, (array.offset + array.length + 7) // 8)


def _buffer(place: int | None, size: int) -> memoryview:
    if size and place is None:
        raise ColumnError("column: a buffer is missing")
    return memory(place, size)
