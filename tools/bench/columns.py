"""Functions of columns in every engine, in one run: what a row takes, and rows that are wrong.

Each function of an engine has its own process. Measured are processor time (of all threads and
child processes) and wall time, of the fastest round, and the peak of memory, which includes the
rows and the result. What is right is asked of Python's functions for single texts. The table is in
chunks, some of them slices. The engine's own regular expression is `uriparse.expressions.pattern`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise, product
from multiprocessing import get_context
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import uriparse
from uriparse import URIError, keys, parse, try_parse
from uriparse.arrow.functions import FUNCTIONS, Call, arrow_type
from uriparse.arrow.reading import COLUMNS
from uriparse.grammar.expressions import pattern

from .inputs import corrupted, real
from .timing import seconds, table

if TYPE_CHECKING:
    from uriparse.parsing import Record

    from .races import Tell

Run: TypeAlias = "Callable[[], pa.Table]"
REGEX = "its regex"
BASE = "http://a.example/b/c?d"
NEEDED = {"get": ("host",), "query_value": ("q",), "resolve": (BASE,), "equivalent": (BASE,)}
"""What functions need beside a column."""

CHUNK, ROUNDS, LONG = 50_000, 3, 5.0
"""Rows, rounds, and seconds of a round after which there is no other one."""


def _called(owner: object, task: str) -> Any:
    return getattr(owner, task)(*NEEDED.get(task, ()))


def _sql(task: str) -> str:
    """Write the question in SQL."""
    given = ["url", *(f"'{one}'" for one in NEEDED.get(task, ()))]
    given = given[::-1] if task == "resolve" else given
    return f"SELECT n, uri_{task}({', '.join(given)}) AS found FROM urls"


@dataclass(frozen=True, slots=True)
class Row:
    """One function of one engine.

    Attributes:
        each, wall: seconds of processor time for a row, and of the clock for all.
        megabytes: the peak of memory.
        differing: the rows on which Python differs.

    """

    engine: str
    task: str
    threads: int
    each: float
    wall: float
    megabytes: float
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


def _split(record: Record) -> dict[str, str | None]:
    kind = None if record.host is None else type(record.host).__name__
    values = [getattr(record, name) for name in COLUMNS[:-1]]
    texts = [None if value is None else str(value) for value in values]
    return dict(zip(COLUMNS, [*texts, kind], strict=True))


def _host(record: Record) -> str | None:
    return None if record.host is None else str(record.host)


_domains = partial(resolve_name, "uriparse.extra.publicsuffix:domain_parts")
_untracked: Callable[[Any], Record] = keys.drop_tracking().apply
SINGLES: Mapping[str, Callable[[str], object]] = {
    "is_valid": uriparse.is_valid, "stop": _stop,
    "verdict": lambda text: next((one.code for one in uriparse.validate(text).reasons), None),
    "findings": lambda text: [one.code for one in uriparse.validate(text).findings],
    "split": _of_record(_split), "get": _of_record(_host), "host": _of_record(_host),
    "registered_domain": lambda text: getattr(_domains()(text), "registered_domain", None),
    "query_value": _of_record(lambda record: record.query_value("q")),
    "normalize": lambda text: str(uriparse.normalize(text)),
    "resolve": lambda text: str(uriparse.resolve(BASE, text)),
    "equivalent": lambda text: uriparse.equivalent(text, BASE), "key": keys.key,
    "strip_query": _of_record(lambda record: str(_untracked(record))),
    "redact": lambda text: str(uriparse.redact(text)),
    "to_iri": lambda text: str(uriparse.uri_to_iri(text)),
    "to_uri": lambda text: str(uriparse.iri_to_uri(text)),
    "whatwg": lambda text: uriparse.whatwg.parse(text).href, REGEX: uriparse.is_valid,
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
    kind = pa.bool_() if name == REGEX else arrow_type(FUNCTIONS[name].kind)
    pq.write_table(pa.table({"found": pa.array(map(answer, texts), kind)}), f"{where}/{name}")


# What engines make of columns.


def _arrow(rows: pa.Table, task: str, threads: int) -> Run:
    function: Callable[[pa.Array], pa.Array]
    if task == REGEX:
        function = partial(pc.match_substring_regex, pattern=pattern("URI", flavour="re2"))
    else:
        known = FUNCTIONS[task]
        names = [name for name in known.needed if name != known.first]
        options = dict(zip(names, NEEDED.get(task, ()), strict=True))
        function = Call(task, (known.first,), options)
    given = [batch.column("url") for batch in rows.to_batches(CHUNK)]

    def run() -> pa.Table:
        with ThreadPoolExecutor(threads) as pool:
            made = [*pool.map(lambda chunk: pa.array(function(chunk)), given)]
        return pa.table({"n": rows["n"], "found": pa.chunked_array(made)})

    return run


def _pandas(rows: pa.Table, task: str, threads: int) -> Run:
    import pandas as pd

    from uriparse.extra.pandas import URIAccessor

    del threads  # it has one
    series = rows["url"].to_pandas(types_mapper=pd.ArrowDtype)

    def run() -> pa.Table:
        found = _called(URIAccessor(series), task)
        is_frame = isinstance(found, pd.DataFrame)
        return pa.Table.from_pandas(found if is_frame else found.to_frame(), preserve_index=False)

    return run


def _polars(rows: pa.Table, task: str, threads: int) -> Run:
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as pl

    from uriparse.extra.polars import URIExpr

    url = pl.col("url")
    regex = pattern("URI", flavour="rust")
    made = url.str.contains(regex) if task == REGEX else _called(URIExpr(url), task)
    frame = pl.LazyFrame(rows).select("n", made.alias("found"))
    return lambda: frame.collect(engine="streaming").to_arrow()


def _duckdb(rows: pa.Table, task: str, threads: int) -> Run:
    import duckdb

    from uriparse.extra.duckdb import register

    connection = register(duckdb.connect(config={"threads": threads}))
    connection.execute("SET enable_progress_bar = false")  # it goes to standard output
    connection.register("given", rows).execute("CREATE TABLE urls AS SELECT * FROM given")
    expression = pattern("URI", flavour="re2").replace("'", "''")
    regex = f"SELECT n, regexp_matches(url, '{expression}') AS found FROM urls"
    return lambda: connection.sql(regex if task == REGEX else _sql(task)).to_arrow_table()


def _datafusion(rows: pa.Table, task: str, threads: int) -> Run:
    from datafusion import SessionConfig, SessionContext

    from uriparse.extra.datafusion import register

    context = SessionContext(SessionConfig().with_target_partitions(threads))
    batches = rows.to_batches()
    context.register_record_batches("urls", [batches[at::threads] for at in range(threads)])
    return lambda: register(context).sql(_sql(task)).to_arrow_table()


@cache
def _set_runner(threads: int) -> None:
    import daft

    daft.set_runner_native(num_threads=threads)


def _daft(rows: pa.Table, task: str, threads: int) -> Run:
    import daft

    from uriparse.extra.daft import uri

    _set_runner(threads)
    made = _called(uri(daft.col("url")), task).alias("found")
    return daft.from_arrow(rows).select("n", made).to_arrow


def _spark(rows: pa.Table, task: str, threads: int) -> Run:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col

    from uriparse.extra.spark import uri

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    options = "log.level=OFF ui.enabled=false driver.memory=6g driver.maxResultSize=0"
    builder = SparkSession.builder.master(f"local[{threads}]")
    for option in f"{options} ui.showConsoleProgress=false".split():
        name, _, value = option.partition("=")
        builder = builder.config(f"spark.{name}", value)
    # Of a table it makes a hundred parts, each of which would pay for a task.
    frame = builder.getOrCreate().createDataFrame(rows).coalesce(threads)
    regex = pattern("URI", flavour="java")
    found = col("url").rlike(regex) if task == REGEX else _called(uri("url"), task)
    return lambda: frame.select("n", found.alias("found")).toArrow()


ENGINES: Mapping[str, Callable[[pa.Table, str, int], Run]] = {
    "Arrow": _arrow, "pandas": _pandas, "Polars": _polars, "DuckDB": _duckdb,
    "DataFusion": _datafusion, "Daft": _daft, "Spark": _spark,
}  # fmt: skip

WITH_REGEX = frozenset({"Arrow", "Polars", "DuckDB", "Spark"})


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


def measured(engine: str, task: str, threads: int, where: str) -> Row:
    """Run a task on some rows to get ready, then some rounds, in a process of its own."""
    import psutil

    own = psutil.Process()

    def spent() -> float:  # psutil has hundredths of seconds, which are too long for our own
        children = own.children(recursive=True)
        return process_time() + sum(sum(child.cpu_times()[:4]) for child in children)

    rows = pq.read_table(f"{where}/rows")
    cuts = [0, 1, len(rows) // 3, len(rows)]
    given = pa.concat_tables(rows[a:b] for a, b in pairwise(cuts))
    ENGINES[engine](rows[:1000], task, threads)()  # imports, tables
    run = ENGINES[engine](given, task, threads)
    times: list[tuple[float, float]] = []
    while not times or (len(times) < ROUNDS and times[0][0] < LONG):
        before, start = spent(), perf_counter()
        found = run()
        times.append((spent() - before, perf_counter() - start))
    octets = sum(_peak(process.pid) for process in [own, *own.children(recursive=True)])
    used, wall = map(min, zip(*times, strict=True))
    wanted = pq.read_table(f"{where}/{task}")["found"].combine_chunks()
    each, differing = used / len(rows), _differing(found, wanted)
    return Row(engine, task, threads, each, wall, octets / 1e6, differing)


def _peak(process: int) -> int:
    """Return the most memory that a process has had, in octets (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").split("\n")
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)


