"""Processor time of the workers of Spark and of Dask, a row of partitioned Parquet.

    python -m tools.bench.clusters TEXTS...

TEXTS are files with a URL a line. They are repeated until there are two million rows. What is
counted is the user and system time of all executors, or workers, and of the processes that they
have started, of the fastest round of three after one to warm up. So the load of the machine
matters little, and the time of the driver does not count.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from uriparse import arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 2_000_000
FILES = 8
ROUNDS = 3
TRILLION = 10**12
CHOSEN = "PROTOCOL", "AUTHORITY", "USERINFO", "HOST", "PATH", "QUERY", "REF"


def passed(column: pa.Array) -> pa.Array:
    """Return the column: what is left is the way to Python and back."""
    return column


TASKS: dict[str, tuple[str, Callable[..., Any]]] = {
    "pass the texts through": ("string", passed),
    "`is_valid`": ("boolean", arrow.is_valid),
    "`split`": (
        "struct<"
        + ", ".join(f"{field.name}: string" for field in pa.array(arrow.split(pa.array([""]))).type)
        + ">",
        arrow.split,
    ),
    "`normalize`": ("string", arrow.normalize),
    "`verdict`, outbound": ("string", arrow.verdict),
}


def write(texts: list[str], where: Path) -> int:
    """Write the texts, repeated, in files of Parquet; return how many rows these are."""
    each = ROWS // FILES
    repeated = (texts * (each // len(texts) + 1))[:each]
    for file in range(FILES):  # no dictionary, as if no text came twice
        table = pa.table({"url": repeated})
        pq.write_table(table, where / f"{file}.parquet", use_dictionary=False)
    return each * FILES


def spent(roots: list[psutil.Process]) -> float:
    """Return the seconds of these processes and of all that they have started."""
    total = 0.0
    for root in roots:
        for process in [root, *root.children(recursive=True)]:
            total += sum(process.cpu_times()[:4])
    return total


def fastest(run: Callable[[], object], roots: list[psutil.Process]) -> float:
    """Return the seconds of the fastest round."""
    found = []
    for _ in range(1 + ROUNDS):
        before = spent(roots)
        run()
        found.append(spent(roots) - before)
    return min(found[1:])


def spark(source: str) -> Iterator[tuple[str, float]]:
    """Yield the tasks of Spark, and their seconds."""
    import pyspark
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import expr

    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,2048]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.log.level": "OFF",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    frame = session.read.parquet(source)

    def write_nothing(made: Any) -> Callable[[], None]:
        return lambda: made.write.format("noop").mode("overwrite").save()

    write_nothing(frame)()
    executors = [
        process
        for process in psutil.Process().children(recursive=True)
        if any(
            "CoarseGrainedExecutorBackend" in word
            for word in process.as_dict(["cmdline"])["cmdline"] or ()
        )
    ]
    yield "only read", fastest(write_nothing(frame), executors)
    # Without Python, so first: Spark ends idle workers of Python, and their time would be lost.
    parts = [expr(f"try_parse_url(url, '{part}')").alias(part) for part in CHOSEN]
    yield "its `try_parse_url`, host", fastest(write_nothing(frame.select(parts[3])), executors)
    yield "its `try_parse_url`, 7 parts", fastest(write_nothing(frame.select(parts)), executors)
    for name, (kind, function) in TASKS.items():

        def mapped(batches: Any, function: Callable[..., Any] = function) -> Iterator[Any]:
            for batch in batches:
                found = pa.array(function(batch.column("url")))
                yield pa.RecordBatch.from_arrays([found], names=["found"])

        made = frame.mapInArrow(mapped, f"found {kind}")
        yield name, fastest(write_nothing(made), executors)
    session.stop()


def dask(source: str) -> Iterator[tuple[str, float]]:
    """Yield the tasks of Dask, and their seconds."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with cluster, Client(cluster) as client:
        workers = [psutil.Process(pid) for pid in client.run(os.getpid).values()]
        frame = dd.read_parquet(source)
        yield "only read", fastest(frame.map_partitions(len).compute, workers)
        for name, (_, function) in TASKS.items():

            def counted(part: Any, function: Callable[..., Any] = function) -> int:
                url = pa.chunked_array(part["url"]) if len(part) else pa.chunked_array([[""]])
                return len(pa.chunked_array([*_chunks(function, url)]))

            made = frame.map_partitions(counted, meta=(None, int))
            yield name, fastest(made.compute, workers)


def _chunks(function: Callable[..., Any], url: pa.ChunkedArray) -> Iterator[pa.Array]:
    for chunk in url.chunks:
        yield pa.array(function(chunk))


def main() -> None:
    """Print a line for each task: microseconds a row, and core-hours of a trillion rows."""
    texts = [
        line for name in sys.argv[1:] for line in Path(name).read_text("utf-8").splitlines() if line
    ]
    with TemporaryDirectory() as where:
        rows = write(texts, Path(where))
        print(f"{rows:,} rows")
        for engine in spark, dask:
            for name, seconds in engine(where):
                each = seconds / rows
                hours = each * TRILLION / 3600
                print(
                    f"| {engine.__name__}: {name} | {each * 1e6:.2f} | {hours:,.0f} |", flush=True
                )


if __name__ == "__main__":
    main()
