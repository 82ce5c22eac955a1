"""Tables: Parquet, CSV and NDJSON read by column, judged, and written with extra columns."""

import csv
import io
import json
import os
import re
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, cast

from uriparse import arrow
from uriparse.arrow.policies import codes_and_hosts, reasons
from uriparse.arrow.reading import COLUMNS as COMPONENTS
from uriparse.cli import validation_sources as sources
from uriparse.cli import validation_written as outputs
from uriparse.cli.console import LONGEST_LINE, UnreadableFileError, UnwritableFileError, opened
from uriparse.cli.validation_judging import Counts
from uriparse.cli.validation_written import TableTask, pyarrow_module, written
from uriparse.parsing import Record
from uriparse.records.readers import yields_records
from uriparse.validation import Policy
from uriparse.validation.compiled_policy import Reason, compiled
from uriparse.validation.report import evaluate, first_reason, parse_by_policy

# Tables that hold a column of texts, read batch by batch.

ROWS = 1 << 15
"""Rows of a batch at most."""

OCTETS = 1 << 22
"""The memory of a batch by the file's own figures, or else what is read of CSV at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is being read.

    schema: Arrow's: names and types of its columns; or, without pyarrow, their names.
    place: of the column of texts.
    batches: record batches of Arrow; or rows.
    share: returns how much is read once so many rows are, from 0 to 1; None if it is not known.
    codecs: of the columns of Parquet, by their paths.
    dictionaries: the paths of those that are written with a dictionary.
    """

    name: str
    schema: Any
    place: int
    batches: Iterator[Any]
    share: Callable[[int], float | None]
    codecs: Mapping[str, str] = field(default_factory=dict)
    dictionaries: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        found: list[str] = getattr(self.schema, "names", self.schema)
        return found


def table(name: str, task: TableTask, *, is_whole: bool) -> AbstractContextManager[Table]:
    """Open a table by the name of its file, "-" for standard input, which cannot be Parquet.

    is_whole: whether other columns of Parquet are wanted.

    UnreadableFileError for a file that is not such a table, breaks off, or has no such column.
    """
    if task.form == "parquet":
        return _parquet(name, task.column, is_whole=is_whole)
    return (_csv if task.form == "csv" else _ndjson)(name, task.column)


@contextmanager
def _held_to(name: str, form: str) -> Iterator[None]:
    """Name the file in errors of reading, and in those of a row of CSV what to do."""
    try:
        yield
    except outputs.failures() as error:
        if getattr(error, "errno", None) is not None:  # not about what is in the file
            raise
        told = outputs.first_line(error)
        if uneven := _UNEVEN.search(told):  # it goes on with the row, which may have secrets
            told = _uneven(*map(int, uneven.groups()))
        raise UnreadableFileError(name, f"not readable as {form}: {told}") from None


_UNEVEN = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+)")


@contextmanager
def _parquet(name: str, column: str, *, is_whole: bool) -> Iterator[Table]:
    parquet = pyarrow_module("parquet")
    if name == "-":
        raise UnreadableFileError(name, "Parquet begins at its end, so it is read from files alone")
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
        if (
            column in schema.names
            or not sources.is_number(column)
            or not (0 < int(column[:9]) <= len(schema.names))
        ):
            place = _place(schema, column, name)
        else:
            place = _of_texts(schema, int(column) - 1, name)
        if not is_whole:
            schema, place = pyarrow_module().schema([schema.field(place)]), 0
        group = facts.row_group(0) if facts.num_row_groups else None
        chunks = [] if group is None else list(map(group.column, range(group.num_columns)))
        yield Table(
            name,
            schema,
            place,
            # The threads of a reader cost more time than they save, and forbid copies of a process.
            file.iter_batches(rows, columns=None if is_whole else schema.names, use_threads=False),
            lambda done: done / max(1, facts.num_rows),
            {one.path_in_schema: _CODECS.get(one.compression, one.compression) for one in chunks},
            tuple(one.path_in_schema for one in chunks if _repeats(one)),
        )


def _repeats(chunk: Any) -> bool:
    """Return whether the values of a column occur often enough for a dictionary of them."""
    if not chunk.has_dictionary_page:
        return False
    size: int = chunk.data_page_offset - chunk.dictionary_page_offset
    return 4 * size < cast("int", chunk.total_compressed_size)


_CODECS = {"UNCOMPRESSED": "NONE"}
"""Of the names that a reader has for codecs, those for which a writer has another."""


