"""A table in, and out again with what is said of one of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriparse.cli.validation.added import Adder
from uriparse.cli.validation.out_file import UnwritableFileError, written
from uriparse.cli.validation.tables import OCTETS, ROWS, pyarrow_module, table

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
    force: bool = False,
) -> Adder:
    """Judge a column of a table, and write the table with columns more.

    force: whether a file that is there is replaced.
    show: is told how many rows are done, and how many there are, None where that is not known.

    UnreadableFileError and UnwritableFileError, by the names of the files.
    """
    pyarrow = pyarrow_module()
    adder = Adder(policy)
    with table(name, column, is_parquet=is_parquet) as source:
        added = adder.fields(source.schema.names[source.place])
        twice = [field.name for field in added if field.name in source.schema.names]
        if twice:
            told = f"{name}: it has a column {twice[0]}, which is one that would be added"
            raise UnwritableFileError(f"{told}; rename it")
        schema = pyarrow.schema([*source.schema, *added], metadata=source.schema.metadata)
        done = 0
        with written(out, schema, force=force, read=name) as write:
            for batch in _batches(source):
                columns = [*batch.columns, *adder.columns(batch.column(source.place))]
                write(pyarrow.RecordBatch.from_arrays(columns, schema=schema))
                done += len(batch)
                show(done, source.rows)
    return adder


def _batches(source: Table) -> Iterator[Any]:
    """Give batches in parts that are small when all is written out."""
    for batch in source.batches:
        octets = max(batch.nbytes, _length(batch.column(source.place)))
        rows = max(1, min(ROWS, len(batch) * OCTETS // max(octets, OCTETS)))
        for first in range(0, len(batch), rows):
            yield batch.slice(first, rows)


def _length(texts: Any) -> int:
    """Count the octets of texts, those of a dictionary as often as they occur."""
    compute = pyarrow_module("compute")
    if not pyarrow_module("types").is_dictionary(texts.type):
        return 0
    lengths = compute.binary_length(texts.dictionary).take(texts.indices)
    return compute.sum(lengths).as_py() or 0
