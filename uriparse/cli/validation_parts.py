"""Several tables: the files of directories and patterns, each judged into a part of its own."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from glob import glob, has_magic
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

from uriparse.cli.console import UnreadableFileError, UnwritableFileError
from uriparse.cli.processes import in_order
from uriparse.cli.validation_judging import Counts
from uriparse.cli.validation_sources import STANDARD, Form
from uriparse.cli.validation_tables import judge_table
from uriparse.cli.validation_written import TableTask

Pair: TypeAlias = tuple[str, str | None]
"""The names of a table and of its part."""

_PACKED = ".gz"
_ENDS: dict[Form, tuple[str, ...]] = {
    "parquet": (".parquet", ".pq"),
    "csv": (".csv", ".csv.gz"),
    "ndjson": (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz"),
}
"""The extensions of the files that are read from a directory."""


def files_of(names: Sequence[str], form: Form, out: str | None = None) -> list[Pair]:
    """Return all files of names, directories and patterns in their order, and their parts.

    In a directory, hidden files, those that begin with "_", and `out` are skipped.

    out: the directory for the parts, in the places that the files have; for a single file, its
        table; or standard output for one. Without it there are no parts.
    """
    found = [(one, place) for name in names for one, place in _found(name, form, out)]
    if out is None:
        return [(name, None) for name, _ in found]
    if out in STANDARD and len(found) == 1:
        return [(found[0][0], out)]
    if out in STANDARD:
        raise UnwritableFileError(f"{out}: one table is written there, not {len(found)}")
    is_plain = len(names) == 1 and [name for name, _ in found] == list(names)
    if is_plain and not (Path(out).is_dir() or out.endswith((os.sep, os.altsep or os.sep))):
        return [(found[0][0], out)]
    pairs: dict[str, str] = {}
    for name, place in found:
        part = str(Path(out, place)).removesuffix(_PACKED)
        if part in pairs:
            told = f"it would be written for {pairs[part]} and for {name}"
            raise UnwritableFileError(f"{part}: {told}; give --out another name for each")
        pairs[part] = name
        try:
            Path(part).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritableFileError(f"{Path(part).parent}: {error.strerror}") from None
    return [(name, part) for part, name in pairs.items()]


def _found(name: str, form: Form, out: str | None) -> Iterator[tuple[str, Path]]:
    """Yield the files of a name, and their places below its directory."""
    path, ends = Path(name), _ENDS[form]
    if path.is_dir():
        base = path
        ways: Iterable[Path] = path.rglob("*")
        nothing = f"there is no file in it that ends in {' or '.join(ends)}"
    elif name != "-" and has_magic(name) and not path.exists():
        base = Path(*takewhile(lambda part: not has_magic(part), path.parts))
        ways = map(Path, glob(name, recursive=True))  # noqa: PTH207 - a whole path, also absolute
        ends, nothing = ("",), "no file has such a name"
    else:
        yield name, Path("standard-input.csv" if name == "-" else path.name)
        return
    own = None if out is None else Path(out).resolve()
    is_empty = True
    for way in sorted(ways):
        place = way.relative_to(base)
        is_ours = own is not None and own != base.resolve() and own in way.resolve().parents
        is_hidden = any(part.startswith((".", "_")) for part in place.parts)
        if way.name.lower().endswith(ends) and way.is_file() and not (is_ours or is_hidden):
            is_empty = False
            yield str(way), place
    if is_empty:
        raise UnreadableFileError(name, nothing)


def judge_tables(
    pairs: Sequence[Pair],
    task: TableTask,
    jobs: int,
    *,
    show: Callable[[int, float | None], None],
    tell: Callable[[str], None],
) -> tuple[Counts, bool]:
    """Judge tables; return the counts, and whether all could be read and written.

    The batches of a single table are judged in several processes, or else whole tables.
    `show` is as for `judge_table`, of all tables; `tell` is told why a table is not done.
    """
    total, is_whole = Counts(), True
    sizes, read, size = [], 0, 0
    for name, _ in pairs:
        sizes.append(1)
        with suppress(OSError, ValueError):  # which reading it reports
            sizes[-1] += Path(name).stat().st_size

    def show_all(rows: int, share: float | None) -> None:
        share = None if share is None else (read + share * size) / sum(sizes)
        show(total.rows + rows, share)

    is_parallel = jobs > 1 and len(pairs) > 1
    if is_parallel:
        parts = in_order(partial(_judged, task=task), pairs, jobs)
    else:
        parts = (_judged(pair, task, show_all, jobs) for pair in pairs)
    for size in sizes:
        outcome = next(parts)
        read += size
        if isinstance(outcome, str):
            is_whole = False
            tell(outcome)
            continue
        total.add(outcome)
        if is_parallel:
            show(total.rows, read / sum(sizes))
    return total, is_whole


def _judged(
    pair: Pair,
    task: TableTask,
    show: Callable[[int, float | None], None] = lambda _rows, _share: None,
    jobs: int = 1,
) -> Counts | str:
    """Judge a table, or return why that fails."""
    name, part = pair
    try:
        return judge_table(name, part, task, show, jobs)
    except (UnreadableFileError, UnwritableFileError) as error:
        return str(error)