@contextmanager
def _csv(name: str, column: str) -> Iterator[Table]:
    """Read CSV; all columns are texts, since a guess would change how they are written."""
    pyarrow, arrow_csv = pyarrow_module(), pyarrow_module("csv")
    csv.field_size_limit(2 * LONGEST_LINE)  # the head ends before
    with opened(name) as file, _held_to(name, "CSV in UTF-8"):
        source = io.BufferedReader(file, LONGEST_LINE)
        head = source.peek().decode("utf-8-sig", "replace")
        names = next(csv.reader(io.StringIO(head, newline="")), [])
        with arrow_csv.open_csv(
            source,
            # With threads, a row does not know its number.
            read_options=arrow_csv.ReadOptions(block_size=OCTETS, use_threads=False),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        ) as batches:
            place = _place(batches.schema, column, name, _hint(column))
            yield Table(name, batches.schema, place, batches, _share(file))


def _uneven(number: int, expected: int, got: int) -> str:
    """Say what is wrong with a row of CSV, and what to do."""
    return (
        f"row {number}: expected {expected} columns, got {got} (the names are row 1, blank lines do"
        " not count); mend that row, or leave out --out: then each row is judged by itself"
    )


def _hint(column: str) -> str:
    known = "the first row has the names, and numbers go without --out"
    return known if sources.is_number(column) else ""


@contextmanager
def _ndjson(name: str, field: str) -> Iterator[Table]:
    """Read NDJSON: lines without their last "}", which are written as they are, and the texts."""
    pyarrow = pyarrow_module()
    kinds = [pyarrow.binary(), pyarrow.binary()]
    schema = pyarrow.schema([pyarrow.field("", kinds[0]), pyarrow.field(field, kinds[1])])
    taken = {f"{field}_{one}" for one in (*VERDICT, *COMPONENTS)}

    def batches(file: io.BufferedIOBase) -> Iterator[Any]:
        for chunk in _larger(sources.members(file, field, taken, name)):
            columns = [
                [None if one is None else one.encode("utf-8", "surrogateescape") for one in texts]
                for texts in zip(*chunk, strict=True)
            ]
            arrays = map(pyarrow.array, columns, kinds)
            yield pyarrow.RecordBatch.from_arrays(list(arrays), schema=schema)

    with opened(name) as file:
        yield Table(name, schema, 1, batches(file), _share(file))


def _larger(
    chunks: Iterable[list[tuple[str, str | None]]],
) -> Iterator[list[tuple[str, str | None]]]:
    """Join chunks, so that a batch is worth its cost, as far as memory allows."""
    rows: list[tuple[str, str | None]] = []
    size = 0
    for chunk in chunks:
        rows += chunk
        size += sum(len(begin) for begin, _ in chunk)
        if size >= OCTETS // 16:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _share(file: io.BufferedIOBase) -> Callable[[int], float | None]:
    """Return a function for the share of a file that has been read, packed or not."""
    raw = getattr(file, "fileobj", None) or file
    size = 0
    with suppress(OSError):  # not a file of the system's
        size = os.fstat(raw.fileno()).st_size
    return lambda _: raw.tell() / size if size else None


def _place(schema: Any, column: str, name: str, hint: str = "") -> int:
    """Return the index of the column of texts."""
    return _of_texts(schema, sources.place_of(column, schema.names, name, hint=hint), name)


def _of_texts(schema: Any, place: int, name: str) -> int:
    """Return the index of a column; UnreadableFileError if it does not hold texts."""
    types = pyarrow_module("types")
    kind = schema.field(place).type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    known = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    if not any(getattr(types, f"is_{one}")(kind) for one in known):  # octets are read as UTF-8
        raise UnreadableFileError(name, f"column {schema.names[place]} holds {kind}, and no texts")
    return place


# The columns for verdict, code, cause, offset and components.

VERDICT = ("accepted", "code", "cause", "offset")
_FEW_VALUES = ("code", "cause", "scheme", "authority", "userinfo", "host", "port", "host_kind")
"""Columns whose values occur often, so that a dictionary of them makes the file smaller."""


def _schema(source: Table, column: str) -> Any:
    """Return the schema of a table with the added columns."""
    pyarrow = pyarrow_module()
    kinds = {"accepted": pyarrow.bool_(), "offset": pyarrow.int64()}
    added = [
        pyarrow.field(f"{column}_{name}", kinds.get(name, pyarrow.string()))
        for name in (*VERDICT, *COMPONENTS)
    ]
    return pyarrow.schema([*source.schema, *added], metadata=source.schema.metadata)


