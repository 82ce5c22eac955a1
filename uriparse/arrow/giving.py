"""What is handed over by the Arrow PyCapsule protocol, where there is no kernel to do it.

The structs are released by whoever takes them, at any time, so that what they point to stays in a
register until then; and the functions that release them stay for good. Some structs are released
while the interpreter shuts down, when the globals of modules and the built-in functions are gone:
a function that fails then leaves `release` set, and the consumer aborts the process. So the
functions that release use nothing but what they enclose.
"""

from __future__ import annotations

from ctypes import (
    Structure,
    addressof,
    c_char_p,
    c_void_p,
    cast,
    create_string_buffer,
    memmove,
    sizeof,
)
from errno import ENOMEM
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from uriparse.arrow.interface import (
    ARRAY,
    NULLABLE,
    SCHEMA,
    STREAM,
    Array,
    Schema,
    Stream,
    destructor_function,
    error_function,
    get_function,
    keep_forever,
    new_capsule,
    pointer_at,
    release_function,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uriparse.arrow.made import Type, Values

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
