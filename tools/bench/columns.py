"""Columns through each engine and task, with one and two threads, each in its own process.

Measured are processor time (of all threads and child processes) and wall time, of the fastest
round, and the peak of memory, which includes the rows and the result. The engine's own regular
expression is `uriparse.expressions.pattern`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from uriparse.arrow.functions import FUNCTIONS, Call
from uriparse.grammar.expressions import pattern

from .timing import seconds, table

if TYPE_CHECKING:
    from .races import Tell

Run: TypeAlias = "Callable[[], pa.Table]"
TASKS = "is_valid", "split", "normalize", "resolve", "verdict"
REGEX = "its regex"
BASE = "http://a.example/b/c?d"
NEEDED = {"get": ("host",), "query_value": ("q",), "resolve": (BASE,), "equivalent": (BASE,)}
"""What functions need beside a column."""


def sql(task: str) -> str:
    """Write the question in SQL."""
    given = ["url", *(f"'{one}'" for one in NEEDED.get(task, ()))]
    given = given[::-1] if task == "resolve" else given
    return f"SELECT n, uri_{task}({', '.join(given)}) AS found FROM urls"


CHUNK = 50_000
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One task of one engine.

    Attributes:
        each, wall: seconds of processor time for a row, and of the clock for all.
        megabytes: the peak of memory.

    """

    engine: str
    task: str
    threads: int
    each: float
    wall: float
    megabytes: float


def _arrow(rows: pa.Table, task: str, threads: int) -> Run:
    if task == REGEX:
        function = partial(pc.match_substring_regex, pattern=pattern("URI", flavour="re2"))
    else:
        function = Call(task, (FUNCTIONS[task].first,), _named(task))
    given = [batch.column("url") for batch in rows.to_batches(CHUNK)]

    def run() -> pa.Table:
        with ThreadPoolExecutor(threads) as pool:
            made = [*pool.map(lambda chunk: pa.array(function(chunk)), given)]
        return pa.table({"n": rows["n"], "found": pa.chunked_array(made)})

    return run


def _named(task: str) -> dict[str, str]:
    names = [name for name in FUNCTIONS[task].needed if name != FUNCTIONS[task].first]
    return dict(zip(names, NEEDED.get(task, ()), strict=True))


def _pandas(rows: pa.Table, task: str, threads: int) -> Run:
    import pandas as pd

    from uriparse.extra.pandas import URIAccessor

    del threads  # it has one
    series = rows["url"].to_pandas(types_mapper=pd.ArrowDtype)

    def run() -> pa.Table:
        found = getattr(URIAccessor(series), task)(*NEEDED.get(task, ()))
        is_frame = isinstance(found, pd.DataFrame)
        return pa.Table.from_pandas(found if is_frame else found.to_frame(), preserve_index=False)

    return run


def _polars(rows: pa.Table, task: str, threads: int) -> Run:
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as pl

    from uriparse.extra.polars import URIExpr

    url = pl.col("url")
    if task == REGEX:
        made = url.str.contains(pattern("URI", flavour="rust"))
    else:
        made = getattr(URIExpr(url), task)(*NEEDED.get(task, ()))
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
    return lambda: connection.sql(regex if task == REGEX else sql(task)).to_arrow_table()


def _datafusion(rows: pa.Table, task: str, threads: int) -> Run:
    from datafusion import SessionConfig, SessionContext

    from uriparse.extra.datafusion import register

    context = SessionContext(SessionConfig().with_target_partitions(threads))
    batches = rows.to_batches()
    context.register_record_batches("urls", [batches[at::threads] for at in range(threads)])
    return lambda: register(context).sql(sql(task)).to_arrow_table()


@cache
def _set_runner(threads: int) -> None:
    import daft

    daft.set_runner_native(num_threads=threads)


def _daft(rows: pa.Table, task: str, threads: int) -> Run:
    import daft

    from uriparse.extra.daft import uri

    _set_runner(threads)
    made = getattr(uri(daft.col("url")), task)(*NEEDED.get(task, ())).alias("found")
    return daft.from_arrow(rows).select("n", made).to_arrow