def added_columns(texts: Any, policy: Policy, *, is_whole: bool = True) -> list[Any]:
    """Judge and split texts: an array for each field, or the verdicts alone; null for null."""
    pyarrow, compute = pyarrow_module(), pyarrow_module("compute")
    string = pyarrow.string()
    with warnings.catch_warnings():  # a command need not warn that the kernel is missing
        warnings.simplefilter("ignore", RuntimeWarning)
        told = pyarrow.array((reasons if is_whole else arrow.verdict)(texts, policy))
        code, cause, offset = told.flatten() if is_whole else (told, None, None)
        absent = pyarrow.nulls(len(texts), pyarrow.bool_())  # None would load pandas
        accepted = compute.if_else(texts.is_valid(), code.is_null(), absent)
        if not is_whole:
            return [accepted]
        parts = [pyarrow.nulls(len(texts), string)] * len(COMPONENTS)
        if yields_records(compiled(policy).start, policy.grammar):
            split = arrow.split(texts, compiled(policy).start, grammar=policy.grammar)
            parts = pyarrow.array(split).flatten()
    told = [part.cast(string) for part in (code, cause, *parts)]
    return [accepted, *told[:2], offset, *told[2:]]


# From a table to one with the verdicts on one of its columns.


def judge_table(
    name: str,
    out: str | None,
    task: TableTask,
    show: Callable[[int, float | None], None],
    jobs: int = 1,
) -> Counts:
    """Judge a column of a table; write the table with extra columns, or, without `out`, count.

    show: called with the number of rows done, and their share of all, None if unknown.
    """
    is_plain = task.form == "csv" and outputs.is_csv(out) and find_spec("pyarrow") is None
    opens = (
        _csv_rows(name, task.column) if is_plain else table(name, task, is_whole=out is not None)
    )
    done, write = Counts(), None
    with opens as source, ExitStack() as on:
        column = source.names[source.place]
        if out is not None:
            mark = outputs.mark_of(name, task.facts) if task.is_marked else None
            if task.resume and (there := _counted(out, column, mark, task)) is not None:
                return there
            added = [f"{column}_{one}" for one in (*VERDICT, *COMPONENTS)]
            if twice := [one for one in added if one in source.names]:
                told = f"{name}: it has a column {twice[0]}, which is one that would be added"
                raise UnwritableFileError(f"{told}; rename it")
            schema = [*source.names, *added] if is_plain else _schema(source, column)
            made = written(out, schema, name, task, mark, **_options(source))
            write = on.enter_context(made)
        judge = _judged_rows if is_plain else partial(_judged, jobs=jobs, is_whole=out is not None)
        for batch, counts in judge(source, task):
            if write is not None:
                write(batch)
            done.add(counts)
            show(done.rows, source.share(done.rows))
    return done


def _options(source: Table) -> dict[str, Any]:
    """Return options for Parquet: codecs as they are in what is read, and those of its texts."""
    if not source.codecs:
        return {}
    column = source.names[source.place]
    added = (f"{column}_{name}" for name in (*VERDICT, *COMPONENTS))
    few = [f"{column}_{name}" for name in _FEW_VALUES]
    compression = {**source.codecs, **dict.fromkeys(added, source.codecs[column])}
    return {"compression": compression, "use_dictionary": [*source.dictionaries, *few]}


def _counted(out: str, column: str, mark: str | None, task: TableTask) -> Counts | None:
    """Count the verdicts of a complete table that is there; None if none is, or it is replaced."""
    column = f"{sources.safe_cell(column) if task.is_safe else column}_accepted"
    if not Path(out).is_file():
        return None
    try:
        with opened(out, unpacked=False) as file, _held_to(out, "table of ours"):
            found = Counter(_verdicts(file, column, "csv" if outputs.is_csv(out) else task.form))
    except (UnreadableFileError, ValueError, TypeError, LookupError, csv.Error) as error:
        if task.force:
            return None
        told = error.reason if isinstance(error, UnreadableFileError) else f"no {column}"
        raise UnwritableFileError(
            f"{out}: it is there already, but is not complete ({told}); --force replaces it"
        ) from None
    if (why := outputs.differences(out, mark, task.form)) is not None:
        if task.force:
            return None
        told = f"{out}: it is there already, but {why}; --force replaces it"
        raise UnwritableFileError(told)
    return Counts(found.total(), found[True], found[False])


def _verdicts(file: io.BufferedIOBase, column: str, form: sources.Form) -> Iterator[object]:
    if form == "ndjson":
        for chunk in sources.lines(file):
            yield from (json.loads(line)[column] for line in chunk)  # type: ignore[arg-type]  # or TypeError
    elif form == "csv":
        rows = _rows(file)
        place = next(rows, []).index(column)
        yield from ({"true": True, "false": False}.get(row[place]) for row in rows)
    else:
        parquet = pyarrow_module("parquet").ParquetFile(file)
        for batch in parquet.iter_batches(columns=[column], use_threads=False):
            yield from batch.column(column).to_pylist()


