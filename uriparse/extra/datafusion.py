"""For DataFusion: functions of expressions and of SQL, which read a column a batch at a time.

>>> import datafusion
>>> context = register(datafusion.SessionContext())
>>> context.sql("SELECT uri_host('//h:80?') AS host").to_pydict()
{'host': ['h']}
>>> frame = context.from_pydict({"url": ["HTTP://h:80", "a b"]})
>>> frame.select(uri(datafusion.col("url")).normalize("scheme").alias("normal")).to_pydict()
{'normal': ['http://h/', None]}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack, cast

from uriparse._base import needed
from uriparse._base.coerce import refusal
from uriparse.arrow.functions import FUNCTIONS, Call, Functions, SQLOptions, sql_functions

with needed("datafusion", __name__):
    import datafusion
with needed("pyarrow", __name__):  # DataFusion passes its batches in it
    import pyarrow as pa

__all__ = ["DataFusionURI", "register", "uri"]


class DataFusionURI(Functions["datafusion.Expr"]):
    """The functions for an expression: `uri(col("url")).is_valid()`."""

    _columns = (datafusion.Expr,)

    def _made(self, call: Call, columns: Sequence[object]) -> datafusion.Expr:
        texts, kind = [pa.string()] * len(columns), call.checked().type
        made = datafusion.udf(call.array, texts, kind, "immutable", f"uri_{call.name}")
        return made(*cast("Sequence[datafusion.Expr]", columns))


uri = DataFusionURI


def register(
    context: datafusion.SessionContext,
    prefix: str = "uri_",
    **options: Unpack[SQLOptions],
) -> datafusion.SessionContext:
    """Add the functions of `uriparse.extra.duckdb.register` to a context, and return it.

    Each takes the arguments that it needs: DataFusion knows no defaults, and refuses others in its
    own words. Give them here, `policy=Policy.web()` or `arguments={"normalize": {"level":
    "scheme"}}`, under another prefix.

    Parameters as there. TypeError if it is not a context or a policy; ValueError for another
    grammar.
    """
    if not isinstance(context, datafusion.SessionContext):
        raise refusal(context, "context", "a context, such as datafusion.SessionContext()")
    for one in sql_functions(**options):
        given = [pa.string()] * len(FUNCTIONS[one.name].needed)
        context.register_udf(
            datafusion.udf(one.of_arrays, given, one.type, "immutable", f"{prefix}{one.name}")
        )
    return context
