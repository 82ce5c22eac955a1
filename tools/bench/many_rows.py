"""Many rows through each engine and task, with one and two threads, each in its own process.

    python -m tools.bench.many_rows [--rows N] [--check] [--engine NAME] [FILES]

Prints processor time a row (of all threads and child processes), wall time, and the peak of memory,
which includes the rows and the result. FILES have a URL a line; without them URLs are generated.

`--check` corrupts one row in twenty by a character, and compares each result with the pure Python
functions for single texts, in processes without the kernel, and these with rfc3986-validator. The
exit status is 1 if a row differs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from itertools import chain, product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .subjects import corrupted, real
from .tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

Run: TypeAlias = "Callable[[], pa.Table]"
TASKS = "is_valid", "split", "normalize", "resolve", "verdict"
BASE = "http://a.example/b/c?d"
SQL = {task: f"SELECT n, uri_{task}(url) AS found FROM urls" for task in TASKS}
SQL["resolve"] = SQL["resolve"].replace("url)", f"'{BASE}', url)")
CHUNK = 50_000


def _arrow(rows: pa.Table, task: str, threads: int) -> Run:
    from uriparse import arrow

    given = [batch.column("url") for batch in rows.to_batches(CHUNK)]
    function = partial(arrow.resolve, BASE) if task == "resolve" else getattr(arrow, task)

    def run() -> pa.Table:
        with ThreadPoolExecutor(threads) as pool:
            made = [*pool.map(lambda chunk: pa.array(function(chunk)), given)]
        return pa.table({"n": rows["n"], "found": pa.chunked_array(made)})

    return run


def _polars(rows: pa.Table, task: str, threads: int) -> Run:
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as pl

    from uriparse.extra.polars import URIExpr

    made = getattr(URIExpr(pl.col("url")), task)(*[BASE] * (task == "resolve"))
    frame = pl.LazyFrame(rows).select("n", made.alias("found"))
    return lambda: frame.collect(engine="streaming").to_arrow()


def _duckdb(rows: pa.Table, task: str, threads: int) -> Run:
    import duckdb

    from uriparse.extra.duckdb import register

    connection = register(duckdb.connect(config={"threads": threads}))
    connection.register("given", rows).execute("CREATE TABLE urls AS SELECT * FROM given")
    return lambda: connection.sql(SQL[task]).to_arrow_table()


def _datafusion(rows: pa.Table, task: str, threads: int) -> Run:
    from datafusion import SessionConfig, SessionContext

    from uriparse.extra.datafusion import register

    context, batches = SessionContext(SessionConfig().with_target_partitions(threads)), rows
    context.register_record_batches(
        "urls", [batches.to_batches()[at::threads] for at in range(threads)]
    )
    return lambda: register(context).sql(SQL[task]).to_arrow_table()


def _daft(rows: pa.Table, task: str, threads: int) -> Run:
    import daft

    from uriparse.extra.daft import functions

    daft.set_runner_native(num_threads=threads)
    given = [*[daft.lit(BASE)] * (task == "resolve"), daft.col("url")]
    made = functions()[task](*given).alias("found")
    return daft.from_arrow(rows).select("n", made).to_arrow


def _spark(rows: pa.Table, task: str, threads: int) -> Run:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import lit

    from uriparse.extra import spark

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder = SparkSession.builder.master(f"local[{threads}]").config("spark.ui.enabled", "false")
    for name, value in {
        "driver.memory": "6g",
        "driver.maxResultSize": "0",
        "log.level": "OFF",
    }.items():
        builder = builder.config(f"spark.{name}", value)
    frame = builder.getOrCreate().createDataFrame(rows)
    found = getattr(spark, task)(*[lit(BASE)] * (task == "resolve"), "url").alias("found")
    made = frame.select("n", found)
    return made.toArrow


ENGINES: dict[str, Callable[[pa.Table, str, int], Run]] = {
    "Arrow": _arrow, "Polars": _polars, "DuckDB": _duckdb, "DataFusion": _datafusion,
    "Daft": _daft, "Spark": _spark,
}  # fmt: skip


def measured(engine: str, task: str, threads: int, where: str) -> list[str]:
    """Run a task once it is ready; return nanoseconds, seconds, megabytes, and differing rows."""
    import psutil

    from .clusters import spent

    rows, own = pq.read_table(f"{where}/rows"), psutil.Process()
    run = ENGINES[engine](rows, task, threads)
    before, start = spent([own]), perf_counter()
    found = run()
    seconds, used = perf_counter() - start, spent([own]) - before
    octets = sum(_peak(process.pid) for process in [own, *own.children(recursive=True)])
    wrong = ""
    if Path(f"{where}/wanted").exists():
        wanted = pq.read_table(f"{where}/wanted")[task]
        wrong = str(differing(found.sort_by("n")["found"], wanted))
    return [f"{used / len(rows) * 1e9:.0f}", f"{seconds:.2f}", f"{octets / 1e6:.0f}", wrong]


def _peak(process: int) -> int:
    """Return the most memory that a process has had, in octets (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").split("\n")
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)


