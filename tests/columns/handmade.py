"""Columns made by hand, octet by octet, and a reader of what comes out that knows no engine."""

import sys
from array import array
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
from itertools import accumulate, pairwise

SCHEMA = b"arrow_schema"
ARRAY = b"arrow_array"


class Schema(Structure):
    """`ArrowSchema` of the C data interface."""

    _fields_ = (
        ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
        ("n_children", c_int64), ("children", c_void_p), ("dictionary", c_void_p),
        ("release", c_void_p), ("private_data", c_void_p),
    )  # fmt: skip


class Array(Structure):
    """`ArrowArray` of the C data interface."""

    _fields_ = (
        ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
        ("n_children", c_int64), ("buffers", c_void_p), ("children", c_void_p),
        ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p),
    )  # fmt: skip


release_function = CFUNCTYPE(None, c_void_p)
"""The type of the function that releases a struct."""

move_function = CFUNCTYPE(c_int, c_void_p, c_void_p)
"""The type of the functions of a stream, which fill a struct."""

pointer_of = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
view_of = PYFUNCTYPE(py_object, c_void_p, c_ssize_t, c_int)(("PyMemoryView_FromMemory", pythonapi))

_READ = 0x100  # PyBUF_READ


def memory(place, size):
    """Return a view of memory; the caller keeps the memory alive while the view is used."""
    return view_of(place, size, _READ) if size and place is not None else memoryview(b"")


def pointers(place, count):
    """Read so many pointers."""
    return list((c_void_p * count).from_address(place)) if place and count else []


destructor_function = PYFUNCTYPE(None, c_void_p)
new_capsule = PYFUNCTYPE(py_object, c_void_p, c_char_p, destructor_function)(
    ("PyCapsule_New", pythonapi)
)


@release_function
def _schema_released(place):
    Schema.from_address(place).release = None


@release_function
def _array_released(place):
    Array.from_address(place).release = None


def copied(struct):
    return type(struct).from_buffer_copy(struct)


class Handmade:
    """An array with these facts, be they true or not; it stays until the object goes."""

    def __init__(self, layout, length, buffers=(), *, offset=0, nulls=-1, count=None, **more):
        self.layout = layout
        self.dictionary = more.get("dictionary")
        self.buffers = [None if b is None else create_string_buffer(b, len(b) + 1) for b in buffers]
        places = [None if b is None else addressof(b) for b in self.buffers]
        self.places = (c_void_p * (len(places) + 1))(*places)
        array = self.array = Array(length, nulls, offset, len(places) if count is None else count)
        array.buffers = addressof(self.places)
        schema = self.schema = Schema(layout.encode())
        schema.release = cast(_schema_released, c_void_p).value
        released = cast(_array_released, c_void_p).value
        array.release = released if more.get("is_there", True) else None
        if self.dictionary:
            schema.dictionary = addressof(self.dictionary.schema)
            if more.get("has_texts", True):
                array.dictionary = addressof(self.dictionary.array)

    def __arrow_c_array__(self, requested_schema=None):
        """Give copies, which whoever reads the capsules moves out of them."""
        drop = destructor_function()
        self.given = copied(self.schema), copied(self.array)
        schema, own = map(addressof, self.given)
        return new_capsule(schema, SCHEMA, drop), new_capsule(own, ARRAY, drop)


class Stream(Structure):
    """`ArrowArrayStream` of the C stream interface."""

    _fields_ = (
        ("get_schema", move_function), ("get_next", move_function),
        ("get_last_error", CFUNCTYPE(c_void_p, c_void_p)),
        ("release", release_function), ("private_data", c_void_p),
    )  # fmt: skip


class HandmadeStream:
    """A stream of arrays made by hand; it stays until the object goes."""

    def __init__(self, *arrays):
        left = iter([copied(one.array) for one in arrays])
        kind = arrays[0].schema

        def get_schema(_, place):
            memmove(place, addressof(kind), sizeof(kind))
            return 0

        def get_next(_, place):
            following = next(left, Array())
            memmove(place, addressof(following), sizeof(Array))
            return 0

        last_error = CFUNCTYPE(c_void_p, c_void_p)(lambda _: None)
        moves = map(move_function, (get_schema, get_next))
        self._struct = Stream(*moves, last_error, release_function(self._released))

    def _released(self, place):
        Stream.from_address(place).release = release_function()

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(addressof(self._struct), b"arrow_array_stream", destructor_function())


WIDTHS = {"u": "i", "z": "i", "U": "q", "Z": "q"}
KEYS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q"}


def bits(values):
    digits = "".join("01"[value is not None] for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


def column(texts, layout="u", *, skipped=0):
    """A column of octets or None in a layout; so many rows lie before it, and are not read."""
    texts = [b"not read", None, b"\xff"][:skipped] + list(texts)
    length, more = len(texts) - skipped, {"offset": skipped}
    if layout in KEYS:
        known = list(dict.fromkeys(texts))
        keys = array(KEYS[layout], map(known.index, texts)).tobytes()
        return Handmade(layout, length, [None, keys], **more, dictionary=column(known, "u"))
    if layout.startswith("v"):
        return Handmade(layout, length, _views(texts), **more)
    begins = accumulate((len(text or b"") for text in texts), initial=0)
    places = array(WIDTHS[layout], begins).tobytes()
    data = b"".join(text for text in texts if text)
    return Handmade(layout, length, [bits(texts), places, data], **more)


def _views(texts):
    """Texts in turn in one of two buffers."""
    views, parts = b"", [b"", b""]
    for number, text in enumerate(texts):
        size = array("i", [len(text or b"")]).tobytes()
        if len(text or b"") <= 12:
            views += size + (text or b"").ljust(12, b"\0")
            continue
        part = number % 2
        views += size + text[:4] + array("i", [part, len(parts[part])]).tobytes()
        parts[part] += text
    return [bits(texts), views, *parts, array("q", map(len, parts)).tobytes()]


def listed(made):
    """The values of a column of ours."""
    schema, own = made.__arrow_c_array__()
    found = Array.from_address(pointer_of(own, ARRAY))
    return values_in(Schema.from_address(pointer_of(schema, SCHEMA)), found)


def values_in(schema, own):
    layout = schema.format.decode()
    buffers = pointers(own.buffers, own.n_buffers)
    there = [True] * own.length
    if buffers[0]:
        octets = memory(buffers[0], (own.length + 7) // 8)
        there = [bool(octets[at >> 3] >> (at & 7) & 1) for at in range(own.length)]
    assert own.null_count == there.count(False)
    found = list(_there(layout, schema, own, buffers))
    return [value if known else None for value, known in zip(found, there, strict=True)]


def _there(layout, schema, own, buffers):
    count = own.length
    if layout == "+s":
        names, columns = [], []
        kinds = pointers(schema.children, schema.n_children)
        arrays = pointers(own.children, own.n_children)
        for kind, values in zip(kinds, arrays, strict=True):
            child = Schema.from_address(kind)
            names.append(child.name.decode())
            columns.append(values_in(child, Array.from_address(values)))
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    if layout == "b":
        octets = memory(buffers[1], (count + 7) // 8)
        return [bool(octets[at >> 3] >> (at & 7) & 1) for at in range(count)]
    if layout == "l":
        return memory(buffers[1], 8 * count).cast("q").tolist()
    width = 4 if layout == "u" else 8
    begins = memory(buffers[1], width * (count + 1)).cast("i" if width == 4 else "q").tolist()
    data = memory(buffers[2], begins[-1]).tobytes()
    return [data[a:b].decode() for a, b in pairwise(begins)]


assert sys.byteorder == "little"
