"""Columns of texts in Arrow's memory: validate, split, normalize, resolve, and judge by a policy.

A column is any object with the Arrow PyCapsule protocol: an array, a chunked array, a series, a
stream of arrays. Accepts string and binary arrays, including large, view and dictionary-encoded
ones. The result is such an object too, for `pyarrow.array`, `polars.Series` and others. Nulls stay
nulls.

>>> import pyarrow
>>> column = pyarrow.array(["http://example.com/a", "http://h/a b", None])
>>> pyarrow.array(is_valid(column)).to_pylist()
[True, False, None]

The C kernel reads a column without Python's lock and needs no other package. Without the kernel
each row is read in Python, with a warning, and pyarrow exports the results.
"""

from typing import TYPE_CHECKING

from uriparse._base import migration_hints as hints
from uriparse.arrow.column import ChunkedColumn, Column
from uriparse.arrow.distinct import (
    equivalent,
    key,
    query_value,
    redact,
    resolve,
    strip_query,
    to_iri,
    to_uri,
)
from uriparse.arrow.hosts import registered_domain
from uriparse.arrow.importing import ColumnError
from uriparse.arrow.judging import get, host, is_valid, normalize, split, stop, whatwg
from uriparse.arrow.policies import findings, verdict

__all__ = [
    "ChunkedColumn", "Column", "ColumnError", "equivalent", "findings", "get", "host", "is_valid",
    "key", "normalize", "query_value", "redact", "registered_domain", "resolve", "split", "stop",
    "strip_query", "to_iri", "to_uri", "verdict", "whatwg",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = hints.answers(__name__, hints.on_arrow)
