"""Texts to judge, from lines, NDJSON or CSV, plain or gzipped: in chunks, one text a record."""

import csv
import json
from collections.abc import Collection, Iterator, Sequence
from io import BufferedIOBase
from typing import Literal, NamedTuple, TypeAlias, TypeGuard, cast

from uriparse.cli.console import BLOCK, LONGEST_LINE, TOO_LONG, UnreadableFileError
from uriparse.cli.console import lines as read_lines
from uriparse.cli.help_text import did_you_mean

UNREADABLE = {
    "unreadable": "the line, row or object holds no text to judge, or is too long to be read"
}
"""The code of records that are refused unread, and what it says."""

MOST = 4000
"""Records in a chunk at most, since what is said of one may be far longer than it is."""

_FEW = 20
"""How many columns a message about a missing one lists."""

Form: TypeAlias = Literal["parquet", "csv", "ndjson"]
"""Of a file that holds a table."""

STANDARD = ("-", "/dev/stdout")
"""The names of standard output, to which a table is written in CSV or NDJSON."""


class Unreadable(NamedTuple):
    """A record without a text to judge, why, and whether only its beginning was kept."""

    text: str
    reason: str
    is_cut: bool = False


Item: TypeAlias = str | Unreadable


def lines(
    file: BufferedIOBase, *, nul_ends: bool = False, keeps_cr: bool = False
) -> Iterator[list[Item]]:
    """Return the lines of a file in chunks; see `uriparse.cli.console.lines`."""
    for texts, is_cut in read_lines(file, nul_ends=nul_ends, keeps_cr=keeps_cr):
        if is_cut:
            yield [Unreadable(text, TOO_LONG, is_cut=True) for text in texts]
            continue
        for first in range(0, len(texts), MOST):
            yield cast("list[Item]", texts[first : first + MOST])


def ndjson(file: BufferedIOBase, field: str) -> Iterator[list[Item]]:
    """Return a field of each line's JSON object; see `_found`."""
    for chunk in lines(file):
        yield [_field_of(item, field) for item in chunk]


def _field_of(item: Item, field: str) -> Item:
    if isinstance(item, Unreadable):
        return item
    try:
        value = _loaded(item)
    except (ValueError, RecursionError):
        return Unreadable(item, "the line is not JSON")
    if (found := _found(value, field)) is _MISSING:
        return Unreadable(item, f"the object has no field {field}")
    return found if _is_text(found) else Unreadable(item, f"the field {field} is not a string")


_MISSING = object()


def _found(value: object, field: str) -> object:
    """Return the member of an object; without one, a "." in its name leads into nested objects."""
    for name in [field] if isinstance(value, dict) and field in value else field.split("."):
        if not isinstance(value, dict) or name not in value:
            return _MISSING
        value = value[name]
    return value


def _loaded(line: str) -> object:
    """Read a line of JSON; faster than `loads` if no spaces surround it."""
    try:
        value, end = _decode(line)
    except ValueError:
        end = -1
    return value if end == len(line) else json.loads(line)


_decode = json.JSONDecoder().raw_decode


def members(
    file: BufferedIOBase, field: str, taken: Collection[str], name: str
) -> Iterator[list[tuple[str, str | None]]]:
    """Return each line's JSON object, up to its last "}", and its field, None for null or none.

    UnreadableFileError for a line that is not such an object or has `taken` members, or if the
    field is not a string.
    """
    number = 0
    for chunk in lines(file):
        found = []
        for line in chunk:
            number += 1
            made = _member(line, field, taken)
            if isinstance(made, str):
                raise UnreadableFileError(name, f"line {number}: {made}")
            found.append(made)
        yield found


def _member(line: Item, field: str, taken: Collection[str]) -> tuple[str, str | None] | str:
    """Return an object up to its last "}" and its field, or what is wrong with it."""
    if isinstance(line, Unreadable):
        return line.reason
    try:
        whole = _loaded(line)
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, dict):
        return "it is not a JSON object"
    if not whole.keys().isdisjoint(taken):
        one = next(one for one in taken if one in whole)
        return f"the object has {one}, which is one that would be added; rename it"
    value = None if (found := _found(whole, field)) is _MISSING else found
    if value is not None and not _is_text(value):
        return f"the field {field} is not a string"
    return line.rstrip()[:-1] + (", " if whole else ""), value


