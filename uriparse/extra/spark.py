"""For Spark: functions of columns and of SQL, which the Python workers read a batch at a time.

    frame.select(uri("url").is_valid(), uri("url").split().host)

They need Spark 4.1, whose functions take Arrow arrays; `extend` does the same from Spark 3.3 on.
uriparse has to be installed where the workers run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Unpack, cast

from uriparse._base import needed
from uriparse._base.coerce import as_str
from uriparse.arrow.functions import FUNCTIONS, Call, Functions, SQLOptions, sql_functions
from uriparse.arrow.reading import COLUMNS

with needed("pyspark", __name__):
    import pyspark.sql.functions
    from pyspark.sql import Column, DataFrame, SparkSession, types
with needed("pyarrow", __name__):  # Spark passes its batches in it
    import pyarrow as pa

__all__ = ["SparkURI", "extend", "register", "uri"]

_TYPES: Mapping[str, types.DataType] = {
    "bool": types.BooleanType(), "int64": types.LongType(), "text": types.StringType(),
    "texts": types.ArrayType(types.StringType()),
    "parts": types.StructType([types.StructField(name, types.StringType()) for name in COLUMNS]),
}  # fmt: skip


class SparkURI(Functions["Column"]):
    """The functions for a column, or for the name of one: `uri("url").is_valid()`.

    A second column is a `Column`: `uri("url").resolve(col("page"))`; a text is the same for all.
    """

    _columns = (Column,)

    def __init__(self, given: Column | str) -> None:
        super().__init__(cast("Column", given))

    def _made(self, call: Call, columns: Sequence[object]) -> Column:
        return _function(call.checked().array, call.name, call.kind)(*columns)


uri = SparkURI


def register(
    session: SparkSession,
    prefix: str = "uri_",
    **options: Unpack[SQLOptions],
) -> SparkSession:
    """Add the functions of `uriparse.extra.duckdb.register` to a session, and return it.

    Parameters as there. TypeError if it is not a policy; ValueError for another grammar.
    """
    for one in sql_functions(**options):
        made = _function(one.of_arrays, one.name, one.kind)
        session.udf.register(f"{prefix}{one.name}", made)
    return session


def extend(frame: DataFrame, column: str, **named: str) -> DataFrame:
    """Add columns to a frame, made of one of its columns of strings.

    named: the names of the new columns, by the functions that make them, each with its defaults.

        uriparse.extra.spark.extend(frame, "url", is_valid="valid", split="parts")

    Before Spark 4.1 by `mapInArrow`, past which Spark moves no filter: filter and select first.

    TypeError for an unknown function; ValueError for a column that the frame does not have, or
    has already.
    """
    name = as_str(column, "column")
    known = [one for one, its in FUNCTIONS.items() if len(its.needed) == 1]
    unknown = [function for function in named if function not in known]
    if unknown:
        raise TypeError(f"extend makes {', '.join(known)}, and no {unknown[0]}")
    fields = types.StructType(list(frame.schema))
    if name not in fields.names:
        raise ValueError(f'column: the frame has no "{name}"; it has {", ".join(fields.names)}')
    for function, new in named.items():
        if new in fields.names:
            raise ValueError(f'{function}: the frame has a column "{new}"')
        fields = fields.add(new, _TYPES[FUNCTIONS[function].kind])
    made = [Call(one, FUNCTIONS[one].columns) for one in named]
    if "arrow_udf" in vars(pyspark.sql.functions):  # through which filters get to a scan
        given = frame["`" + name.replace("`", "``") + "`"]
        return frame.select("*", *(getattr(uri(given), one)().alias(named[one]) for one in named))

    def extended(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            given = batch.column(name)
            columns = [call.array(given) for call in made]
            yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names=fields.names)

    return frame.mapInArrow(extended, fields)


def _function(call: Callable[..., pa.Array], name: str, kind: str) -> Callable[..., Column]:
    known = vars(pyspark.sql.functions)
    if "arrow_udf" not in known:
        raise NotImplementedError(
            f"uriparse.extra.spark needs Spark 4.1 or later for {name}; extend does the same before"
        )

    def run(*columns: pa.Array) -> pa.Array:
        return call(*columns)

    run.__name__ = name  # that of the column, unless it gets another
    made: Callable[..., Column] = known["arrow_udf"](run, _TYPES[kind])
    return made
