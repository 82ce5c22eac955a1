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
from functools import partial
from typing import TYPE_CHECKING, Any

from uriparse import arrow
from uriparse.arrow.reading import COLUMNS
from uriparse.coerce import as_choice, as_instance, refusal
from uriparse.errors import MissingPackageError
from uriparse.parsing.parser import REFERENCE_RULES
from uriparse.validation import Policy
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
    from uriparse.arrow import ChunkedColumn
    from uriparse.arrow.importing import ArrowColumn

__all__ = ["register"]

_RULES = {"rfc3986": "URI", "rfc3987": "IRI"}


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    grammar: str = "rfc3986",
    policy: Policy = OUTBOUND,
    prefix: str = "uri_",
) -> duckdb.DuckDBPyConnection:
    """Add the functions below to a connection, and return it.

    - `uri_is_valid(text)`, a BOOLEAN: whether the rule URI derives it;
    - `uri_stop(text)`, a BIGINT: the offset in characters where it stops being a URI, NULL for one;
    - `uri_split(text)`, a STRUCT of the components and host_kind, NULL for an invalid one;
    - `uri_normalize(text)`, a VARCHAR: its normal form by syntax, NULL for an invalid one;
    - `uri_whatwg(text)`, a VARCHAR: what browsers make of it, NULL where they refuse it;
    - `uri_verdict(text)`, a VARCHAR: why the policy refuses it, NULL if it does not;
    - `uri_findings(text)`, a VARCHAR[]: the codes of all that the policy finds.

    grammar: "rfc3987" for IRIs and IRI references; a policy has its own.
    policy: by default what a server may fetch on behalf of others.
    prefix: of the names, so that several grammars and policies can be had at once.

    See `uriparse.arrow` for each. TypeError if it is not a connection or a policy; ValueError for
    another grammar; DuckDB's own errors for names that are taken.
    """
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise refusal(connection, "connection", "a connection, such as duckdb.connect()")
    as_instance(policy, Policy, "policy")
    name = as_choice(grammar, "grammar", tuple(REFERENCE_RULES))
    rule, widest = _RULES[name], REFERENCE_RULES[name]
    text = duckdb.sqltype("VARCHAR")
    parts = duckdb.struct_type(dict.fromkeys(COLUMNS, text))
    create: Any = connection.create_function  # whose types differ between versions
    for function, kind in (
        (partial(arrow.is_valid, rule=rule, grammar=name), duckdb.sqltype("BOOLEAN")),
        (partial(arrow.stop, rule=rule, grammar=name), duckdb.sqltype("BIGINT")),
        (partial(arrow.split, rule=widest, grammar=name), parts),
        (partial(arrow.normalize, grammar=name), text),
        (partial(arrow.whatwg), text),
        (partial(arrow.verdict, policy=policy), text),
        (partial(arrow.findings, policy=policy), duckdb.list_type(text)),
    ):
        create(
            f"{prefix}{function.func.__name__}",
            _reader(function),
            [text],
            kind,
            type="arrow",
            null_handling="special",
        )
    return connection


def _reader(
    function: Callable[[ArrowColumn], ChunkedColumn],
) -> Callable[[ArrowColumn], pa.ChunkedArray]:
    """Wrap a function for DuckDB, which would read types from its signature."""
    return lambda column: pa.chunked_array(function(column))
