"""For pandas: the accessor `uri` of series, which importing this registers.

>>> import pandas as pd
>>> frame = pd.DataFrame({"url": ["HTTP://example.com/%7ea", "http://h/a b", None]}, [7, 7, 8])
>>> frame["url"].uri.is_valid().tolist()
[True, False, <NA>]
>>> frame["url"].uri.split()[["scheme", "path"]].iloc[0].tolist()
['HTTP', '/%7ea']
>>> frame["url"].uri.normalize("scheme").tolist()
['http://example.com/~a', <NA>, <NA>]

A series may hold strings of any dtype: object, str, string, Arrow's, or a categorical of these.
The result has the same index, is null where the text is, and its
dtype is of Arrow: `bool[pyarrow]`, `string[pyarrow]` and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from uriparse._base import needed
from uriparse.arrow.functions import Call, Functions

with needed("pandas", __name__):
    import pandas as pd
with needed("pyarrow", __name__):  # pandas has its columns in it
    import pyarrow as pa

__all__ = ["URIAccessor"]


@pd.api.extensions.register_series_accessor("uri")
class URIAccessor(Functions["pd.Series"]):
    """The accessor `series.uri`: series of the same index and name; `split` returns a frame.

    A second column is a series of the same index, as in `frame["a"].uri.equivalent(frame["b"])`;
    ValueError for another index. TypeError for values that are not strings.
    """

    _columns = (pd.Series,)
    _other = 'frame["{}"]'

    def _made(self, call: Call, columns: Sequence[object]) -> pd.Series:
        series = cast("Sequence[pd.Series]", columns)
        index = self._given.index
        if not all(index.equals(one.index) for one in series):
            raise ValueError("both series must have the same index: align() makes them so")
        made = pa.chunked_array(call(*map(_texts, series)))
        if not pa.types.is_struct(made.type):
            return pd.Series(_array(made), index, name=self._given.name)
        parts = zip(made.type, made.flatten(), strict=True)
        return pd.DataFrame({field.name: _array(part) for field, part in parts}, index)


def _array(values: pa.ChunkedArray) -> pd.api.extensions.ExtensionArray:
    return pd.array(values, dtype=pd.ArrowDtype(values.type))


def _texts(series: pd.Series) -> pa.Array | pa.ChunkedArray:
    """Return the strings of a series as Arrow has them, without a copy where they are Arrow's."""
    kind = pa.string() if series.dtype == object else None
    try:
        try:
            made = pa.array(series, kind, from_pandas=True)
        except (pa.ArrowInvalid, UnicodeEncodeError):  # octets, lone surrogates: refused one by one
            octets = [
                x.encode("utf-8", "surrogatepass") if isinstance(x, str) else x for x in series
            ]
            made = pa.array(octets, pa.binary(), from_pandas=True)
    except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
        raise TypeError(f"series must hold strings: {error}") from None
    # What is null alone may be of any type: pandas reads an empty column as numbers.
    return made if made.null_count < len(made) else pa.nulls(len(made), pa.string())
