"""Export columns by the Arrow PyCapsule protocol."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    PYFUNCTYPE,
    Structure,
    addressof,
    c_char_p,
    c_int,
    c_int64,
    c_ssize_t,
    c_void_p,
    cast,
    create_string_buffer,
    memmove,
    py_object,
    pythonapi,
    sizeof,
)
from errno import ENOMEM
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from uriparse.arrow.rows import Type, Values


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
    """Name a type by its format; one that is not known by what is written, in quotes.

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
"""How capsules are called by what is in them."""

NULLABLE = 2
"""The flag of a type whose values may be null."""


class Schema(Structure):
    """`ArrowSchema`: a type."""

    _fields_ = (
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_void_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    )


class Array(Structure):
    """`ArrowArray`: values of a type."""

    _fields_ = (
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", c_void_p),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    )


class Stream(Structure):
    """`ArrowArrayStream`: arrays of one type, one after the other."""

    _fields_ = (
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    )


release_function = CFUNCTYPE(None, c_void_p)
"""What releases a struct."""

get_function = CFUNCTYPE(c_int, c_void_p, c_void_p)
"""What fills in the next struct of a stream, or its type."""

error_function = CFUNCTYPE(c_char_p, c_void_p)
"""What says why a stream has failed."""

destructor_function = PYFUNCTYPE(None, c_void_p)
"""What runs when a capsule, given by its place, goes."""

pointer_of = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
pointer_at = PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", pythonapi))
new_capsule = PYFUNCTYPE(py_object, c_void_p, c_char_p, destructor_function)(
    ("PyCapsule_New", pythonapi)
)
view_of = PYFUNCTYPE(py_object, c_void_p, c_ssize_t, c_int)(("PyMemoryView_FromMemory", pythonapi))
keep_forever = PYFUNCTYPE(None, py_object)(("Py_IncRef", pythonapi))

_READ = 0x100  # PyBUF_READ


def memory(place: int | None, size: int) -> memoryview:
    """Look at memory; whoever asks keeps it there for as long as the view is used."""
    if not size or place is None:
        return memoryview(b"")
    view: memoryview = view_of(place, size, _READ)
    return view


def pointers(place: int | None, count: int) -> list[int | None]:
    """Read so many pointers."""
    return list((c_void_p * count).from_address(place)) if place and count else []


_Struct = TypeVar("_Struct", Schema, Array, Stream)

_moving = Lock()


def moved_out(kind: type[_Struct], capsule: object, name: bytes) -> _Struct | None:
    """Move a struct out of its capsule, as the C data interface demands of whoever consumes it.

    None where it was moved or released before: then nothing else in it may be read. The struct is
    now the caller's to release.
    """
    place = pointer_of(capsule, name)
    with _moving:  # or two threads could both become its owner
        source = kind.from_address(place)
        if not source.release:
            return None
        own = kind()
        memmove(addressof(own), place, sizeof(own))
        source.release = None
    return own


def release(
    struct: Schema | Array | Stream,
    *,
    function: Callable[[int], Callable[[int], None]] = release_function,
    place_of: Callable[[Structure], int] = addressof,
) -> None:
    """Let go of a struct, if that has not been done.

    function, place_of: bound here, because the interpreter may have cleared the module already.
    """
    if struct.release:
        function(struct.release)(place_of(struct))


@runtime_checkable
class SupportsArrowArray(Protocol):
    """What gives an array by the PyCapsule protocol."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Give capsules of a type and of values."""


@runtime_checkable
class SupportsArrowStream(Protocol):
    """What gives arrays by the PyCapsule protocol, one after the other."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give a capsule of a stream."""


# What is handed over by the Arrow PyCapsule protocol, where there is no kernel to do it.
#
# The structs are released by whoever takes them, at any time, so that what they point to stays in
# a register until then; and the functions that release them stay for good. Some structs are
# released while the interpreter shuts down, when the globals of modules and the built-in
# functions are gone: a function that fails then leaves `release` set, and the consumer aborts the
# process. So the functions that release use nothing but what they enclose.

_kept: dict[int, object] = {}
"""What structs point to, by their `private_data`; and structs in capsules, by their place."""

_children: dict[int, list[int]] = {}
"""The places of the structs within one, by its `private_data`."""

_numbers = count(1)


class _Stream(NamedTuple):
    """What a stream has still to give."""

    kind: Type
    columns: Iterator[Values]


_streams: dict[int, _Stream] = {}
"""By their `private_data`."""


def schema(kind: Type) -> object:
    """Give a capsule of a type."""
    return _capsule(_schema(kind), SCHEMA, _drop_schema)


def array(values: Values) -> object:
    """Give a capsule of a column."""
    return _capsule(_array(values), ARRAY, _drop_array)


def stream(kind: Type, columns: tuple[Values, ...]) -> object:
    """Give a capsule of columns of one type, one after the other."""
    made = Stream(*map(_place, _stream_functions))
    made.private_data = next(_numbers)
    _streams[made.private_data] = _Stream(kind, iter(columns))
    return _capsule(made, STREAM, _drop_stream)


def _schema(kind: Type) -> Schema:
    made = Schema()
    children = [_schema(child) for child in kind.children]
    name, written = create_string_buffer(kind.name.encode()), create_string_buffer(b"+" * 8)
    written.value = kind.format.encode()
    made.name, made.format = cast(name, c_char_p), cast(written, c_char_p)
    made.flags = NULLABLE
    made.n_children = len(children)
    made.children, places = _pointers([addressof(child) for child in children])
    made.release = _place(_release_schema)
    made.private_data = _keep((name, written, places), children)
    return made


def _array(values: Values) -> Array:
    made = Array()
    children = [_array(child) for child in values.children]
    buffers = [
        None if given is None else create_string_buffer(bytes(given), len(given) + 1)
        for given in values.buffers
        if given is None or isinstance(given, bytes)
    ]
    made.length, made.null_count = values.length, values.nulls
    made.n_buffers, made.n_children = len(buffers), len(children)
    made.buffers, places = _pointers([b if b is None else addressof(b) for b in buffers])
    made.children, child_places = _pointers([addressof(child) for child in children])
    made.release = _place(_release_array)
    made.private_data = _keep((buffers, places, child_places), children)
    return made


def _pointers(places: Sequence[int | None]) -> tuple[int, object]:
    made = (c_void_p * (len(places) + 1))(*places)
    return addressof(made), made


def _keep(what: object, children: Sequence[Structure]) -> int:
    number = next(_numbers)
    _kept[-number] = what, children  # places are above zero
    _children[number] = [addressof(child) for child in children]
    return number


def _place(function: object) -> int | None:
    return cast(function, c_void_p).value  # type: ignore[arg-type] # a function of ctypes


def _capsule(struct: Structure, name: bytes, drop: object) -> object:
    made: object = new_capsule(addressof(struct), name, drop)
    _kept[addressof(struct)] = struct
    return made


def _dropper(name: bytes, kind: type[Schema | Array | Stream]) -> object:
    read, kept, place_of, function = kind.from_address, _kept, pointer_at, release_function

    def drop(capsule: int) -> None:
        place = place_of(capsule, name)
        struct = read(place)
        if struct.release:  # nobody has moved it elsewhere
            function(struct.release)(place)
        kept.pop(place, None)

    return destructor_function(drop)


def _releaser(kind: type[Schema | Array]) -> object:
    read, kept, places_in = kind.from_address, _kept, _children

    def let_go(place: int) -> None:
        struct = read(place)
        number = struct.private_data
        struct.release = None
        for child in places_in.pop(number, ()):
            if read(child).release:  # it was not moved elsewhere
                let_go(child)
        kept.pop(-number, None)

    return release_function(let_go)


def _stream_releaser() -> object:
    read, streams = Stream.from_address, _streams

    def let_go(place: int) -> None:
        struct = read(place)
        struct.release = None
        streams.pop(struct.private_data, None)

    return release_function(let_go)


_drop_schema = _dropper(SCHEMA, Schema)
_drop_array = _dropper(ARRAY, Array)
_drop_stream = _dropper(STREAM, Stream)
_release_schema = _releaser(Schema)
_release_array = _releaser(Array)


def _type_of(place: int, wanted: int) -> int:
    try:
        made = _schema(_stream_at(place).kind)
    except MemoryError:
        return ENOMEM
    _move(made, wanted)
    return 0


def _next(place: int, wanted: int) -> int:
    try:
        values = next(_stream_at(place).columns, None)
        made = Array() if values is None else _array(values)
    except MemoryError:
        return ENOMEM
    _move(made, wanted)
    return 0


def _stream_at(place: int) -> _Stream:
    return _streams[Stream.from_address(place).private_data]


def _error(_stream: int) -> None:
    """Say nothing: ENOMEM, the only error, says it all, and ctypes would leak a message."""


def _move(struct: Structure, wanted: int) -> None:
    memmove(wanted, addressof(struct), sizeof(struct))


_stream_functions = (
    get_function(_type_of),
    get_function(_next),
    error_function(_error),
    _stream_releaser(),
)
for _function in (
    *(_drop_schema, _drop_array, _drop_stream, _release_schema, _release_array),
    *_stream_functions,
):
    keep_forever(_function)