def _is_text(value: object) -> TypeGuard[str]:
    """Return whether a value of JSON is a string without lone surrogates but those of octets."""
    if not isinstance(value, str):
        return False
    if value.isascii():
        return True
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def columns(file: BufferedIOBase, column: str, name: str) -> Iterator[list[Item]]:
    """Return a column of CSV, by name or number from 1; UnreadableFileError if it is not there."""
    csv.field_size_limit(2 * LONGEST_LINE)  # rows end before
    source = CsvRow(file)
    rows = csv.reader(source)
    place = _place(column, rows, name)
    chunk: list[Item] = []
    size = 0
    while True:
        source.begin()
        try:
            row = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            is_long = isinstance(error, _LongRowError)
            reason = str(error) if is_long else "the row is not CSV"
            chunk.append(Unreadable(source.text(), reason, is_long))
        else:
            if 0 <= place < len(row):
                chunk.append(row[place])
            else:
                chunk.append(Unreadable(source.text(), f"the row has no column {column}"))
        size += source.length
        if size > BLOCK or len(chunk) == MOST:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


_FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
"""What a cell begins with that a spreadsheet computes; also wide forms, and what it passes over."""

FORMULA = f"\\A([{_FORMULA.replace('-', '')}-])"
"""The same as an expression of RE2."""


def safe_cell(value: object) -> object:
    """Return a cell with an apostrophe before it if a spreadsheet would compute it.

    >>> safe_cell("=1+1"), safe_cell("http://h/"), safe_cell(-1)
    ("'=1+1", 'http://h/', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith((*_FORMULA,)) else value


def _place(column: str, rows: Iterator[list[str]], name: str) -> int:
    """Return the index of a column; one given by number may not exist."""
    if is_number(column):
        return int(column[:9]) - 1
    try:
        header = next(rows, [])
    except csv.Error:
        header = []
    return place_of(column, header, name)


def is_number(column: str) -> bool:
    """Return whether a column is given by its number."""
    return column.isascii() and column.isdigit()


def place_of(column: str, known: Sequence[str], name: str, *, hint: str = "") -> int:
    """Find a column by its name; UnreadableFileError, with a hint, if none or several have it."""
    if known.count(column) > 1:
        raise UnreadableFileError(name, f"there are {known.count(column)} columns {column}")
    if column in known:
        return known.index(column)
    listed = ", ".join(known[:_FEW]) + (", …" if len(known) > _FEW else "")
    told = f"there is no column {column}; there are: {listed or 'none'}"
    if len(known) == 1 and column in known[0]:
        hint = "a comma parts columns, and nothing else does"
    hint = hint or did_you_mean(column, known) or ""
    raise UnreadableFileError(name, f"{told}; {hint}" if hint else told)


class _LongRowError(csv.Error):
    """A row of which more than `LONGEST_LINE` has been read without an end."""


class CsvRow:
    """The lines of a file, for a reader of CSV, and those of the row that it is at."""

    def __init__(self, file: BufferedIOBase) -> None:
        chunks = lines(file, keeps_cr=True)
        self._rest = (line for chunk in chunks for line in chunk)
        self._row: list[str] = []
        self.length = 0

    def begin(self) -> None:
        """Begin a row."""
        self._row = []
        self.length = 0

    def text(self) -> str:
        """Return the row as it was read, without its line end."""
        return "".join(self._row)[:LONGEST_LINE].removesuffix("\n").removesuffix("\r")

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._rest)
        text = f"{line.text if isinstance(line, Unreadable) else line}\n"
        self._row.append(text)
        self.length += len(text)
        if self.length > LONGEST_LINE:
            raise _LongRowError(f"a row of more than {LONGEST_LINE} octets is not read")
        return text
