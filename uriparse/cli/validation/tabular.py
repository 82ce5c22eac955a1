"""A table in, and out again with what is said of one of its columns."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from uriparse.cli.validation.added import Adder
from uriparse.cli.validation.out_file import UnwritableFileError, written
from uriparse.cli.validation.tables import OCTETS, pyarrow_module, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uriparse.cli.validation.tables import Table
    from uriparse.validation import Policy


def judge_table(
    name: str,
    column: str,
    out: str,
    policy: Policy,
    show: Callable[[int, int | None], None],
    *,
    is_parquet: bool,
) -> Adder:
    """Judge a column of a table, and write the table with columns more.

    show: is told how many rows are done, and how many there are, None where that is not known.

    UnreadableFileError and UnwritableFileError, by the names of the files.
    """
    pyarrow = pyarrow_module()
    if os.path.realpath(out) == os.path.realpath(name):
        raise UnwritableFileError(f"{out}: it is what is read; give another name")
    adder = Adder(policy)
    with table(name, column, is_parquet=is_parquet) as source:
        added = adder.fields(source.schema.names[source.place])
        twice = [field.name for field in added if field.name in source.schema.names]
        if twice:
            told = f"{name}: it has a column {twice[0]}, which is one that would be added"
            raise UnwritableFileError(f"{told}; rename it")
        schema = pyarrow.schema([*source.schema, *added], metadata=source.schema.metadata)
        done = 0
        with written(out, schema) as write:
            for batch in _batches(source):
                columns = [*batch.columns, *adder.columns(batch.column(source.place))]
                write(pyarrow.RecordBatch.from_arrays(columns, schema=schema))
                done += len(batch)
                show(done, source.rows)
    return adder


def _batches(source: Table) -> Iterator[Any]:
    """Give batches, those that take more memory than the file tells in parts."""
    for batch in source.batches:
        rows = max(1, len(batch) * OCTETS // max(batch.nbytes, OCTETS))
        for first in range(0, len(batch), rows):
            yield batch.slice(first, rows)
