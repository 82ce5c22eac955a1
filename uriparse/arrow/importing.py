"""Import columns of texts by the Arrow PyCapsule protocol: by the kernel, or else by pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from uriparse._native import kernel
from uriparse.errors import MissingExtraError, URIError

if TYPE_CHECKING:
    from types import ModuleType

    import pyarrow as pa

# What the types are called that Arrow writes in a letter or two.

_WHOLE_TYPES = """
n=null b=bool c=int8 C=uint8 s=int16 S=uint16 i=int32 I=uint32 l=int64 L=uint64 e=float16 f=float32
g=float64 z=binary Z=large_binary vz=binary_view u=string U=large_string vu=string_view
"""
_BEGUN_TYPES = """
d:=decimal w:=fixed_size_binary td=date tt=time ts=timestamp tD=duration ti=interval +l=list
+L=large_list +vl=list_view +vL=large_list_view +w=fixed_size_list +s=struct +m=map +u=union
+r=run_end_encoded
"""
_WHOLE = dict(pair.split("=") for pair in _WHOLE_TYPES.split())
_BEGUN = dict(pair.split("=") for pair in _BEGUN_TYPES.split())


def type_name(written: str) -> str:
    """Name a type by its format string; an unknown one by that string, in quotes."""
    found = (name for begin, name in _BEGUN.items() if written.startswith(begin))
    return _WHOLE.get(written) or next(found, repr(written))


class ColumnError(URIError):
    """A column that contradicts itself, or has been released, so that its rows cannot be read.

    The first consumer of an Arrow capsule releases it: an object that returns the same capsule
    again can be read only once.
    """


TOO_LONG = (
    "column: what is made of it takes more octets than offsets of 32 bits can count:"
    " give it as large_string, or in smaller pieces"
)

_T = TypeVar("_T")


def asked(function: Callable[..., _T], *args: object) -> _T:
    """Call the kernel; its errors about a column become a ColumnError."""
    try:
        return function(*args)
    except OverflowError:
        said = TOO_LONG
    except ValueError as error:
        said = f"column: {error}"
    raise ColumnError(said)


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


class Rows:
    """A column of texts.

    facts: the rows as the kernel has imported them; without the kernel, a list.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: Sequence[bytes | None]) -> None:
        self.facts = facts

    def __len__(self) -> int:
        return len(self.facts)

    def __iter__(self) -> Iterator[bytes | None]:
        return map(self.octets, range(len(self)))

    def octets(self, row: int) -> bytes | None:
        """Return the text of a row, None for a null; ColumnError if it is out of bounds."""
        return asked(self.facts.__getitem__, row)


if TYPE_CHECKING:
    ArrowColumn: TypeAlias = SupportsArrowArray | SupportsArrowStream
    Imported: TypeAlias = tuple[str, str | None, Sequence[Sequence[bytes | None]] | None]


class ImportedColumn(NamedTuple):
    """An imported column.

    place_width: octets for where a text begins, in columns made of it: enough for its texts.
    chunks: its rows.
    is_array: whether it came as one array.
    """

    place_width: int
    chunks: list[Rows]
    is_array: bool


def import_column(column: ArrowColumn) -> ImportedColumn:
    """Import a column; TypeError if it is not a column of texts.

    Its capsules are consumed. ColumnError for arrays that contradict their type, and for capsules
    that were consumed before; MissingExtraError without the kernel and pyarrow.
    """
    is_array = isinstance(column, SupportsArrowArray)
    if not (is_array or isinstance(column, SupportsArrowStream)):
        raise TypeError(
            f"column must be an Arrow array or stream of strings, not {type(column).__name__}:"
            " pyarrow.array(list) makes one"
        )
    written, texts, chunks = _imported(column)
    if chunks is None:
        shown = type_name(written)
        if texts is not None:
            shown = f"a dictionary of {type_name(texts) if texts else 'dictionaries'}"
        advice = "; give one of its columns" if written == "+s" else ""
        raise TypeError(
            "column holds texts (Arrow's string, binary, their large and view types, or a"
            f" dictionary of one of these), not {shown}{advice}"
        )
    width = 4 if written in _NARROW and texts is None else 8
    return ImportedColumn(width, [Rows(chunk) for chunk in chunks], is_array)


