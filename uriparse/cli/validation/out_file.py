"""A table that is written: whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from uriparse.cli import interrupts
from uriparse.cli.validation.tables import first_line, pyarrow_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class UnwritableFileError(Exception):
    """A file that cannot be written, by its name and why."""


@contextmanager
def written(name: str, schema: Any) -> Iterator[Callable[[Any], None]]:
    """Give what writes batches to a table: CSV by a name that ends so, else Parquet.

    They are written to a file beside it, which has its name when all is done; after a failure or an
    interrupt nothing is left. UnwritableFileError for what cannot be written, or is there already.
    """
    path = Path(name)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    if os.path.lexists(path):
        raise UnwritableFileError(f"{name}: it is there already; remove it, or give another name")

    def remove() -> None:
        with suppress(FileNotFoundError):
            part.unlink()

    table_of = pyarrow_module().Table.from_batches
    with _told(name):
        file = part.open("xb")
    interrupts.do_first(remove)
    try:
        with file:
            with _told(name):
                writer = _writer(path, file, schema)

            def write(batch: Any) -> None:
                with _told(name):
                    writer.write_table(table_of([batch]))  # or Parquet waits for more rows

            try:
                yield write
            finally:
                with _told(name):
                    _close(writer)
        with _told(name), interrupts.Held():
            part.replace(path)
    finally:
        remove()
        interrupts.leave(remove)


def _writer(path: Path, file: BinaryIO, schema: Any) -> Any:
    if path.suffix.lower() == ".csv":
        return pyarrow_module("csv").CSVWriter(file, schema)
    return pyarrow_module("parquet").ParquetWriter(file, schema)


def _close(writer: Any) -> None:
    try:
        writer.close()
    finally:
        if hasattr(writer, "is_open"):  # what could not be closed would try, and complain, later
            writer.is_open = False


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say of which file it is that writing fails."""
    try:
        yield
    except (OSError, pyarrow_module().ArrowException) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UnwritableFileError(f"{name}: {reason}") from None