def differing(found: pa.ChunkedArray, wanted: pa.ChunkedArray) -> int:
    """Count the rows that differ, of a struct those of its worst field; null equals null alone."""
    if not pa.types.is_struct(wanted.type):
        same = pc.fill_null(pc.equal(found.cast(wanted.type), wanted), fill_value=False)
        return int(
            pc.sum(pc.invert(pc.or_(same, pc.and_(found.is_null(), wanted.is_null())))).as_py()
        )
    # A struct of ours is null where its path is.
    fields = (
        (pc.struct_field(one, field.name) for one in (found, wanted)) for field in wanted.type
    )
    return max(differing(*pair) for pair in fields)


def pure(texts: list[str]) -> list[tuple[Any, ...]]:
    """Return what the functions for single texts say, in a process without the kernel."""
    os.environ["URIPARSE_PURE"] = "1"
    import uriparse
    from uriparse.arrow.reading import COMPONENTS

    assert uriparse.implementation == "python"
    rows: list[tuple[Any, ...]] = []
    for text in texts:
        record, report = uriparse.try_parse(text), uriparse.validate(text)
        code = None if report else report.reasons[0].code
        if record is None:
            rows.append((uriparse.is_valid(text), None, None, None, code))
            continue
        parts = {name: getattr(record, name) for name in COMPONENTS}
        split = {name: None if part is None else str(part) for name, part in parts.items()}
        split["host_kind"] = None if record.host is None else type(record.host).__name__
        normal, target = uriparse.normalize(record), uriparse.resolve(BASE, record)
        rows.append((uriparse.is_valid(text), split, str(normal), str(target), code))
    return rows


def write(texts: list[str], count: int, where: str, *, check: bool) -> None:
    """Write rows of these texts, repeated, and what is wanted of them if it is to be checked."""
    random, parts = Random(1), []
    for begin in range(0, count, CHUNK):
        some = [texts[at % len(texts)] for at in range(begin, min(begin + CHUNK, count))]
        if check:
            some = [
                text if random.random() > 0.05 else corrupted([text], random)[0] for text in some
            ]
        parts.append(pa.array(some))
    urls = pa.chunked_array(parts)
    pq.write_table(
        pa.table({"n": range(count), "url": urls}), f"{where}/rows", use_dictionary=False
    )
    if check:
        encoded = urls.combine_chunks().dictionary_encode()
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            distinct = encoded.dictionary.to_pylist()
            half = len(distinct) // 2
            known = [*chain(*pool.map(pure, [distinct[:half], distinct[half:]]))]
        columns = [pa.array(column) for column in zip(*known, strict=True)]
        made = pa.table(columns, TASKS).take(encoded.indices)
        pq.write_table(made, f"{where}/wanted")


def foreign(where: str) -> int:
    """Count the rows of which rfc3986-validator, whose "$" matches before a line end, differs."""
    from rfc3986_validator import validate_rfc3986

    urls = pq.read_table(f"{where}/rows")["url"].to_pylist()
    wanted = pq.read_table(f"{where}/wanted")["is_valid"].to_pylist()
    known = {url: url[-1:] != "\n" and bool(validate_rfc3986(url, "URI")) for url in {*urls}}
    return sum(known[url] != valid for url, valid in zip(urls, wanted, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each engine, task and number of threads."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.many_rows")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--engine", action="append", choices=ENGINES)
    args = parser.parse_args(arguments)
    texts = [line for file in args.files for line in file.read_text("utf-8").split("\n") if line]
    body: list[list[str]] = []
    with TemporaryDirectory() as where:
        write(texts or real(CHUNK, Random(1)), args.rows, where, check=args.check)
        if args.check and find_spec("rfc3986_validator"):
            body.append(["rfc3986-validator", "is_valid", "1", "", "", "", str(foreign(where))])
        for engine, task, threads in product(args.engine or ENGINES, TASKS, (1, 2)):
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                found = pool.submit(measured, engine, task, threads, where)
                if isinstance(found.exception(), ImportError):
                    continue
                body.append([engine, task, str(threads), *found.result()])
                print(*body[-1], file=sys.stderr)
    head = ["", "task", "threads", "CPU ns a row", "wall s", "peak MB", "differences"]
    print(table(f"{args.rows:,} rows", head, body))
    return int(any(row[-1] not in {"", "0"} for row in body))


if __name__ == "__main__":
    sys.exit(main())
