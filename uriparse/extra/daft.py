"""For Daft: functions of expressions and of SQL, which read a column a batch at a time.

>>> import daft
>>> frame = daft.from_pydict({"url": ["http://h/", "a b", None]})
>>> frame.select(uri(frame["url"]).is_valid()).to_pydict()
{'url': [True, False, None]}
>>> register()
>>> daft.sql("SELECT uri_host(url) AS host FROM frame").to_pydict()
{'host': ['h', None, None]}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from uriparse._base import needed
from uriparse.arrow.functions import Call, Functions, SQLOptions, sql_functions

with needed("daft", __name__):
    import daft

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DaftURI", "register", "uri"]


class DaftURI(Functions["daft.Expression"]):
    """The functions for an expression: `uri(frame["url"]).is_valid()`."""

    _columns = (daft.Expression,)

    def _made(self, call: Call, columns: Sequence[object]) -> daft.Expression:
        made = _function(call.name, call.array, call.checked().type)
        return made(*columns)


uri = DaftURI


def register(
    prefix: str = "uri_",
    **options: Unpack[SQLOptions],
) -> None:
    """Add the functions of `uriparse.extra.duckdb.register` to the SQL of Daft's session.

    Parameters as there. TypeError if it is not a policy; ValueError for another grammar.
    """
    for one in sql_functions(**options):
        made: Any = _function(
            one.name, one.of_arrays, one.type
        )  # which attach_function is typed without
        daft.attach_function(made, f"{prefix}{one.name}")


def _function(
    name: str, call: Callable[..., pa.Array], kind: pa.DataType
) -> Callable[..., daft.Expression]:
    def run(*columns: daft.Series) -> daft.Series:
        return daft.Series.from_arrow(call(*(column.to_arrow() for column in columns)))

    run.__name__ = name
    made: Callable[..., daft.Expression] = daft.func.batch(
        return_dtype=daft.DataType.from_arrow_type(kind)
    )(run)
    return made
