"""A batch of rows judged: what the workers of Spark and Dask run."""

import pyarrow as pa
import pyarrow.compute as pc

from uriparse import arrow
from uriparse.validation import Policy

POLICY = Policy.outbound()


def judge(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Add columns to a batch: all rows stay, and those that are refused have a reason."""
    urls = batch.column("url")
    reason = pa.array(arrow.verdict(urls, POLICY))
    parts = pa.array(arrow.split(urls))
    added = {
        "accepted": pc.and_(pc.is_null(reason), pc.is_valid(urls)),
        "reason": reason,
        "stop": pa.array(arrow.stop(urls)),
        **{f"url_{field.name}": parts.field(field.name) for field in parts.type},
    }
    names = [*batch.schema.names, *added]
    return pa.RecordBatch.from_arrays([*batch.columns, *added.values()], names=names)
