"""Tables that are written: complete or not at all, with what each of them belongs to."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from uriparse.cli.console import UnwritableFileError, opened, standard_output
from uriparse.cli.validation_sources import FORMULA, STANDARD, Form, safe_cell
from uriparse.errors import MissingPackageError
from uriparse.validation import Policy

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from abnf2lark.outputs import Outputs


def pyarrow_module(name: str = "") -> Any:
    """Load pyarrow, or a module of it; MissingPackageError where it is not installed."""
    try:
        whole = import_module("pyarrow")
        return import_module(f"pyarrow.{name}") if name else whole
    except ImportError:
        raise MissingPackageError("pyarrow", "uriparse validate --out with Parquet") from None


def failures() -> tuple[type[Exception], ...]:
    """Return what reading and writing raises, with pyarrow or without it."""
    try:
        return OSError, UnicodeError, pyarrow_module().ArrowException
    except MissingPackageError:
        return OSError, UnicodeError, csv.Error


def first_line(error: BaseException) -> str:
    """Return the first line of an error of pyarrow; the rest is about its own code."""
    return str(error).strip().partition("\n")[0].rstrip(".")


def is_csv(name: str | None) -> bool:
    """Return whether a table is CSV by its name, unless it is NDJSON."""
    return name is not None and (name.lower().endswith(".csv") or name in STANDARD)


# A table that is written, complete or not at all.


@dataclass(frozen=True, slots=True)
class TableTask:
    """What is done to each table.

    column: the name of its column of texts, or its number from 1 in Parquet, or a field of NDJSON.
    facts: what the verdicts depend on, besides the input.
    resume: whether a complete table that is there is kept, and counted.
    is_safe: whether cells of CSV that a spreadsheet would compute are quoted.
    counts: whether codes and hosts are counted.
    is_marked: whether what a table belongs to is kept with it, for `resume`.
    """

    column: str
    form: Form
    policy: Policy
    facts: Mapping[str, object] = field(default_factory=dict)
    force: bool = False
    resume: bool = False
    is_safe: bool = False
    counts: bool = False
    is_marked: bool = True


class _StandardOutput(io.RawIOBase):
    """Standard output as a file of octets that the gate writes."""

    def __init__(self) -> None:
        self._gate = standard_output()
        self._gate.exact()

    def writable(self) -> bool:
        return True

    def write(self, octets: "ReadableBuffer") -> int:
        data = bytes(octets)
        self._gate.write(data.decode("utf-8", "surrogateescape"))
        self._gate.flush()
        return len(data)


def begun(files: "Outputs", name: str) -> BinaryIO:
    """Begin a table: a file, or standard output."""
    return cast("BinaryIO", _StandardOutput()) if name in STANDARD else files.binary(name)


@contextmanager
def written(
    name: str, schema: Any, read: str | None, task: TableTask, mark: str | None, **options: Any
) -> Iterator[Callable[[Any], None]]:
    """Return a function that writes batches: as NDJSON, as CSV to a name in .csv, else Parquet.

    schema: Arrow's; or the names of CSV, whose rows are given as octets.
    read: the name of the table that is read.
    mark: what `--resume` compares; in Parquet itself, or in a file beside the table.
    options: of the writer of Parquet.

    UnwritableFileError for what cannot be written, is read, or is there already. After a failure or
    a signal nothing is left.
    """
    from abnf2lark.outputs import Outputs

    quotes = task.is_safe and task.form != "ndjson" and is_csv(name)

    def write(batch: Any) -> None:
        with told_of_file(name):
            if isinstance(batch, bytes):
                file.write(batch)
                return
            table = pyarrow_module().Table.from_batches([batch])  # or Parquet waits for more rows
            writer.write_table(_safe_table(table) if quotes else table)

    with Outputs(force=task.force, read=[read]) as files:
        with told_of_file(name):
            file = begun(files, name)
            writer: Any = None
            if isinstance(schema, list):
                file.write(csv_row(schema, task))
            elif task.form == "ndjson":
                writer = _LineWriter(file, schema)
            elif is_csv(name):
                made = _safe_table(schema.empty_table()).schema if quotes else schema
                writer = pyarrow_module("csv").CSVWriter(file, made)
            else:
                if mark is not None:
                    schema = schema.with_metadata({**(schema.metadata or {}), _MARK: mark})
                writer = pyarrow_module("parquet").ParquetWriter(file, schema, **options)
            begin_mark(files, name, mark, task.form)
        try:
            yield write
        finally:
            if writer is not None:
                with told_of_file(name):
                    _close(writer)
        with told_of_file(name):
            files.finish()


def csv_row(values: Sequence[object], task: TableTask) -> bytes:
    """Return a row as pyarrow writes it: texts quoted, null empty."""
    cells = []
    for value in map(safe_cell, values) if task.is_safe else values:
        if isinstance(value, str):
            quoted = value.replace('"', '""')
            cells.append(f'"{quoted}"')
        else:
            cells.append("" if value is None else str(value).lower())
    try:
        return f"{','.join(cells)}\n".encode()
    except UnicodeEncodeError:
        raise csv.Error("a row is not in UTF-8") from None


def _safe_table(table: Any) -> Any:
    """Return a table whose texts and names are as `safe_cell` makes cells."""
    types, compute = pyarrow_module("types"), pyarrow_module("compute")
    columns = []
    for column in table.columns:
        if types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)  # noqa: PLW2901 - the same texts
        if types.is_string(column.type) or types.is_large_string(column.type):
            column = compute.replace_substring_regex(column, FORMULA, r"'\1")  # noqa: PLW2901 - as above
        columns.append(column)
    return pyarrow_module().table(columns, [str(safe_cell(name)) for name in table.column_names])


# The mark of a table: the policy, arguments, version and input that it was made from.

_MARK = b"uriparse"
"""The key in the metadata of Parquet."""


def mark_of(name: str, facts: Mapping[str, object]) -> str | None:
    """Return the mark of a table; None for a pipe."""
    if name == "-":
        return None
    with opened(name, unpacked=False) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return json.dumps({**facts, "input": digest})


def _beside(out: str) -> Path:
    """Return the path of the mark of a table without metadata; hidden, so no directory reads it."""
    return Path(out).parent / f".{Path(out).name}.uriparse"


def begin_mark(files: "Outputs", out: str, mark: str | None, form: Form) -> None:
    """Begin the file of a mark; it is renamed into place after the table, so it is never wrong."""
    if out not in STANDARD and (form == "ndjson" or is_csv(out)):
        _beside(out).unlink(missing_ok=True)
        if mark is not None:
            files.text(str(_beside(out))).write(mark)


def differences(out: str, mark: str | None, form: Form) -> str | None:
    """Return how a complete table differs from what is asked; None if equal."""
    if mark is None:
        return "standard input cannot be compared with what it was made of"
    if form == "ndjson" or is_csv(out):
        found = _beside(out).read_text("utf-8") if _beside(out).is_file() else "{}"
    else:
        found = (pyarrow_module("parquet").read_schema(out).metadata or {}).get(_MARK, b"{}")
    before, now = json.loads(found), json.loads(mark)
    if not before:
        return "nothing says what it was made of"
    others = [one for one in now if before.get(one) != now[one]]
    return f"it was made by another {' and '.join(others)}" if others else None


class _LineWriter:
    """Writes NDJSON: each line as it was read, with more members."""

    def __init__(self, file: BinaryIO, schema: Any) -> None:
        self._file = file
        names = [f"{json.dumps(name)}: " for name in schema.names[2:]]
        self._names = [names[0], *(f", {name}" for name in names[1:])]

    def write_table(self, table: Any) -> None:
        """Write rows: lines without their last "}", the texts, and a column for each member."""
        begins, _, *columns = table.columns
        parts, binary = [begins], pyarrow_module().binary()
        for name, column in zip(self._names, columns, strict=True):
            parts += [name.encode(), _as_json(column).cast(binary)]
        joined = pyarrow_module("compute").binary_join_element_wise(*parts, b"}\n", b"")
        self._file.write(b"".join(joined.to_pylist()))

    def close(self) -> None:
        """Leave the file to whoever began it."""


def _close(writer: Any) -> None:
    try:
        writer.close()
    finally:
        if hasattr(writer, "is_open"):  # what could not be closed would try, and complain, later
            writer.is_open = False


def _as_json(column: Any) -> Any:
    """Return the values of a column of bool, int64 or string as JSON, in ASCII."""
    pyarrow, compute = pyarrow_module(), pyarrow_module("compute")
    if column.type != pyarrow.string():
        return compute.fill_null(column.cast(pyarrow.string()), "null")
    if compute.any(compute.match_substring_regex(column, _ESCAPED)).as_py():
        return pyarrow.chunked_array([[json.dumps(value) for value in column.to_pylist()]])
    return compute.fill_null(compute.binary_join_element_wise('"', column, '"', ""), "null")


_ESCAPED = r"[^ !#-\[\]-~]"
"""What JSON in ASCII escapes, and DEL."""


@contextmanager
def told_of_file(name: str) -> Iterator[None]:
    """Name the file in errors of writing."""
    try:
        yield
    except BrokenPipeError:
        raise
    except failures() as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UnwritableFileError(f"{name}: {reason}") from None
