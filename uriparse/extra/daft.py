"""For Daft: functions of expressions and of SQL, which read a column a batch at a time.

>>> import daft
>>> uri = functions()
>>> frame = daft.from_pydict({"url": ["http://h/", "a b", None]})
>>> frame.select(uri["is_valid"](frame["url"])).to_pydict()
{'url': [True, False, None]}

`daft.attach_function(uri["host"], "uri_host")` makes one a function of SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from uriparse.arrow.engines import engine_functions
from uriparse.errors import MissingPackageError
from uriparse.validation.report import OUTBOUND

try:
    import daft
except ImportError:
    raise MissingPackageError("daft", __name__) from None

if TYPE_CHECKING:
    import pyarrow as pa

    from uriparse.arrow.hosts import DomainOf
    from uriparse.validation import Policy

__all__ = ["functions"]


def functions(
    *, grammar: str = "rfc3986", policy: Policy = OUTBOUND, domain_of: DomainOf | None = None
) -> dict[str, Callable[..., daft.Expression]]:
    """Return the functions of `uriparse.extra.duckdb.register` by their names, without a prefix.

    Parameters as there. TypeError if it is not a policy; ValueError for another grammar.
    """
    found = engine_functions(grammar, policy, domain_of)
    return {name: _made(name, call, kind) for name, (call, kind, _) in found.items()}


def _made(
    name: str, call: Callable[..., pa.Array], kind: pa.DataType
) -> Callable[..., daft.Expression]:
    def run(*columns: daft.Series) -> daft.Series:
        return daft.Series.from_arrow(call(*(column.to_arrow() for column in columns)))

    run.__name__ = name
    made: Callable[..., daft.Expression] = daft.func.batch(
        return_dtype=daft.DataType.from_arrow_type(kind)
    )(run)
    return made
