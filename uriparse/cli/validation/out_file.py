"""A table that is written, complete or not at all."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from uriparse.cli.validation.tables import first_line, pyarrow_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class UnwritableFileError(Exception):
    """A file that cannot be written, by its name and why."""


@contextmanager
def written(
    name: str, schema: Any, *, force: bool = False, read: str | None = None
) -> Iterator[Callable[[Any], None]]:
    """Give what writes batches to a table: CSV by a name that ends so, else Parquet.

    force: whether a file that is there is replaced.
    read: the name of the table that is read.

    UnwritableFileError for what cannot be written, is read, or is there already. After a failure or
    a signal nothing is left.
    """
    from abnf2lark.outputs import Outputs

    table_of = pyarrow_module().Table.from_batches

    def write(batch: Any) -> None:
        with _told(name):
            writer.write_table(table_of([batch]))  # or Parquet waits for more rows

    with Outputs(force=force, read=[read]) as files:
        with _told(name):
            writer = _writer(Path(name), files.binary(name), schema)
        try:
            yield write
        finally:
            with _told(name):
                _close(writer)
        with _told(name):
            files.finish()


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
