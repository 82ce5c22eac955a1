"""Ray Data: partitioned Parquet judged by `map_batches`."""

import sys

import pyarrow as pa
import ray
from judged_batches import judge


def judge_table(table: pa.Table) -> pa.Table:
    """Judge the batches of a block."""
    return pa.Table.from_batches([judge(batch) for batch in table.combine_chunks().to_batches()])


def run(source: str, target: str, day: str) -> None:
    rows = ray.data.read_parquet(f"{source}/day={day}", columns=["id", "url", "status"])
    chosen = rows.filter(expr="status == 200").select_columns(["id", "url"])
    judged = chosen.map_batches(judge_table, batch_format="pyarrow")
    judged.write_parquet(target, partition_cols=["accepted"])


if __name__ == "__main__":
    run(*sys.argv[1:])
