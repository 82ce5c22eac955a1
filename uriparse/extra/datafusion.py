"""For DataFusion: functions of SQL, which read a column a batch at a time.

>>> import datafusion
>>> context = register(datafusion.SessionContext())
>>> context.sql("SELECT uri_host('//h:80?') AS host").to_pydict()
{'host': ['h']}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._base.coerce import refusal
from uriparse.arrow.engines import engine_functions
from uriparse.errors import MissingPackageError
from uriparse.validation.report import OUTBOUND

try:
    import datafusion
except ImportError:
    raise MissingPackageError("datafusion", __name__) from None
try:
    import pyarrow as pa
except ImportError:  # DataFusion passes its batches in it
    raise MissingPackageError("pyarrow", __name__) from None

if TYPE_CHECKING:
    from uriparse.arrow.hosts import DomainOf
    from uriparse.validation import Policy

__all__ = ["register"]


def register(
    context: datafusion.SessionContext,
    *,
    grammar: str = "rfc3986",
    policy: Policy = OUTBOUND,
    domain_of: DomainOf | None = None,
    prefix: str = "uri_",
) -> datafusion.SessionContext:
    """Add the functions of `uriparse.extra.duckdb.register` to a context, and return it.

    Parameters as there. TypeError if it is not a context or a policy; ValueError for another
    grammar.
    """
    if not isinstance(context, datafusion.SessionContext):
        raise refusal(context, "context", "a context, such as datafusion.SessionContext()")
    for name, (call, kind, inputs) in engine_functions(grammar, policy, domain_of).items():
        given = [pa.string()] * inputs
        context.register_udf(datafusion.udf(call, given, kind, "immutable", f"{prefix}{name}"))
    return context