_NARROW = frozenset("uzn")
"""The formats of string, binary and null."""


def _imported(column: ArrowColumn) -> Imported:
    """Return the format of a column, that of its dictionary, and its rows if they are texts."""
    if kernel is None:
        return _by_pyarrow(column)
    if isinstance(column, SupportsArrowArray):
        given: tuple[object, ...] = column.__arrow_c_array__()
    else:
        given = (column.__arrow_c_stream__(),)
    written, texts, chunks = asked(kernel.imported, *given)
    own = None if texts is None else texts.decode("ascii", "replace")
    return written.decode("ascii", "replace"), own, chunks


def pyarrow() -> ModuleType:
    """Load pyarrow, which reads and makes columns without the kernel; MissingExtraError."""
    try:
        return import_module("pyarrow")
    except ImportError:
        feature = "reading columns without the C kernel"
        raise MissingExtraError("arrow", feature) from None


def _by_pyarrow(column: ArrowColumn) -> Imported:
    from uriparse.arrow.view_sizes import Watched, is_sizeless  # noqa: PLC0415 - for this alone

    pa, stream = pyarrow(), None
    try:
        is_array = isinstance(column, SupportsArrowArray)
        if isinstance(column, SupportsArrowArray):
            array = column.__arrow_c_array__()
            if is_sizeless(*array):
                raise ColumnError(_SIZELESS)
            whole = pa.Array._import_from_c_capsule(*array)  # noqa: SLF001 - what pa.array does
        else:
            stream = Watched(column.__arrow_c_stream__())
            whole = pa.chunked_array(stream)
        chunks, keyed = [whole] if is_array else whole.chunks, pa.types.is_dictionary(whole.type)
        written = _format(whole.type)
        own = _format(whole.type.value_type) if keyed else None
        texts = own if own is not None else written
        if texts not in _TEXTS:
            return written, own, None
        for chunk in chunks:
            if chunk.offset < 0:  # which pyarrow would read
                raise ColumnError("column: its length or its offset is not possible")
            chunk.validate()  # or `len` crashes where that is negative
        read = _keyed if keyed else _octets
        return written, own, [read(chunk, texts) for chunk in chunks]
    except (pa.ArrowInvalid, pa.lib.ArrowIndexError) as error:
        said = _RELEASED if "released" in str(error) else str(error)
        if stream is not None and stream.is_sizeless:
            raise ColumnError(_SIZELESS) from None
        raise ColumnError(f"column: {said}") from None


_SIZELESS = "column: it does not say how large its buffers are"
_RELEASED = "it has been released; a capsule of Arrow can be read only once"
_FORMATS = {name: written for written, name in (_WHOLE | _BEGUN).items()}
_TEXTS = {
    **dict.fromkeys("uz", "binary"),
    **dict.fromkeys("UZ", "large_binary"),
    **dict.fromkeys(("vu", "vz"), "binary_view"),
    "n": "null",
}
"""By format the type of pyarrow that reads texts as octets."""


def _format(kind: pa.DataType) -> str:
    name = str(kind).partition("<")[0].partition("[")[0]
    return _FORMATS.get(name, name)


def _octets(chunk: pa.Array, texts: str) -> list[bytes | None]:
    plain = chunk.view(getattr(pyarrow(), _TEXTS[texts])())  # others need not be UTF-8
    if len(plain):  # pyarrow refuses an empty array of views that has an offset
        plain.validate(full=True)
    found: list[bytes | None] = plain.to_pylist()
    return found


def _keyed(chunk: pa.DictionaryArray, texts: str) -> list[bytes | None]:
    chunk.indices.validate(full=True)
    known, keys = _octets(chunk.dictionary, texts), chunk.indices.to_pylist()
    for row, key in enumerate(keys):
        if key is not None and not 0 <= key < len(known):
            raise ColumnError(f"column: row {row} lies outside of its buffers")
    return [None if key is None else known[key] for key in keys]
