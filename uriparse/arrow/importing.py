"""Import columns of texts by the Arrow PyCapsule protocol, within the bounds of their buffers."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from struct import unpack_from
from threading import Lock
from typing import (
    TYPE_CHECKING,
    Generic,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from uriparse.errors import URIError

# What the types are called that Arrow writes in a letter or two.

_WHOLE = {
    "n": "null",
    "b": "bool",
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "g": "float64",
    "z": "binary",
    "Z": "large_binary",
    "vz": "binary_view",
    "u": "string",
    "U": "large_string",
    "vu": "string_view",
}
_BEGUN = {
    "d:": "decimal",
    "w:": "fixed_size_binary",
    "td": "date",
    "tt": "time",
    "ts": "timestamp",
    "tD": "duration",
    "ti": "interval",
    "+l": "list",
    "+L": "large_list",
    "+vl": "list_view",
    "+vL": "large_list_view",
    "+w": "fixed_size_list",
    "+s": "struct",
    "+m": "map",
    "+u": "union",
    "+r": "run_end_encoded",
}


def type_name(written: str) -> str:
    """Name a type by its format string; an unknown one by that string, in quotes.

    >>> type_name("l"), type_name("tsu:Europe/Rome"), type_name("?")
    ('int64', 'timestamp', "'?'")
    """
    found = (name for begin, name in _BEGUN.items() if written.startswith(begin))
    return _WHOLE.get(written) or next(found, repr(written))


# The structs of the Arrow C data and stream interfaces, and the capsules that carry them.
#
# As the specification lays them out; pointers are numbers here.

SCHEMA = b"arrow_schema"
ARRAY = b"arrow_array"
STREAM = b"arrow_array_stream"
"""The names of capsules, by their content."""

NULLABLE = 2
"""The flag of a type whose values may be null."""


class Schema(ctypes.Structure):
    """`ArrowSchema`: a type."""

    _fields_ = (
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class Array(ctypes.Structure):
    """`ArrowArray`: values of a type."""

    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class Stream(ctypes.Structure):
    """`ArrowArrayStream`: arrays of one type, one after the other."""

    _fields_ = (
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


release_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
"""The type of the function that releases a struct."""

get_function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
"""The type of the functions that fill in the next struct of a stream, or its schema."""

error_function = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
"""The type of the function that says why a stream has failed."""

pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
view_of = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)(
    ("PyMemoryView_FromMemory", ctypes.pythonapi)
)

_READ = 0x100  # PyBUF_READ


def memory(place: int | None, size: int) -> memoryview:
    """Return a view of memory; the caller keeps the memory alive while the view is used."""
    if not size or place is None:
        return memoryview(b"")
    view: memoryview = view_of(place, size, _READ)
    return view


def pointers(place: int | None, count: int) -> list[int | None]:
    """Read so many pointers."""
    return list((ctypes.c_void_p * count).from_address(place)) if place and count else []


_Struct = TypeVar("_Struct", Schema, Array, Stream)

_moving = Lock()


def moved_out(kind: type[_Struct], capsule: object, name: bytes) -> _Struct | None:
    """Move a struct out of its capsule, as the C data interface requires of a consumer.

    None where it was moved or released before: then nothing else in it may be read. The struct is
    now the caller's to release.
    """
    place = pointer_of(capsule, name)
    with _moving:  # or two threads could both become its owner
        source = kind.from_address(place)
        if not source.release:
            return None
        own = kind()
        ctypes.memmove(ctypes.addressof(own), place, ctypes.sizeof(own))
        source.release = None
    return own


def release(
    struct: Schema | Array | Stream,
    *,
    function: Callable[[int], Callable[[int], None]] = release_function,
    place_of: Callable[[ctypes.Structure], int] = ctypes.addressof,
) -> None:
    """Release a struct, unless that has been done.

    function, place_of: bound here, because the interpreter may have cleared the module already.
    """
    if struct.release:
        function(struct.release)(place_of(struct))


@runtime_checkable
class SupportsArrowArray(Protocol):
    """An object that exports an array by the PyCapsule protocol."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Export capsules of a type and of values."""


