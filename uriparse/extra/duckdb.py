"""For DuckDB: functions of SQL, which read a column a vector at a time.

>>> import duckdb
>>> connection = register(duckdb.connect())
>>> connection.sql("SELECT uri_is_valid('http://h/'), uri_split('//h:80?').port").fetchall()
[(True, '80')]

They take VARCHAR, and return NULL for NULL. `uri_split` and `uri_normalize` return NULL for an
invalid text, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from uriparse._base.coerce import refusal
from uriparse.arrow.engines import engine_functions
from uriparse.errors import MissingPackageError
from uriparse.validation.report import OUTBOUND

try:
    import duckdb
except ImportError:
    raise MissingPackageError("duckdb", __name__) from None
try:
    import pyarrow as pa
except ImportError:  # DuckDB passes its vectors in it
    raise MissingPackageError("pyarrow", __name__) from None

if TYPE_CHECKING:
    from uriparse.arrow.hosts import DomainOf
    from uriparse.validation import Policy

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    grammar: str = "rfc3986",
    policy: Policy = OUTBOUND,
    domain_of: DomainOf | None = None,
    prefix: str = "uri_",
) -> duckdb.DuckDBPyConnection:
    """Add the functions below to a connection, and return it.

    - `uri_is_valid(text)`, a BOOLEAN: whether the rule URI derives it;
    - `uri_stop(text)`, a BIGINT: the offset in characters where it stops being a URI, NULL for one;
    - `uri_split(text)`, a STRUCT of the components and host_kind, NULL for an invalid one;
    - `uri_host(text)`, a VARCHAR: its host, NULL without one and for an invalid text;
    - `uri_registered_domain(text)`, a VARCHAR: the registered domain of its host, likewise;
    - `uri_resolve(base, text)`, a VARCHAR: the target, NULL if one of them is invalid;
    - `uri_normalize(text)`, a VARCHAR: its normal form, NULL for an invalid one;
    - `uri_whatwg(text)`, a VARCHAR: what browsers make of it, NULL where they refuse it;
    - `uri_verdict(text)`, a VARCHAR: why the policy refuses it, NULL if it does not;
    - `uri_findings(text)`, a VARCHAR[]: the codes of all that the policy finds.

    grammar: "rfc3987" for IRIs and IRI references; a policy has its own.
    policy: by default what a server may fetch on behalf of others.
    domain_of: returns the registered domain of a name; by default that of publicsuffixlist.
    prefix: of the names, so that several grammars and policies can be had at once.

    See `uriparse.arrow` for each. TypeError if it is not a connection or a policy; ValueError for
    another grammar; DuckDB's own errors for names that are taken.
    """
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise refusal(connection, "connection", "a connection, such as duckdb.connect()")
    create: Any = connection.create_function  # whose types differ between versions
    text = duckdb.sqltype("VARCHAR")
    for name, (call, kind, inputs) in engine_functions(grammar, policy, domain_of).items():
        create(
            f"{prefix}{name}",
            _plain(call, inputs),
            [text] * inputs,
            _type(kind),
            type="arrow",
            null_handling="special",
        )
    return connection


def _plain(call: Callable[..., pa.Array], inputs: int) -> Callable[..., pa.Array]:
    """Wrap a function for DuckDB, which counts parameters, and reads types from annotations."""
    if inputs == 1:
        return lambda column: call(column)  # noqa: PLW0108 - its signature is another
    return lambda base, column: call(base, column)  # noqa: PLW0108 - likewise


def _type(kind: pa.DataType) -> Any:
    """Return DuckDB's name of a type."""
    if pa.types.is_list(kind):
        return duckdb.list_type(_type(kind.value_type))
    if pa.types.is_struct(kind):
        return duckdb.struct_type({field.name: _type(field.type) for field in kind})
    return duckdb.sqltype({"bool": "BOOLEAN", "int64": "BIGINT"}.get(str(kind), "VARCHAR"))