def _spark(rows: pa.Table, task: str, threads: int) -> Run:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col

    from uriparse.extra.spark import uri

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    options = {
        "ui.enabled": "false",
        "ui.showConsoleProgress": "false",
        "driver.memory": "6g",
        "driver.maxResultSize": "0",
    }
    builder = SparkSession.builder.master(f"local[{threads}]").config("spark.log.level", "OFF")
    for name, value in options.items():
        builder = builder.config(f"spark.{name}", value)
    # Of a table it makes a hundred parts, each of which would pay for a task.
    frame = builder.getOrCreate().createDataFrame(rows).coalesce(threads)
    if task == REGEX:
        found = col("url").rlike(pattern("URI", flavour="java"))
    else:
        found = getattr(uri("url"), task)(*NEEDED.get(task, ()))
    return lambda: frame.select("n", found.alias("found")).toArrow()


ENGINES: Mapping[str, Callable[[pa.Table, str, int], Run]] = {
    "Arrow": _arrow, "pandas": _pandas, "Polars": _polars, "DuckDB": _duckdb,
    "DataFusion": _datafusion, "Daft": _daft, "Spark": _spark,
}  # fmt: skip

WITH_REGEX = frozenset({"Arrow", "Polars", "DuckDB", "Spark"})


def measured(engine: str, task: str, threads: int, where: str) -> Row:
    """Run a task once to get ready, then some rounds, in a process of its own."""
    import psutil

    rows, own = pq.read_table(f"{where}/rows"), psutil.Process()

    def spent() -> float:  # psutil has hundredths of seconds, which are too long for our own
        children = own.children(recursive=True)
        return process_time() + sum(sum(child.cpu_times()[:4]) for child in children)

    run = ENGINES[engine](rows, task, threads)
    run()
    times = []
    for _ in range(ROUNDS):
        before, start = spent(), perf_counter()
        run()
        times.append((spent() - before, perf_counter() - start))
    octets = sum(_peak(process.pid) for process in [own, *own.children(recursive=True)])
    used, wall = map(min, zip(*times, strict=True))
    return Row(engine, task, threads, used / len(rows), wall, octets / 1e6)


def _peak(process: int) -> int:
    """Return the most memory that a process has had, in octets (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").split("\n")
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)


def write(texts: Sequence[str], count: int, where: str) -> None:
    """Write rows of these texts, repeated, without a dictionary, as if no text came twice."""
    every = pa.array(texts)
    urls = every.take(pa.array(at % len(texts) for at in range(count)))
    table = pa.table({"n": range(count), "url": urls})
    pq.write_table(table, f"{where}/rows", use_dictionary=False, row_group_size=CHUNK)


def measure(
    texts: Sequence[str],
    tell: Tell,
    *,
    rows: int,
    engines: Sequence[str] = (),
    tasks: Sequence[str] = (*TASKS, REGEX),
    threads: Sequence[int] = (1, 2),
) -> Iterator[Row]:
    """Yield what each task of each engine takes; engines that are not installed are left out."""
    with TemporaryDirectory() as where:
        write(texts, rows, where)
        for engine, task, count in product(engines or ENGINES, tasks, threads):
            if task == REGEX and engine not in WITH_REGEX:
                continue
            tell(f"columns: {engine}: {task} ...")
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                try:
                    yield pool.submit(measured, engine, task, count, where).result()
                except ImportError as error:
                    tell(f"columns: not there: {engine} ({error})")


def render(rows: Sequence[Row]) -> str:
    """One table."""
    body = [
        [row.engine, row.task, str(row.threads), seconds(row.each), seconds(row.wall),
         f"{row.megabytes:.0f}"]
        for row in rows
    ]  # fmt: skip
    return table("columns", ["", "task", "threads", "CPU a row", "wall", "peak MB"], body)
