"""Columns of texts as Arrow has them: judged, split, normalized and resolved whole.

A column is any object with the Arrow PyCapsule protocol: an array, a chunked array, a series, a
stream of arrays; of strings or binary, large or not, as views or in a dictionary. What comes out
is such an object as well, for `pyarrow.array`, `polars.Series` and all others. Nulls stay nulls.

>>> import pyarrow
>>> column = pyarrow.array(["http://example.com/a", "http://h/a b", None])
>>> pyarrow.array(is_valid(column)).to_pylist()
[True, False, None]

No engine is needed: what is read and written is memory alone. The C kernel goes through a column
without Python's lock; where there is none, each row is read in Python, and a warning says so.
"""

from uriparse.arrow.column import ChunkedColumn, Column
from uriparse.arrow.judging import is_valid, normalize, resolve, split, stop
from uriparse.arrow.rows import ColumnError

__all__ = [
    "ChunkedColumn",
    "Column",
    "ColumnError",
    "is_valid",
    "normalize",
    "resolve",
    "split",
    "stop",
]