def generated(count: int, seed: int) -> Iterator[str | None]:
    """Make URLs, nearly all distinct: one in twenty is corrupted, and one in fifty null."""
    random = Random(f"{seed} engines")
    for _ in range(count):
        kind, text = random.random(), real(random)
        yield None if kind < 0.02 else corrupted(text, random) if kind > 0.95 else text


def measure(
    texts: Iterable[str | None],
    tell: Tell,
    *,
    engines: Sequence[str] = (),
    tasks: Sequence[str] = (),
    threads: Sequence[int] = (1,),
) -> Iterator[Row]:
    """Yield what each task of each engine takes; engines that are not installed are left out."""
    names = tasks or [*FUNCTIONS, REGEX]
    with TemporaryDirectory() as where:
        urls = pa.array(texts, pa.string())
        rows = pa.table({"n": range(len(urls)), "url": urls})
        pq.write_table(rows, f"{where}/rows", use_dictionary=False, row_group_size=CHUNK)
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            for name, _ in zip(names, pool.map(_answers, names, [where] * len(names)), strict=True):
                tell(f"columns: Python's {name}")
        for engine, task, count in product(engines or ENGINES, names, threads):
            if task == REGEX and engine not in WITH_REGEX:
                continue
            tell(f"columns: {engine}: {task} ...")
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                try:
                    yield pool.submit(measured, engine, task, count, where).result()
                except ImportError as error:
                    tell(f"columns: not there: {engine} ({error})")


def render(rows: Sequence[Row]) -> str:
    """One line for a function, threads and what is measured, and a column for an engine."""
    engines = [*dict.fromkeys(row.engine for row in rows)]
    known = {(row.task, row.threads, row.engine): row for row in rows}
    shown: Mapping[str, Callable[[Row], str]] = {
        "CPU a row": lambda row: seconds(row.each), "wall": lambda row: seconds(row.wall),
        "peak MB": lambda row: f"{row.megabytes:.0f}", "differing": lambda row: str(row.differing),
    }  # fmt: skip
    lines = product(shown, dict.fromkeys((row.task, row.threads) for row in rows))
    body = [
        [task, str(count), what,
         *(shown[what](known[task, count, one]) if (task, count, one) in known else "-"
           for one in engines)]
        for what, (task, count) in lines
    ]  # fmt: skip
    return table("columns", ["", "threads", "", *engines], body)
