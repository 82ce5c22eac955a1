"""What Polars does with functions of a plugin, made by hand: it calls them by their names, and here
it is held against them what they let go, and how often.
"""

import pickle
from contextlib import contextmanager
from ctypes import (
    CDLL,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_size_t,
    c_uint32,
    c_void_p,
    cast,
    memmove,
    sizeof,
)

from columns.handmade import Array, Schema, column, pointers, release, release_function, values_in

from uriparse._native import kernel

LIBRARY = None if kernel is None else CDLL(kernel.__file__)


class Series(Structure):
    """`SeriesExport`: a type, and arrays of it."""

    _fields_ = (
        ("schema", c_void_p), ("arrays", c_void_p), ("length", c_size_t), ("release", c_void_p),
        ("private_data", c_void_p),
    )  # fmt: skip


class Refused(Exception):  # noqa: N818 - it is an outcome
    """What a function says when it gives nothing."""


class Given:
    """A series made of handmade arrays."""

    def __init__(self, chunks, like=None):
        self._chunks = chunks
        self.released = []
        self.wanted = [addressof(c.array) for c in chunks if c.array.release] + ["series"]
        self._functions = [release_function(self._let_array_go), release_function(self._let_go)]
        array_release, series_release = (cast(f, c_void_p).value for f in self._functions)
        for chunk in chunks:
            chunk.array.release = chunk.array.release and array_release
        self._places = (c_void_p * (len(chunks) + 1))(*[addressof(c.array) for c in chunks])
        schema = (like or chunks[0]).schema
        schema.name = b"url"
        self.facts = addressof(schema), addressof(self._places), len(chunks), series_release, 1

    def _let_array_go(self, place):
        Array.from_address(place).release = None
        self.released.append(place)

    def _let_go(self, place):
        Series.from_address(place).release = None
        self.released.append("series")


def arguments(order):
    """What becomes of the arguments of a function on their way."""
    return pickle.dumps({"order": order}, protocol=5)


def called(function, given, *chunks, like=None, count=1):
    """The name, the type and the values that a function makes of chunks of texts, or Refused.

    given: the arguments, in octets.
    like: an array of their type, where there are none.
    count: of columns; those behind the first are others.
    """
    with _made(function, given, chunks, like, count) as (schema, arrays):
        values = [values_in(schema, array) for array in arrays]
        return schema.name.decode(), type_in(schema), values


def tried(function, given, *chunks):
    """Call a function without a look at what it makes; Refused."""
    with _made(function, given, chunks):
        pass


@contextmanager
def _made(function, given, chunks, like=None, count=1):
    columns = [Given(own, like) for own in [chunks, [column([b"a:"])]][:count]]
    taken = (Series * (count + 1))(*[Series(*one.facts) for one in columns])
    made = Series()
    _function(function)(byref(taken), count, given, len(given), byref(made), byref(c_size_t()))
    for one in columns:
        assert one.released == one.wanted  # each once, the series last
    if not made.private_data:
        assert not made.release
        raise Refused(_said())
    arrays = [_moved(place) for place in pointers(made.arrays, made.length)]
    yield Schema.from_address(made.schema), arrays
    release(made)
    for array in arrays:
        release(array)


def called_for_type(function, given, schema, count=1):
    """The name and the type that a function makes of columns of a type, or Refused."""
    schemas = (Schema * (count + 1))(*[schema] * count)
    made = Schema()
    _function(f"field_{function}")(byref(schemas), count, byref(made), given, len(given))
    if not made.private_data:
        assert not made.release
        raise Refused(_said())
    found = made.name.decode(), type_in(made)
    release(made)
    return found


def type_in(schema):
    """A type, with those in it."""
    children = map(Schema.from_address, pointers(schema.children, schema.n_children))
    return schema.format.decode(), [(child.name.decode(), type_in(child)) for child in children]


def _function(name):
    function = getattr(LIBRARY, f"_polars_plugin_{name}")
    function.restype = None
    return function


def _said():
    said = LIBRARY._polars_plugin_get_last_error_message
    said.restype = c_char_p
    return said().decode()


def _moved(place):
    """An array in a place of its own, which is how Polars takes it."""
    array = Array()
    memmove(addressof(array), place, sizeof(array))
    return array


def version():
    """The version of plugins that the kernel is one of."""
    asked = LIBRARY._polars_plugin_get_version
    asked.restype = c_uint32
    return asked() >> 16, asked() & 0xFFFF
