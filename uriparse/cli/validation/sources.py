"""Texts to judge, from lines, NDJSON or CSV, plain or gzipped: in chunks, one text a record."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase

BLOCK = 1 << 16
"""Octets read at once."""

LONGEST_LINE = 1 << 20
"""Octets of a line that are kept; a longer one is refused unread, and shown cut to this."""

CHUNK = 1000
"""Records of CSV and NDJSON in a chunk."""

_GZIP = b"\x1f\x8b"
_LONG_FIELD = 1 << 24
_TOO_LONG = f"a line of more than {LONGEST_LINE} octets is not read"


class Unreadable(NamedTuple):
    """A record that holds no text to judge.

    Attributes:
        text: the record, or what was kept of it.
        reason: why it holds none.

    """

    text: str
    reason: str


Item: TypeAlias = str | Unreadable


class UnreadableFileError(Exception):
    """A file that cannot be read, by its name and why."""


@contextmanager
def opened(name: str) -> Iterator[BufferedIOBase]:
    """Open a file by its name, "-" for standard input; what is gzipped is unpacked.

    UnreadableFileError if it cannot be opened or read.
    """
    try:
        if name == "-":
            yield io.BytesIO() if sys.stdin is None else _unpacked(_buffered(sys.stdin.buffer))
        else:
            with open(name, "rb") as file:  # noqa: PTH123 - a name, as the user wrote it
                yield _unpacked(file)
    except BrokenPipeError:
        raise
    except (OSError, EOFError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFileError(f"{name}: {reason}") from None


def _buffered(file: BinaryIO) -> io.BufferedReader:
    """Give standard input as it can be peeked into; a test may have put another file there."""
    return file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)  # type: ignore[arg-type]  # reads as a raw file does


def _unpacked(file: io.BufferedReader) -> BufferedIOBase:
    return gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == _GZIP else file


def lines(file: BufferedIOBase, separator: bytes = b"\n") -> Iterator[list[Item]]:
    r"""Give the lines of a file in chunks, as many as a block holds.

    A line end is `"\n"` or `"\r\n"`, or the separator alone if it is another; the last line may
    lack it. Octets that are not UTF-8 become lone surrogates, so that they can be written again.
    """
    begun, too_long = b"", False
    while block := file.read1(BLOCK):
        whole, end, after = block.rpartition(separator)
        if end:
            chunk = list(_items(begun + whole, separator, too_long=too_long))
            yield chunk
            begun, too_long = after, False
        elif not too_long:
            begun += after
            too_long = len(begun) > LONGEST_LINE
    if begun:
        yield list(_items(begun, separator, too_long=too_long))


def _items(data: bytes, separator: bytes, *, too_long: bool) -> Iterator[Item]:
    """Split whole lines; the first may be one of which only the beginning was kept."""
    texts = data.decode("utf-8", "surrogateescape").split(separator.decode())
    if separator == b"\n":
        texts = [text.removesuffix("\r") for text in texts]
    if too_long:
        yield Unreadable(texts.pop(0)[:LONGEST_LINE], _TOO_LONG)
    yield from texts


def ndjson(file: BufferedIOBase, field: str) -> Iterator[list[Item]]:
    """Give a field of each line's JSON object; a "." in its name leads into nested objects."""
    for chunk in lines(file):
        yield [_field_of(item, field) for item in chunk]


def _field_of(item: Item, field: str) -> Item:
    if isinstance(item, Unreadable):
        return item
    try:
        value = json.loads(item)
    except (ValueError, RecursionError):
        return Unreadable(item, "the line is not JSON")
    for name in field.split("."):
        if not isinstance(value, dict) or name not in value:
            return Unreadable(item, f"the object has no field {field}")
        value = value[name]
    return value if isinstance(value, str) else Unreadable(item, f"the field {field} is no text")


def columns(file: BufferedIOBase, column: str, name: str) -> Iterator[list[Item]]:
    """Give a column of a CSV file, by its name in the first row or its number from 1.

    UnreadableFileError if there is no such column.
    """
    csv.field_size_limit(_LONG_FIELD)
    rows = csv.reader(line.decode("utf-8", "surrogateescape") for line in file)
    try:
        place = int(column) - 1 if column.isascii() and column.isdigit() else None
        if place is None:
            header = next(rows, [])
            header[:1] = [cell.removeprefix("\ufeff") for cell in header[:1]]
            if column not in header:
                known = ", ".join(header) or "none"
                raise UnreadableFileError(
                    f"{name}: there is no column {column}; there are: {known}"
                )
            place = header.index(column)
        chunk: list[Item] = []
        for row in rows:
            missing = Unreadable(",".join(row), f"the row has no column {column}")
            chunk.append(row[place] if 0 <= place < len(row) else missing)
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
        yield chunk
    except csv.Error as error:
        raise UnreadableFileError(f"{name}: {error}") from None
