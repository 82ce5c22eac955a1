"""For Polars: the namespace `uri` of expressions and of series, which importing this registers.

>>> import polars as pl
>>> frame = pl.DataFrame({"url": ["HTTP://example.com/%7ea", "http://h/a b", None]})
>>> frame.select(pl.col("url").uri.is_valid())["url"].to_list()
[True, False, None]
>>> frame["url"].uri.host().to_list(), frame["url"].uri.normalize()[0]
(['example.com', None, None], 'http://example.com/~a')

Columns may be String, Binary, Categorical or Enum; others raise a
`polars.exceptions.ComputeError`. Expressions are elementwise, so that lazy frames stream and push
filters past them.

For a rule that the C kernel has tables of, Polars itself calls the kernel to validate or split:
no Python runs, and the expression may be sent to processes that never import uriparse. Normalizing,
resolving and policies go through Python, and so does everything without the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Generic, TypeVar

from uriparse import arrow
from uriparse._native import kernel
from uriparse.arrow.reading import COLUMNS, FORMAT, order
from uriparse.errors import MissingPackageError
from uriparse.validation.report import OUTBOUND

try:
    import polars as pl
except ImportError:
    raise MissingPackageError("polars", __name__) from None

if TYPE_CHECKING:
    from polars._typing import PolarsDataType

    from uriparse.arrow import ChunkedColumn
    from uriparse.arrow.hosts import DomainOf
    from uriparse.parsing import Reference
    from uriparse.records.references import NormalLevel
    from uriparse.validation import Policy

__all__ = ["URIExpr", "URISeries"]

_T = TypeVar("_T", pl.Expr, pl.Series)

_PARTS = pl.Struct(dict.fromkeys(COLUMNS, pl.String))
_TEXTS = {pl.String, pl.Binary, pl.Categorical, pl.Enum, pl.Null}


class _Namespace(Generic[_T]):
    """The methods that expressions and series share."""

    def __init__(self, given: _T) -> None:
        self._given: _T = given

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> _T:
        raise NotImplementedError

    def _judged(
        self, function: Callable[..., ChunkedColumn], kind: PolarsDataType, rule: str, grammar: str
    ) -> _T:
        return self._made(partial(function, rule=rule, grammar=grammar), kind)

    def is_valid(self, rule: str = "URI", *, grammar: str = "rfc3986") -> _T:
        """Return whether the rule derives each text; see `uriparse.arrow.is_valid`."""
        return self._judged(arrow.is_valid, pl.Boolean(), rule, grammar)

    def stop(self, rule: str = "URI", *, grammar: str = "rfc3986") -> _T:
        """Return the offset, in characters, where each text fails; see `uriparse.arrow.stop`."""
        return self._judged(arrow.stop, pl.Int64(), rule, grammar)

    def split(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Split each text into a struct of its components; see `uriparse.arrow.split`."""
        return self._judged(arrow.split, _PARTS, rule, grammar)

    def normalize(self, level: NormalLevel = "scheme", *, grammar: str = "rfc3986") -> _T:
        """Normalize each text; see `uriparse.arrow.normalize`."""
        return self._made(partial(arrow.normalize, level=level, grammar=grammar), pl.String())

    def resolve(self, base: Reference, *, strict: bool = True, grammar: str = "rfc3986") -> _T:
        """Resolve each text against a base; see `uriparse.arrow.resolve`."""
        call = partial(_resolved, base=base, strict=strict, grammar=grammar)
        return self._made(call, pl.String())

    def registered_domain(self, domain_of: DomainOf | None = None) -> _T:
        """Return the registered domain of each host; see `uriparse.arrow.registered_domain`."""
        return self._made(partial(arrow.registered_domain, domain_of=domain_of), pl.String())

    def whatwg(self) -> _T:
        """Return what browsers make of each text; see `uriparse.arrow.whatwg`."""
        return self._made(arrow.whatwg, pl.String())

    def verdict(self, policy: Policy = OUTBOUND) -> _T:
        """Return the code of why a policy refuses each text; see `uriparse.arrow.verdict`."""
        return self._made(partial(arrow.verdict, policy=policy), pl.String())

    def findings(self, policy: Policy = OUTBOUND) -> _T:
        """Return the codes of what a policy finds; see `uriparse.arrow.findings`."""
        return self._made(partial(arrow.findings, policy=policy), pl.List(pl.String()))

    def scheme(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the scheme of each text; null without one, and where the text is refused."""
        return self._part("scheme", rule, grammar)

    def authority(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the authority of each text; null without one, and where the text is refused."""
        return self._part("authority", rule, grammar)

    def userinfo(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the userinfo of each text; null without one, and where the text is refused."""
        return self._part("userinfo", rule, grammar)

    def host(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the host of each text; null without one, and where the text is refused."""
        return self._part("host", rule, grammar)

    def host_kind(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the kind of each text's host: "IPv4", "IPv6", "IPvFuture" or "RegName"."""
        return self._part("host_kind", rule, grammar)

    def port(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the port of each text, as written; null without one, and where it is refused."""
        return self._part("port", rule, grammar)

    def path(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the path of each text; null where the text is refused."""
        return self._part("path", rule, grammar)

    def query(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the query of each text; null without one, and where the text is refused."""
        return self._part("query", rule, grammar)

    def fragment(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Return the fragment of each text; null without one, and where the text is refused."""
        return self._part("fragment", rule, grammar)

    def _part(self, name: str, rule: str, grammar: str) -> _T:
        return self.split(rule, grammar=grammar).struct.field(name)


@pl.api.register_expr_namespace("uri")
class URIExpr(_Namespace[pl.Expr]):
    """The namespace `polars.col("url").uri`: elementwise expressions named as their input."""

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> pl.Expr:
        made = partial(_batch, function=function)
        return self._given.map_batches(made, return_dtype=kind, is_elementwise=True)

    def _judged(
        self, function: Callable[..., ChunkedColumn], kind: PolarsDataType, rule: str, grammar: str
    ) -> pl.Expr:
        columns = COLUMNS if function is arrow.split else ()
        asked = order(rule, grammar, columns)
        if asked is None or not _takes_orders():
            return super()._judged(function, kind, rule, grammar)
        return _by_kernel(self._given, function.__name__, asked)

    def _part(self, name: str, rule: str, grammar: str) -> pl.Expr:
        asked = order(rule, grammar, (name,))
        if asked is None or not _takes_orders():
            return super()._part(name, rule, grammar)
        return _by_kernel(self._given, "component", asked).alias(name)


@pl.api.register_series_namespace("uri")
class URISeries(_Namespace[pl.Series]):
    """The namespace `series.uri`: series of the same name."""

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> pl.Series:
        del kind
        return _series(self._given, function)


def _series(given: pl.Series, function: Callable[..., ChunkedColumn]) -> pl.Series:
    return pl.Series(function(given)).alias(given.name)  # it has the name of what it reads


def _batch(given: pl.Series, function: Callable[..., ChunkedColumn]) -> pl.Series:
    if given.dtype.base_type() in _TEXTS:
        return _series(given, function)
    raise pl.exceptions.ComputeError(
        "column holds texts (String, Binary, Categorical or Enum), not "
        + str(given.dtype.base_type())
    )


def _resolved(column: pl.Series, base: Reference, *, strict: bool, grammar: str) -> ChunkedColumn:
    return arrow.resolve(base, column, strict=strict, grammar=grammar)


def _by_kernel(given: pl.Expr, function: str, asked: bytes) -> pl.Expr:
    """Let Polars call a function of the kernel by its name (polars.c), with an order."""
    return pl.plugins.register_plugin_function(
        plugin_path=str(getattr(kernel, "__file__", "")),
        function_name=function,
        args=[given],
        kwargs={"order": asked},
        is_elementwise=True,
    )


@cache
def _takes_orders() -> bool:
    """Try whether Polars can ask the kernel; an old one of either cannot."""
    trial = order("URI", "rfc3986")
    if trial is None or getattr(kernel, "ORDERS", None) != FORMAT:
        return False
    frame = pl.DataFrame({"": ["a:", "//h", None]})
    try:
        found = frame.select(_by_kernel(pl.col(""), "is_valid", trial))
    except (pl.exceptions.PolarsError, AttributeError, TypeError, OSError):
        return False
    return found.to_series().to_list() == [True, False, None]
