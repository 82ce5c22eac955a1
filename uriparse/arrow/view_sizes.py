"""Arrays of views that do not say how large their buffers are, of which pyarrow's import crashes.

It is used without the kernel alone: an array is looked at before it, and those of a stream as they
are read. The structs are those of Arrow's C data and stream interfaces.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    Structure,
    addressof,
    c_char_p,
    c_int,
    c_int64,
    c_void_p,
    py_object,
    pythonapi,
)
from errno import EINVAL

_Places = POINTER(c_void_p)
_pointer = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
_Call = CFUNCTYPE(c_int, c_void_p, c_void_p)
_Release = CFUNCTYPE(None, c_void_p)
_FEWEST = 3
"""Buffers of views: validity, the views, and the sizes of those between."""


class _Schema(Structure):
    _fields_ = (
        ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
        ("n_children", c_int64), ("children", _Places), ("dictionary", c_void_p),
        ("release", _Release), ("private_data", c_void_p),
    )  # fmt: skip


class _Array(Structure):
    _fields_ = (
        ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
        ("n_children", c_int64), ("buffers", _Places), ("children", _Places),
        ("dictionary", c_void_p), ("release", _Release), ("private_data", c_void_p),
    )  # fmt: skip


class _Stream(Structure):
    _fields_ = (
        ("get_schema", _Call), ("get_next", _Call), ("get_last_error", c_void_p),
        ("release", _Release), ("private_data", c_void_p),
    )  # fmt: skip


def is_sizeless(schema: object, array: object) -> bool:
    """Return whether the array of two capsules lacks the sizes."""
    return _lacks(_pointer(schema, b"arrow_schema"), _pointer(array, b"arrow_array"))


def _lacks(schema: int | None, array: int | None) -> bool:
    if not schema or not array:
        return False
    kind, own = _Schema.from_address(schema), _Array.from_address(array)
    if not kind.release or not own.release:
        return False
    if kind.format in {b"vu", b"vz"} and own.n_buffers > _FEWEST and own.buffers:
        return not own.buffers[own.n_buffers - 1]
    inner = zip(kind.children[: kind.n_children], own.children[: own.n_children], strict=False)
    return any(_lacks(*pair) for pair in (*inner, (kind.dictionary, own.dictionary)))


class Watched:
    """A stream in a capsule, which fails at an array that lacks the sizes."""

    def __init__(self, capsule: object) -> None:
        self.is_sizeless = False
        self._capsule, self._kind = capsule, _Schema()
        stream = _Stream.from_address(_pointer(capsule, b"arrow_array_stream"))
        kind = addressof(self._kind)
        if not stream.release or stream.get_schema(addressof(stream), kind):
            return
        get_next = _Call(c_void_p.from_buffer(stream, _Stream.get_next.offset).value or 0)

        def watched(given: int, array: int) -> int:
            done: int = get_next(given, array)
            if not done and _lacks(kind, array):
                self.is_sizeless = True
                _Array.from_address(array).release(array)
                return EINVAL
            return done

        stream.get_next = self._kept = _Call(watched)

    def __del__(self) -> None:
        if self._kind.release:
            self._kind.release(addressof(self._kind))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the capsule."""
        return self._capsule
