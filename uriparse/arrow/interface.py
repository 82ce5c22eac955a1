"""The structs of the Arrow C data and stream interfaces, and the capsules that carry them.

As the specification lays them out; pointers are numbers here.
"""

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
    memmove,
    py_object,
    pythonapi,
    sizeof,
)
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable

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
