"""Tables that hold a column of texts: Parquet, or CSV, read by Arrow batch by batch."""

from __future__ import annotations

import io
from contextlib import contextmanager
from csv import reader
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from uriparse.cli.validation.sources import (
    BLOCK,
    LONGEST_LINE,
    UnreadableFileError,
    is_number,
    opened,
    place_of,
)
from uriparse.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedIOBase

ROWS = 1 << 15
"""Rows of a batch at most."""

OCTETS = 1 << 22
"""What a batch should take of memory, as the file tells, or else what is read of CSV at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is being read.

    Attributes:
        name: of its file.
        schema: Arrow's: names and types of its columns.
        place: of the column of texts.
        rows: how many there are; None where that shows at the end.
        batches: the rows, in their order.

    """

    name: str
    schema: Any
    place: int
    rows: int | None
    batches: Iterator[Any]


def pyarrow_module(name: str = "") -> Any:
    """Load pyarrow, or a module of it; MissingPackageError where it is not installed."""
    try:
        return import_module(f"pyarrow.{name}" if name else "pyarrow")
    except ImportError:
        raise MissingPackageError("pyarrow", "uriparse validate --out") from None


@contextmanager
def table(name: str, column: str, *, is_parquet: bool) -> Iterator[Table]:
    """Open a table by the name of its file, "-" for CSV on standard input.

    column: the texts, by the column's name, or its number from 1 in Parquet; the first row of CSV
        is that of the names.

    UnreadableFileError for a file that is no such table, breaks off, or has no such column of
    texts; MissingFileError if it is not there.
    """
    with _parquet(name, column) if is_parquet else _csv(name, column) as found:
        yield found


@contextmanager
def _held_to(name: str, form: str) -> Iterator[None]:
    """Say of which file it is that reading fails."""
    try:
        yield
    except (OSError, pyarrow_module().ArrowException) as error:
        if getattr(error, "errno", None) is not None:  # not about what is in the file
            raise
        told = f"{name}: no {form} that can be read: {first_line(error)}"
        raise UnreadableFileError(told) from None


@contextmanager
def _parquet(name: str, column: str) -> Iterator[Table]:
    parquet = pyarrow_module("parquet")
    if name == "-":
        raise UnreadableFileError("-: Parquet begins at its end, so it is read from files alone")
    with (
        opened(name, unpacked=False) as source,
        _held_to(name, "Parquet"),
        parquet.ParquetFile(source, buffer_size=OCTETS, pre_buffer=False) as file,
    ):
        facts = file.metadata
        octets = sum(facts.row_group(at).total_byte_size for at in range(facts.num_row_groups))
        average = max(1, octets // max(1, facts.num_rows))
        rows = max(1, min(ROWS, OCTETS // average))
        schema = file.schema_arrow
        place = _numbered(column, schema.names)
        place = _place(schema, column, name) if place is None else _of_texts(schema, place, name)
        yield Table(name, schema, place, facts.num_rows, file.iter_batches(batch_size=rows))


@contextmanager
def _csv(name: str, column: str) -> Iterator[Table]:
    """Read CSV; all columns are texts, since a guess would change how they are written."""
    pyarrow, csv = pyarrow_module(), pyarrow_module("csv")
    with opened(name) as file, _held_to(name, "CSV in UTF-8"):
        head = _head(file)
        names = next(reader(head.decode("utf-8-sig", "replace").splitlines(keepends=True)), [])
        source = io.BufferedReader(_Joined(head, file))
        with csv.open_csv(
            source,
            read_options=csv.ReadOptions(block_size=OCTETS),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        ) as batches:
            hint = "the first row has the names, and numbers go without --out"
            place = _place(batches.schema, column, name, hint if is_number(column) else "")
            yield Table(name, batches.schema, place, None, batches)


def _head(file: BufferedIOBase) -> bytes:
    """Read the first line, and what comes with it."""
    head = b""
    while b"\n" not in head and len(head) < LONGEST_LINE and (block := file.read1(BLOCK)):
        head += block
    return head


class _Joined(io.RawIOBase):
    """What was read of a file, and what is left in it."""

    def __init__(self, head: bytes, rest: BufferedIOBase) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._head:
            return self._rest.readinto1(buffer)
        size = min(len(buffer), len(self._head))
        buffer[:size] = self._head[:size]
        self._head = self._head[size:]
        return size


def _numbered(column: str, names: list[str]) -> int | None:
    """Give the place that a number from 1 means; None for a name."""
    if column in names or not is_number(column) or not 0 < int(column[:9]) <= len(names):
        return None
    return int(column) - 1


def _place(schema: Any, column: str, name: str, hint: str = "") -> int:
    """Find the column of texts by its name."""
    return _of_texts(schema, place_of(column, schema.names, name, hint=hint), name)


def _of_texts(schema: Any, place: int, name: str) -> int:
    """Give a place again; UnreadableFileError if the column there holds no texts."""
    kind = schema.field(place).type
    kind = kind.value_type if pyarrow_module("types").is_dictionary(kind) else kind
    if not any(is_one(kind) for is_one in _kinds()):
        raise UnreadableFileError(
            f"{name}: column {schema.names[place]} holds {kind}, and no texts"
        )
    return place


def _kinds() -> list[Callable[[Any], bool]]:
    """Give the tests for types of texts; octets are read as UTF-8."""
    types = pyarrow_module("types")
    return [
        *(types.is_string, types.is_large_string, types.is_string_view),
        *(types.is_binary, types.is_large_binary, types.is_binary_view),
    ]


def first_line(error: BaseException) -> str:
    """Give what an error of pyarrow says first; the rest is about its own code."""
    return str(error).strip().partition("\n")[0].rstrip(".")