@runtime_checkable
class SupportsArrowStream(Protocol):
    """An object that exports a stream of arrays by the PyCapsule protocol."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export a capsule of a stream."""


# Rows of texts in the buffers of an Arrow array, checked against their bounds.
#
# The kernel reads rows by their `facts`; in Python they are read here, by the same rules.

Buffer: TypeAlias = bytes | bytearray | memoryview

VIEW = 16
"""Octets of a view, which an array of views has instead of offsets."""

_INLINE = 12
"""Texts of up to so many octets are inside their view."""

_KEY_FORMATS = {-1: "=b", 1: "=B", -2: "=h", 2: "=H", -4: "=i", 4: "=I", -8: "=q", 8: "=Q"}
"""How keys are spelled, by their width."""


class ColumnError(URIError):
    """A column that contradicts itself, or has been released, so that its rows cannot be read.

    The first consumer of an Arrow capsule releases it: an object that returns the same capsule
    again can be read only once.
    """


class Texts(NamedTuple):
    """The texts of a column: octets, the place of each text in them, and which are not null.

    Attributes:
        length, offset: of texts, from the one at the offset on.
        width: octets of a place: 4 or 8 for where a text begins, `VIEW` for a view.
        validity: a bit for each that is there; None where all are.
        places: one for each, and without views one more.
        data: the octets; as many parts as there are for views.

    """

    length: int
    offset: int
    width: int
    validity: Buffer | None
    places: Buffer
    data: tuple[Buffer, ...]


class Keys(NamedTuple):
    """Which text of a dictionary each row is.

    Attributes:
        offset: of the first key.
        width: octets of a key, below 0 where keys are signed.
        validity: a bit for each that is there; None where all are.
        octets: the keys.

    """

    offset: int
    width: int
    validity: Buffer | None
    octets: Buffer


class Facts(NamedTuple):
    """All of a column, as the kernel takes it."""

    length: int
    texts: Texts
    keys: Keys | None


class Rows:
    """A column of texts.

    owner: what keeps the buffers where they are.
    """

    __slots__ = ("_data", "_key_validity", "_owner", "_places", "_validity", "facts")

    def __init__(self, facts: Facts, owner: object = None) -> None:
        length, texts, keys = facts
        self.facts = facts
        self._owner = owner
        self._validity = _view(texts.validity)
        self._places = memoryview(texts.places)
        self._data = [memoryview(part) for part in texts.data]
        self._key_validity = None if keys is None else _view(keys.validity)
        end = texts.offset + texts.length
        numbers = end + (texts.width != VIEW) if end else 0
        fits = min(length, texts.length, texts.offset) >= 0
        fits = fits and len(self._places) >= numbers * texts.width
        fits = fits and _covers(self._validity, end)
        if keys is None:
            fits = fits and length == texts.length
        else:
            end = length + keys.offset
            fits = fits and keys.offset >= 0 and _covers(self._key_validity, end)
            fits = fits and memoryview(keys.octets).nbytes >= end * abs(keys.width)
        if not fits:
            raise ColumnError("column: its buffers are too small")

    def __len__(self) -> int:
        return self.facts.length

    def __iter__(self) -> Iterator[bytes | None]:
        return map(self.octets, range(len(self)))

    def octets(self, row: int) -> bytes | None:
        """Return the text of a row, None for a null; ColumnError if it is out of bounds."""
        texts, keys = self.facts.texts, self.facts.keys
        if keys is not None:
            own = row + keys.offset
            if not _is_there(self._key_validity, own):
                return None
            (key,) = unpack_from(_KEY_FORMATS[keys.width], keys.octets, own * abs(keys.width))
            if not 0 <= key < texts.length:
                raise outside(row)
            at = key + texts.offset
        else:
            at = row + texts.offset
        if not _is_there(self._validity, at):
            return None
        if texts.width == VIEW:
            return self._viewed(row, at)
        code = "=ii" if texts.width == 4 else "=qq"
        begin, end = unpack_from(code, self._places, at * texts.width)
        if not 0 <= begin <= end <= len(self._data[0]):
            raise outside(row)
        return bytes(self._data[0][begin:end])

    def _viewed(self, row: int, at: int) -> bytes:
        size, _, part, begin = unpack_from("=iiii", self._places, at * VIEW)
        if 0 <= size <= _INLINE:
            return bytes(self._places[at * VIEW + 4 : at * VIEW + 4 + size])
        if not (size >= 0 and begin >= 0 and 0 <= part < len(self._data)):
            raise outside(row)
        if begin + size > len(self._data[part]):
            raise outside(row)
        return bytes(self._data[part][begin : begin + size])


