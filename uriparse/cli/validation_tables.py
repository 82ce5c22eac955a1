"""Tables: Parquet and CSV files read by column, judged, and written back with extra columns."""

import csv
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from uriparse import arrow
from uriparse.arrow.policies import reasons
from uriparse.cli.console import UnreadableFileError, opened
from uriparse.cli.validation_judging import told_of
from uriparse.cli.validation_sources import (
    LONGEST_LINE,
    Row,
    is_number,
    place_of,
)
from uriparse.errors import MissingPackageError
from uriparse.parsing.readers import reader, yields_records
from uriparse.validation import Policy, validate

# Tables that hold a column of texts: Parquet, or CSV, read by Arrow batch by batch.

ROWS = 1 << 15
"""Rows of a batch at most."""

OCTETS = 1 << 22
"""The memory of a batch by the file's own figures, or else what is read of CSV at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is being read.

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
        raise MissingPackageError("pyarrow", "uriparse validate --out with Parquet") from None


def _failures() -> tuple[type[Exception], ...]:
    """Return what reading and writing raises, with pyarrow or without it."""
    try:
        return OSError, pyarrow_module().ArrowException
    except MissingPackageError:
        return OSError, UnicodeError, csv.Error


@contextmanager
def table(name: str, column: str, *, is_parquet: bool) -> Iterator[Table]:
    """Open a table by the name of its file, "-" for CSV on standard input.

    column: the texts, by the column's name, or its number from 1 in Parquet; the first row of CSV
        is that of the names.

    UnreadableFileError for a file that is not such a table, breaks off, or has no such column of
    texts; MissingFileError if it is not there.
    """
    with _parquet(name, column) if is_parquet else _csv(name, column) as found:
        yield found


@contextmanager
def _held_to(name: str, form: str) -> Iterator[None]:
    """Say of which file it is that reading fails."""
    try:
        yield
    except _failures() as error:
        if getattr(error, "errno", None) is not None:  # not about what is in the file
            raise
        told = f"no {form} that can be read: {first_line(error)}"
        raise UnreadableFileError(name, told) from None


@contextmanager
def _parquet(name: str, column: str) -> Iterator[Table]:
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
        place = _numbered(column, schema.names)
        place = _place(schema, column, name) if place is None else _of_texts(schema, place, name)
        yield Table(
            name,
            schema,
            place,
            facts.num_rows,
            file.iter_batches(batch_size=rows, use_threads=False),
        )


@contextmanager
def _csv(name: str, column: str) -> Iterator[Table]:
    """Read CSV; all columns are texts, since a guess would change how they are written."""
    pyarrow, arrow_csv = pyarrow_module(), pyarrow_module("csv")
    with opened(name) as file, _held_to(name, "CSV in UTF-8"):
        source = io.BufferedReader(file, LONGEST_LINE)
        head = source.peek().decode("utf-8-sig", "replace")
        names = next(csv.reader(head.splitlines(keepends=True)), [])
        with arrow_csv.open_csv(
            source,
            read_options=arrow_csv.ReadOptions(block_size=OCTETS),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        ) as batches:
            place = _place(batches.schema, column, name, _hint(column))
            yield Table(name, batches.schema, place, None, batches)


def _hint(column: str) -> str:
    known = "the first row has the names, and numbers go without --out"
    return known if is_number(column) else ""


def _numbered(column: str, names: list[str]) -> int | None:
    """Return the place that a number from 1 means; None for a name."""
    if column in names or not is_number(column) or not 0 < int(column[:9]) <= len(names):
        return None
    return int(column) - 1


def _place(schema: Any, column: str, name: str, hint: str = "") -> int:
    """Find the column of texts by its name."""
    return _of_texts(schema, place_of(column, schema.names, name, hint=hint), name)


def _of_texts(schema: Any, place: int, name: str) -> int:
    """Return a place again; UnreadableFileError if the column there holds no texts."""
    types = pyarrow_module("types")
    kind = schema.field(place).type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    known = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    if not any(getattr(types, f"is_{one}")(kind) for one in known):  # octets are read as UTF-8
        raise UnreadableFileError(name, f"column {schema.names[place]} holds {kind}, and no texts")
    return place


def first_line(error: BaseException) -> str:
    """Return what an error of pyarrow says first; the rest is about its own code."""
    return str(error).strip().partition("\n")[0].rstrip(".")


# A table that is written, complete or not at all.


class UnwritableFileError(Exception):
    """A file that cannot be written, by its name and why."""


@contextmanager
def written(
    name: str, schema: Any, *, force: bool = False, read: str | None = None
) -> Iterator[Callable[[Any], None]]:
    """Return what writes batches to a table: CSV by a name that ends so, else Parquet.

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
    if _is_csv(path):
        return pyarrow_module("csv").CSVWriter(file, schema)
    return pyarrow_module("parquet").ParquetWriter(file, schema)


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


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
    except _failures() as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UnwritableFileError(f"{name}: {reason}") from None


