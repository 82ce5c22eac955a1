"""Every function of columns in every engine, in one run: time for a row, and wrong rows.

The rows are generated URLs, nearly all distinct; one in twenty is corrupted and one in fifty null,
and the table is in chunks, of which some are slices. What is right is asked of the functions for
single texts. Times are processor times of all threads and processes, with one thread; of two rounds
the faster one, unless the first takes long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import uriparse
from uriparse import URIError, keys, parse, try_parse
from uriparse.arrow.functions import FUNCTIONS, arrow_type
from uriparse.arrow.reading import COLUMNS

from .columns import BASE, ENGINES
from .inputs import corrupted, real
from .timing import seconds, table

if TYPE_CHECKING:
    from uriparse.parsing import Record

    from .races import Tell

CORRUPTED, NULLS, LONG = 0.05, 0.02, 5.0
"""Shares of rows; seconds of a round after which there is no second one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One function of one engine: seconds of a row, and the rows on which Python differs."""

    engine: str
    function: str
    each: float
    differing: int


# What Python's functions make of one text.


def _of_record(function: Callable[[Record], object]) -> Callable[[str], object]:
    def single(text: str) -> object:
        record = try_parse(text)
        return None if record is None else function(record)

    return single


def _stop(text: str) -> int | None:
    try:
        parse(text, "URI")
    except uriparse.URISyntaxError as error:
        return error.offset
    return None


def _verdict(text: str) -> str | None:
    report = uriparse.validate(text)
    return None if report else report.reasons[0].code


def _split(record: Record) -> dict[str, str | None]:
    kind = None if record.host is None else type(record.host).__name__
    values = [getattr(record, name) for name in COLUMNS[:-1]]
    texts = [None if value is None else str(value) for value in values]
    return dict(zip(COLUMNS, [*texts, kind], strict=True))


def _domain(text: str) -> str | None:
    from uriparse.extra.publicsuffix import domain_parts

    parts = domain_parts(text)
    return None if parts is None else parts.registered_domain


def _host(record: Record) -> str | None:
    return None if record.host is None else str(record.host)


_untracked: Callable[[Any], Record] = keys.drop_tracking().apply
SINGLES: Mapping[str, Callable[[str], object]] = {
    "is_valid": uriparse.is_valid, "stop": _stop, "verdict": _verdict,
    "findings": lambda text: [one.code for one in uriparse.validate(text).findings],
    "split": _of_record(_split), "get": _of_record(_host), "host": _of_record(_host),
    "registered_domain": _domain,
    "query_value": _of_record(lambda record: record.query_value("q")),
    "normalize": lambda text: str(uriparse.normalize(text)),
    "resolve": lambda text: str(uriparse.resolve(BASE, text)),
    "equivalent": lambda text: uriparse.equivalent(text, BASE), "key": keys.key,
    "strip_query": _of_record(lambda record: str(_untracked(record))),
    "redact": lambda text: str(uriparse.redact(text)),
    "to_iri": lambda text: str(uriparse.uri_to_iri(text)),
    "to_uri": lambda text: str(uriparse.iri_to_uri(text)),
    "whatwg": lambda text: uriparse.whatwg.parse(text).href,
}  # fmt: skip


def _answers(name: str, where: str) -> None:
    """Write what Python's function makes of each text."""
    single = SINGLES[name]

    @cache
    def answer(text: str | None) -> object:
        try:
            return None if text is None else single(text)
        except URIError:
            return None

    texts = pq.read_table(f"{where}/rows")["url"].to_pylist()
    wanted = pa.array(map(answer, texts), arrow_type(FUNCTIONS[name].kind))
    pq.write_table(pa.table({"found": wanted}), f"{where}/{name}")


# What engines make of columns.


def _differing(found: pa.Table, wanted: pa.Array) -> int:
    """Count the rows that differ."""
    found = found.sort_by("n") if "n" in found.column_names else found
    values = [c for name, c in zip(found.column_names, found.columns, strict=True) if name != "n"]
    if len(values) == 1 and pa.types.is_struct(values[0].type):
        values = values[0].flatten()
    each = wanted.flatten() if pa.types.is_struct(wanted.type) else [wanted]
    parts = [_unequal(*pair) for pair in zip(values, each, strict=True)]
    whole = parts[0]
    for part in parts[1:]:
        whole = pc.or_(whole, part)
    return pc.sum(whole).as_py() or 0


def _unequal(found: pa.ChunkedArray, wanted: pa.Array) -> pa.ChunkedArray:
    found = found.cast(wanted.type)
    if pa.types.is_list(wanted.type):
        found, wanted = (pc.binary_join(one, " ") for one in (found, wanted))
    either = pc.xor(pc.is_null(found), pc.is_null(wanted))
    return pc.or_(either, pc.fill_null(pc.not_equal(found, wanted), fill_value=False))


def _measured(engine: str, functions: Sequence[str], where: str) -> Iterator[Cell]:
    import psutil

    own = psutil.Process()

    def spent() -> float:  # as in `columns`
        children = own.children(recursive=True)
        return process_time() + sum(sum(child.cpu_times()[:4]) for child in children)

    rows = pq.read_table(f"{where}/rows")
    cuts = [0, 1, len(rows) // 3, len(rows)]
    given = pa.concat_tables(rows[a:b] for a, b in pairwise(cuts))
    for name in functions:
        ENGINES[engine](rows[:1000], name, 1)()  # imports, tables
        run = ENGINES[engine](given, name, 1)
        times: list[float] = []
        while not times or (len(times) < 2 and times[0] < LONG):
            before = spent()
            found = run()
            times.append(spent() - before)
        wanted = pq.read_table(f"{where}/{name}")["found"].combine_chunks()
        yield Cell(engine, name, min(times) / len(rows), _differing(found, wanted))


def _cells(engine: str, functions: Sequence[str], where: str) -> list[Cell]:
    return [*_measured(engine, functions, where)]


def write(count: int, seed: int, where: str) -> None:
    """Write the rows."""
    random, urls = Random(f"{seed} engines"), list[str | None]()
    for _ in range(count):
        kind = random.random()
        text = real(random)
        urls.append(None if kind < NULLS else text)
        if kind > 1 - CORRUPTED:
            urls[-1] = corrupted(text, random)
    pq.write_table(pa.table({"n": range(count), "url": pa.array(urls)}), f"{where}/rows")


def measure(
    tell: Tell, *, rows: int, seed: int, engines: Sequence[str] = (), tasks: Sequence[str] = ()
) -> Iterator[Cell]:
    """Yield the cells of the table; engines that are not installed are left out."""
    names = tasks or [*FUNCTIONS]
    with TemporaryDirectory() as where:
        write(rows, seed, where)
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            for name, _ in zip(names, pool.map(_answers, names, [where] * len(names)), strict=True):
                tell(f"engines: Python's {name}")
        for engine in engines or ENGINES:
            tell(f"engines: {engine} ...")
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                try:
                    yield from pool.submit(_cells, engine, names, where).result()
                except ImportError as error:
                    tell(f"engines: not there: {engine} ({error})")


def render(cells: Sequence[Cell]) -> str:
    """One table: a line for a function, a column for an engine."""
    engines = [*dict.fromkeys(cell.engine for cell in cells)]
    known = {(cell.function, cell.engine): cell for cell in cells}
    body = []
    for name in dict.fromkeys(cell.function for cell in cells):
        own = [known[name, engine] for engine in engines]
        body.append([name, *(seconds(c.each) for c in own), str(sum(c.differing for c in own))])
    return table("engines, CPU a row", ["", *engines, "differing"], body)
