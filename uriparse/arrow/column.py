"""What is made of columns: objects that any engine takes by the Arrow PyCapsule protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._native import kernel
from uriparse.arrow import exporting
from uriparse.arrow.exporting import type_name
from uriparse.migration_hints import ForeignToColumns

if TYPE_CHECKING:
    from types import ModuleType

    from uriparse.arrow.rows import Type, Values


_hands: ModuleType = exporting if kernel is None else kernel


class ChunkedColumn(ForeignToColumns):
    """A column in pieces: `pyarrow.chunked_array`, `polars.Series` and others take it as it is.

    It holds an Arrow stream; `len` counts rows. It is made by the functions of `uriparse.arrow`.
    """

    __slots__ = ("_chunks", "_type")

    def __init__(self, kind: Type, chunks: tuple[Values, ...]) -> None:
        self._type = kind
        self._chunks = chunks

    def __len__(self) -> int:
        return sum(chunk.length for chunk in self._chunks)

    def __repr__(self) -> str:
        names = ", ".join(child.name for child in self._type.children)
        shown = type_name(self._type.format) + (f" of {names}" if names else "")
        return f"<{type(self).__name__} of {len(self)} rows: {shown}>"

    def __arrow_c_schema__(self) -> object:
        """Give the type, in a capsule of `ArrowSchema`."""
        schema: object = _hands.schema(self._type)
        return schema

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give the pieces, in a capsule of `ArrowArrayStream`; another type cannot be had."""
        stream: object = _hands.stream(self._type, self._chunks)
        return stream


class Column(ChunkedColumn):
    """A column in one piece: `pyarrow.array`, `polars.Series` and others take it as it is.

    It holds an Arrow array, and a stream of that alone; `len` counts rows. It is made by the
    functions of `uriparse.arrow`.
    """

    __slots__ = ()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Give type and values, in capsules; another type cannot be had."""
        return _hands.schema(self._type), _hands.array(self._chunks[0])
