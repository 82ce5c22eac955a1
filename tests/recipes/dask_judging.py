"""Dask: partitioned Parquet judged by `map_partitions`."""

import sys

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
from distributed import Client
from judged_batches import judge


def judge_frame(frame: pd.DataFrame) -> pd.DataFrame:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    whole = [column.combine_chunks() for column in table.columns]
    batch = pa.RecordBatch.from_arrays(whole, names=table.column_names)
    return judge(batch).to_pandas(types_mapper=pd.ArrowDtype)


def chosen(source: str, day: str) -> dd.DataFrame:
    """Only these columns are read, and no row group that has no such row."""
    filters = [("day", "==", day), ("status", "==", 200)]
    return dd.read_parquet(source, columns=["id", "url"], filters=filters)


def run(source: str, target: str, day: str) -> None:
    judged = chosen(source, day).map_partitions(judge_frame)
    judged.to_parquet(target, partition_on=["accepted"], compute_kwargs={"retries": 3})


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        client.upload_file("judged_batches.py")
        run(*sys.argv[2:])