# What is said of a column of texts: columns for verdict, code, cause, offset and components.

VERDICT = ("accepted", "code", "cause", "offset")
COMPONENTS = (
    *("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "host_kind"),
)


@dataclass(slots=True)
class Counts:
    """How many texts were accepted, and refused."""

    accepted: int = 0
    refused: int = 0


class Adder(Counts):
    """Makes the columns, by a policy."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy
        self._pyarrow = pyarrow_module()

    def fields(self, column: str) -> list[Any]:
        """Give names and types of the columns, for one of a name."""
        kinds = {"accepted": self._pyarrow.bool_(), "offset": self._pyarrow.int64()}
        return [
            self._pyarrow.field(f"{column}_{name}", kinds.get(name, self._pyarrow.string()))
            for name in (*VERDICT, *COMPONENTS)
        ]

    def columns(self, texts: Any) -> list[Any]:
        """Judge and split texts: an array for each field, null throughout for null."""
        string, compute = self._pyarrow.string(), pyarrow_module("compute")
        with warnings.catch_warnings():  # that there is no kernel is not news to a command
            warnings.simplefilter("ignore", RuntimeWarning)
            code, cause, offset = self._pyarrow.array(reasons(texts, self._policy)).flatten()
            parts = self._split(texts)
        accepted = compute.if_else(texts.is_valid(), code.is_null(), None)
        self.accepted += accepted.true_count
        self.refused += accepted.false_count
        return [accepted, code.cast(string), cause.cast(string), offset, *parts]

    def _split(self, texts: Any) -> list[Any]:
        """Return the components of texts."""
        rule, grammar = self._policy.start, self._policy.grammar
        string = self._pyarrow.string()
        if not yields_records(rule, grammar):
            return [self._pyarrow.nulls(len(texts), string)] * len(COMPONENTS)
        parts = self._pyarrow.array(arrow.split(texts, rule, grammar=grammar))
        return [part.cast(string) for part in parts.flatten()]


# A table in, and out again with what is said of one of its columns.


def judge_table(
    name: str,
    column: str,
    out: str,
    policy: Policy,
    show: Callable[[int, int | None], None],
    *,
    is_parquet: bool,
    force: bool = False,
) -> Counts:
    """Judge a column of a table, and write the table with columns more.

    force: whether a file that is there is replaced.
    show: is told how many rows are done, and how many there are, None where that is not known.

    UnreadableFileError and UnwritableFileError, by the names of the files.
    """
    if not is_parquet and _is_csv(Path(out)) and find_spec("pyarrow") is None:
        return _judge_csv(name, column, out, policy, show, force=force)
    pyarrow = pyarrow_module()
    adder = Adder(policy)
    with table(name, column, is_parquet=is_parquet) as source:
        added = adder.fields(source.schema.names[source.place])
        _refuse_twice(name, source.schema.names, [field.name for field in added])
        schema = pyarrow.schema([*source.schema, *added], metadata=source.schema.metadata)
        done = 0
        with written(out, schema, force=force, read=name) as write:
            for batch in _batches(source):
                columns = [*batch.columns, *adder.columns(batch.column(source.place))]
                write(pyarrow.RecordBatch.from_arrays(columns, schema=schema))
                done += len(batch)
                show(done, source.rows)
    return adder


def _refuse_twice(name: str, names: Sequence[str], added: Sequence[str]) -> None:
    twice = [one for one in added if one in names]
    if twice:
        told = f"{name}: it has a column {twice[0]}, which is one that would be added"
        raise UnwritableFileError(f"{told}; rename it")


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


# CSV to CSV without pyarrow, row by row; what is written is the same.

_SHOWN = 1000
"""Rows between two looks at the progress."""


def _judge_csv(
    name: str,
    column: str,
    out: str,
    policy: Policy,
    show: Callable[[int, int | None], None],
    *,
    force: bool,
) -> Counts:
    from abnf2lark.outputs import Outputs

    counts = Counts()
    with (
        opened(name) as file,
        _held_to(name, "CSV in UTF-8"),
        Outputs(force=force, read=[name]) as files,
    ):
        rows = _rows(file)
        names = next(rows, None)
        if names is None:
            raise csv.Error("Empty CSV file")
        place = place_of(column, names, name, hint=_hint(column))
        added = [f"{column}_{one}" for one in (*VERDICT, *COMPONENTS)]
        _refuse_twice(name, names, added)
        with _told(out):
            target = files.binary(out)
            target.write(_csv_row([*names, *added]))
        say = _sayer(policy)
        for number, row in enumerate(rows, 1):
            if len(row) != len(names):
                raise csv.Error(f"row {number}: expected {len(names)} columns, got {len(row)}")
            said = say(row[place])
            octets = _csv_row([*row, *said])
            with _told(out):
                target.write(octets)
            counts.accepted += said[0] is True
            counts.refused += said[0] is False
            if number % _SHOWN == 0:
                show(number, None)
        with _told(out):
            files.finish()
    return counts


def _rows(file: io.BufferedIOBase) -> Iterator[list[str]]:
    """Yield the rows that are not blank."""
    csv.field_size_limit(2 * LONGEST_LINE)  # rows end before
    source = Row(file)
    rows = csv.reader(source, strict=True)
    while True:
        source.begin()
        row = next(rows, None)
        if row is None:
            return
        if row:
            yield row


def _sayer(policy: Policy) -> Callable[[str], list[object]]:
    """Return what judges and splits a text: a value for each column that is added."""
    rule, grammar = policy.start, policy.grammar
    read = reader(rule, grammar) if yields_records(rule, grammar) else lambda _: None
    is_plain = policy == Policy.syntax().replace(grammar=grammar)
    surely = policy.fast_accept

    def said(text: str) -> list[object]:
        record = read(text)
        if record is not None and (is_plain or surely(text)):
            found: list[object] = [True, None, None, None]
        else:
            verdict = told_of(0, validate(text, policy), text)
            found = [verdict.accepted, verdict.code, verdict.cause, verdict.offset]
        if record is None:
            return found + [None] * len(COMPONENTS)
        authority, host = record.authority, record.host
        found += [record.scheme, None if authority is None else str(authority), record.userinfo]
        found += [None if host is None else host.text, record.port, record.path, record.query]
        return [*found, record.fragment, None if host is None else type(host).__name__]

    return said


def _csv_row(values: Sequence[object]) -> bytes:
    """Write a row as pyarrow does: all texts in quotes, null as nothing."""
    cells = []
    for value in values:
        if isinstance(value, str):
            quoted = value.replace('"', '""')
            cells.append(f'"{quoted}"')
        else:
            cells.append("" if value is None else str(value).lower())
    try:
        return f"{','.join(cells)}\n".encode()
    except UnicodeEncodeError:
        raise csv.Error("a row is not in UTF-8") from None
