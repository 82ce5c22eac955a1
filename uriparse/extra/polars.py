"""For Polars: the namespace `uri` of expressions and of series, which importing this registers.

>>> import polars as pl
>>> frame = pl.DataFrame({"url": ["HTTP://example.com/%7ea", "http://h/a b", None]})
>>> frame.select(pl.col("url").uri.is_valid())["url"].to_list()
[True, False, None]
>>> frame["url"].uri.host().to_list(), frame["url"].uri.normalize()[0]
(['example.com', None, None], 'http://example.com/~a')

Columns may be String, Binary, Categorical or Enum; others raise a
`polars.exceptions.ComputeError`. Expressions are elementwise, so that lazy frames stream and push
filters past them. The kernel reads Polars' memory, and Polars that of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from uriparse._base import needed
from uriparse.arrow.functions import Call, Functions
from uriparse.arrow.reading import COLUMNS

with needed("polars", __name__):
    import polars as pl

if TYPE_CHECKING:
    from polars._typing import PolarsDataType

__all__ = ["URIExpr", "URISeries"]

_TYPES: dict[str, PolarsDataType] = {
    "bool": pl.Boolean(), "int64": pl.Int64(), "text": pl.String(), "texts": pl.List(pl.String()),
    "parts": pl.Struct(dict.fromkeys(COLUMNS, pl.String)),
}  # fmt: skip
_TEXTS = {pl.String, pl.Binary, pl.Categorical, pl.Enum, pl.Null}


@pl.api.register_expr_namespace("uri")
class URIExpr(Functions[pl.Expr]):
    """The namespace `polars.col("url").uri`: elementwise expressions named as their input.

    `get` and `host` have the name of the component. Another column may be an expression.
    """

    _columns = (pl.Expr,)
    _other = 'pl.col("{}")'

    def _made(self, call: Call, columns: Sequence[object]) -> pl.Expr:
        first, *others = cast("Sequence[pl.Expr]", columns)
        given = pl.struct(first, *(one.alias(f"{_OTHER}{n}") for n, one in enumerate(others)))
        made = (given if others else first).map_batches(
            _Batch(call.checked()), return_dtype=_TYPES[call.kind], is_elementwise=True
        )
        part = call.component
        return made if part is None else made.alias(part)


_OTHER = "another column "


@pl.api.register_series_namespace("uri")
class URISeries(Functions[pl.Series]):
    """The namespace `series.uri`: series of the same name; of `get` and `host`, the component's."""

    _columns = (pl.Series,)
    _other = 'frame["{}"]'

    def _made(self, call: Call, columns: Sequence[object]) -> pl.Series:
        given = cast("Sequence[pl.Series]", columns)
        return pl.Series(call(*given)).alias(call.component or given[0].name)


class _Batch:
    """A call for Polars: of a series, or of the fields of a struct."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __call__(self, given: pl.Series) -> pl.Series:
        is_many = len(self._call.columns) > 1
        columns = given.struct.fields if is_many else [given.name]
        every = [given.struct.field(name) for name in columns] if is_many else [given]
        for one in every:
            if one.dtype.base_type() not in _TEXTS:
                raise pl.exceptions.ComputeError(
                    "column holds texts (String, Binary, Categorical or Enum), not "
                    + str(one.dtype.base_type())
                )
        return pl.Series(self._call(*every)).alias(columns[0])