def _judged(
    source: Table, task: TableTask, jobs: int, *, is_whole: bool
) -> Iterator[tuple[Any, Counts]]:
    """Yield batches with the added columns, and their counts."""
    schema = _schema(source, source.names[source.place]) if is_whole else None
    work = partial(added_columns, policy=task.policy, is_whole=is_whole)
    waiting: deque[Any] = deque()

    def texts() -> Iterator[Any]:
        for batch in _batches(source):
            waiting.append(batch)
            # Of a slice all that it is of would be sent.
            own = batch.column(source.place)
            yield own if jobs == 1 else pyarrow_module().concat_arrays([own])

    if jobs == 1:
        found: Iterator[list[Any]] = map(work, texts())
    else:
        from uriparse.cli.processes import in_order

        found = in_order(work, texts(), jobs)
    for columns in found:
        batch, accepted = waiting.popleft(), columns[0]
        counts = Counts(len(accepted), accepted.true_count, accepted.false_count)
        if task.counts:
            given = batch.column(source.place)
            counts.codes, counts.hosts = codes_and_hosts(given, task.policy)
        if schema is not None:
            made = [*batch.columns, *columns]
            batch = pyarrow_module().RecordBatch.from_arrays(made, schema=schema)
        yield batch, counts


def _batches(source: Table) -> Iterator[Any]:
    """Yield batches in parts of bounded size."""
    for batch in source.batches:
        octets, texts = batch.nbytes, batch.column(source.place)
        if pyarrow_module("types").is_dictionary(texts.type):  # its texts, as often as they occur
            compute = pyarrow_module("compute")
            lengths = compute.binary_length(texts.dictionary).take(texts.indices)
            octets = max(octets, compute.sum(lengths).as_py() or 0)
        rows = max(1, min(ROWS, len(batch) * OCTETS // max(octets, OCTETS)))
        for first in range(0, len(batch), rows):
            yield batch.slice(first, rows)


# CSV to CSV without pyarrow, row by row; what is written is the same.

_ROWS_AT_ONCE = 16
"""Each may have a megabyte."""


@contextmanager
def _csv_rows(name: str, column: str) -> Iterator[Table]:
    with opened(name) as file, _held_to(name, "CSV in UTF-8"):
        rows = _rows(file)
        names = next(rows, None)
        if names is None:
            raise csv.Error("Empty CSV file")
        place = sources.place_of(column, names, name, hint=_hint(column))
        yield Table(name, names, place, rows, _share(file))


def _judged_rows(source: Table, task: TableTask) -> Iterator[tuple[bytes, Counts]]:
    """Yield rows as they are written, with the added cells, and their counts."""
    size, number = len(source.names), 1
    while rows := list(islice(source.batches, _ROWS_AT_ONCE)):
        counts, written_rows = Counts(len(rows)), list[bytes]()
        for row in rows:
            number += 1
            if len(row) != size:
                raise csv.Error(_uneven(number, size, len(row)))
            record = parse_by_policy(row[source.place], task.policy)
            if task.counts:
                judged = evaluate(row[source.place], task.policy)
                reason = judged.reason
                counts.count(judged.codes, record)
            else:
                reason = first_reason(row[source.place], task.policy)
            written_rows.append(outputs.csv_row([*row, *_added_cells(reason, record)], task))
            counts.accepted += reason.code is None
        counts.refused = len(rows) - counts.accepted
        yield b"".join(written_rows), counts


def _rows(file: io.BufferedIOBase) -> Iterator[list[str]]:
    """Yield the rows that are not blank."""
    csv.field_size_limit(2 * LONGEST_LINE)  # rows end before
    source = sources.CsvRow(file)
    rows = csv.reader(source, strict=True)
    while True:
        source.begin()
        row = next(rows, None)
        if row is None:
            return
        if row:
            yield row


def _added_cells(reason: Reason, record: Record | None) -> list[object]:
    """Return the values of the added columns."""
    found: list[object] = [reason.code is None, reason.code, reason.cause, reason.offset]
    if record is None:
        return found + [None] * len(COMPONENTS)
    authority, host = record.authority, record.host
    found += [record.scheme, None if authority is None else str(authority), record.userinfo]
    found += [None if host is None else host.text, record.port, record.path, record.query]
    return [*found, record.fragment, None if host is None else type(host).__name__]
