"""Spark: partitioned Parquet judged by `mapInArrow`."""

import sys
from collections.abc import Iterable, Iterator

import pyarrow as pa
from judged_batches import judge
from pyspark.sql import DataFrame, SparkSession

SCHEMA = """
    id bigint, url string, accepted boolean, reason string, stop bigint,
    url_scheme string, url_authority string, url_userinfo string, url_host string,
    url_port string, url_path string, url_query string, url_fragment string,
    url_host_kind string
"""


def judge_all(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from map(judge, batches)


def chosen(session: SparkSession, source: str, day: str) -> DataFrame:
    """Filter and select before `mapInArrow`: Spark does not look into the function."""
    rows = session.read.parquet(source)
    return rows.where(rows.day == day).where(rows.status == 200).select("id", "url")


def run(session: SparkSession, source: str, target: str, day: str) -> None:
    judged = chosen(session, source, day).mapInArrow(judge_all, SCHEMA)
    judged.write.partitionBy("accepted").mode("overwrite").parquet(target)


if __name__ == "__main__":
    run(SparkSession.builder.getOrCreate(), *sys.argv[1:])