def outside(row: int) -> ColumnError:
    """Make the error for a row outside the buffers."""
    return ColumnError(f"column: row {row} lies outside of its buffers")


def _view(given: Buffer | None) -> memoryview | None:
    return None if given is None else memoryview(given)


def _covers(bits: memoryview | None, count: int) -> bool:
    return bits is None or len(bits) * 8 >= count


def _is_there(bits: memoryview | None, at: int) -> bool:
    return bits is None or bool(bits[at >> 3] >> (at & 7) & 1)


# Import a column: move its structs out of their capsules and check them against their types.

if TYPE_CHECKING:
    ArrowColumn: TypeAlias = SupportsArrowArray | SupportsArrowStream

_WIDTHS = {"u": 4, "z": 4, "U": 8, "Z": 8, "vu": VIEW, "vz": VIEW, "n": 0}
"""By format: string and binary, large ones, views of both; null, which has no texts."""

_KEYS = {"c": -1, "C": 1, "s": -2, "S": 2, "i": -4, "I": 4, "l": -8, "L": 8}
"""By format: whole numbers, below 0 where they are signed."""

_MOST = 1 << 57
"""The most rows of an array: the size of all its offsets still fits in 64 bits."""


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


class ImportedColumn(NamedTuple):
    """An imported column: its type, its chunks, and whether it came as one array."""

    kind: Kind
    chunks: list[Rows]
    is_array: bool


def import_column(column: ArrowColumn) -> ImportedColumn:
    """Import a column; TypeError if it is not a column of texts.

    Its capsules are consumed. ColumnError for arrays that contradict their type, and for capsules
    that were consumed before.
    """
    if isinstance(column, SupportsArrowArray):
        return _array_column(*column.__arrow_c_array__())
    if isinstance(column, SupportsArrowStream):
        return _stream_column(column.__arrow_c_stream__())
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


def _array_column(schema: object, array: object) -> ImportedColumn:
    owned = _owned(Schema, schema, SCHEMA)
    kind = _kind(owned.struct)
    return ImportedColumn(kind, [_rows(kind, _owned(Array, array, ARRAY))], is_array=True)


def _stream_column(capsule: object) -> ImportedColumn:
    owned = _owned(Stream, capsule, STREAM)
    schema = _Owned(Schema())
    _get(owned.struct, owned.struct.get_schema, schema.struct)
    kind = _kind(schema.struct)
    return ImportedColumn(kind, list(_chunks(owned.struct, kind)), is_array=False)


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
    if not get_function(function)(ctypes.byref(stream), ctypes.byref(struct)):
        return
    said = error_function(stream.get_last_error)(ctypes.byref(stream)) or b""
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
    """Check the numbers of an array."""
    if not array.release:
        raise ColumnError(f"column: {_RELEASED}")
    if not (0 <= array.length <= _MOST and 0 <= array.offset <= _MOST):
        raise ColumnError(
            f"column: {array.length} rows from row {array.offset} on are not possible"
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
    """Return the buffers that views point into; their sizes are in the last buffer."""
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
