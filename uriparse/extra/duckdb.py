"""For DuckDB: functions of SQL, which read a column a vector at a time.

>>> import duckdb
>>> connection = register(duckdb.connect())
>>> connection.sql("SELECT uri_is_valid('http://h/'), uri_split('//h:80?').port").fetchall()
[(True, '80')]
>>> connection.sql("SELECT uri_normalize('HTTP://h:80', 'scheme')").fetchall()
[('http://h/',)]

They take VARCHAR, and return NULL for NULL, and where the text is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from uriparse._base import needed
from uriparse._base.coerce import refusal
from uriparse.arrow.functions import SQLOptions, sql_functions

with needed("duckdb", __name__):
    import duckdb
with needed("pyarrow", __name__):  # DuckDB passes its vectors in it
    import pyarrow as pa


__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection,
    prefix: str = "uri_",
    **options: Unpack[SQLOptions],
) -> duckdb.DuckDBPyConnection:
    """Add the functions of columns to a connection, and return it.

    Each is called `uri_` and the name of the function of `uriparse.arrow`, and takes its columns
    and then its other arguments that are texts: `uri_get(url, 'host')`, `uri_resolve(base, url)`,
    `uri_normalize(url, 'scheme')`. Arguments with a default may be left out. Valid is a BOOLEAN,
    an offset a BIGINT, a split URL a STRUCT, findings a VARCHAR[], and all else a VARCHAR.

    options: grammar, policy, domain_of, arguments: see `uriparse.arrow.functions.SQLOptions`.
    prefix: of the names, so that several grammars and policies can be had at once.

    TypeError if it is not a connection or a policy, and for arguments that a function does not
    have; ValueError for another grammar; DuckDB's own errors for names that are taken.
    """
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise refusal(connection, "connection", "a connection, such as duckdb.connect()")
    create: Any = connection.create_function  # whose types differ between versions
    for one in sql_functions(**options):
        kind = _type(one.type)
        how = {"type": "arrow", "null_handling": "special"}
        create(f"{prefix}{one.name}", _plain(one.of_arrays), None, kind, **how)
    return connection


def _plain(call: Callable[..., pa.Array]) -> Callable[..., pa.Array]:
    """Wrap a function for DuckDB, which reads parameters and types from a signature."""
    return lambda *columns: call(*columns)  # noqa: PLW0108 - its signature is another


def _type(kind: pa.DataType) -> Any:
    """Return DuckDB's name of a type."""
    if pa.types.is_list(kind):
        return duckdb.list_type(_type(kind.value_type))
    if pa.types.is_struct(kind):
        return duckdb.struct_type({field.name: _type(field.type) for field in kind})
    return duckdb.sqltype({"bool": "BOOLEAN", "int64": "BIGINT"}.get(str(kind), "VARCHAR"))
