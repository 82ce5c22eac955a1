"""For Polars: the namespace `uri` of expressions and of series, which importing this registers.

>>> import polars as pl
>>> frame = pl.DataFrame({"url": ["HTTP://example.com/%7ea", "http://h/a b", None]})
>>> frame.select(pl.col("url").uri.is_valid())["url"].to_list()
[True, False, None]
>>> frame["url"].uri.host().to_list(), frame["url"].uri.normalize()[0]
(['example.com', None, None], 'http://example.com/~a')

Columns may be String, Binary, Categorical or Enum. Expressions are elementwise, so that lazy
frames stream and push filters past them; the kernel runs without Python's lock.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from uriparse import arrow
from uriparse.arrow.by_rows import COMPONENTS
from uriparse.errors import MissingPackageError

try:
    import polars as pl
except ImportError:
    raise MissingPackageError("polars", __name__) from None

if TYPE_CHECKING:
    from collections.abc import Callable

    from polars._typing import PolarsDataType

    from uriparse.arrow import ChunkedColumn
    from uriparse.parsing import Reference
    from uriparse.records.derived import NormalLevel

__all__ = ["URIExpr", "URISeries"]

_T = TypeVar("_T", pl.Expr, pl.Series)

_PARTS = pl.Struct(dict.fromkeys((*COMPONENTS, "host_kind"), pl.String))


class _Namespace(Generic[_T]):
    """What expressions and series have alike."""

    def __init__(self, given: _T) -> None:
        self._given: _T = given

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> _T:
        raise NotImplementedError

    def is_valid(self, rule: str = "URI", *, grammar: str = "rfc3986") -> _T:
        """Tell whether the rule derives each text; see `uriparse.arrow.is_valid`."""
        return self._made(partial(arrow.is_valid, rule=rule, grammar=grammar), pl.Boolean())

    def stop(self, rule: str = "URI", *, grammar: str = "rfc3986") -> _T:
        """Tell the offset, in characters, where each text fails; see `uriparse.arrow.stop`."""
        return self._made(partial(arrow.stop, rule=rule, grammar=grammar), pl.Int64())

    def split(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Split each text into a struct of its components; see `uriparse.arrow.split`."""
        return self._made(partial(arrow.split, rule=rule, grammar=grammar), _PARTS)

    def normalize(self, level: NormalLevel = "syntax", *, grammar: str = "rfc3986") -> _T:
        """Normalize each text; see `uriparse.arrow.normalize`."""
        return self._made(partial(arrow.normalize, level=level, grammar=grammar), pl.String())

    def resolve(self, base: Reference, *, strict: bool = True) -> _T:
        """Resolve each text against a base; see `uriparse.arrow.resolve`."""
        return self._made(partial(_resolved, base=base, strict=strict), pl.String())

    def scheme(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the scheme of each text; null without one, and where the text is refused."""
        return self._part("scheme", rule, grammar)

    def authority(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the authority of each text; null without one, and where the text is refused."""
        return self._part("authority", rule, grammar)

    def userinfo(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the userinfo of each text; null without one, and where the text is refused."""
        return self._part("userinfo", rule, grammar)

    def host(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the host of each text; null without one, and where the text is refused."""
        return self._part("host", rule, grammar)

    def host_kind(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the kind of each text's host: "IPv4", "IPv6", "IPvFuture" or "RegName"."""
        return self._part("host_kind", rule, grammar)

    def port(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the port of each text, as written; null without one, and where it is refused."""
        return self._part("port", rule, grammar)

    def path(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the path of each text; null where the text is refused."""
        return self._part("path", rule, grammar)

    def query(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the query of each text; null without one, and where the text is refused."""
        return self._part("query", rule, grammar)

    def fragment(self, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> _T:
        """Give the fragment of each text; null without one, and where the text is refused."""
        return self._part("fragment", rule, grammar)

    def _part(self, name: str, rule: str, grammar: str) -> _T:
        return self.split(rule, grammar=grammar).struct.field(name)


@pl.api.register_expr_namespace("uri")
class URIExpr(_Namespace[pl.Expr]):
    """What `polars.col("url").uri` has: elementwise expressions of the same name as their input."""

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> pl.Expr:
        made = partial(_series, function=function)
        return self._given.map_batches(made, return_dtype=kind, is_elementwise=True)


@pl.api.register_series_namespace("uri")
class URISeries(_Namespace[pl.Series]):
    """What `series.uri` has: series of the same name."""

    def _made(self, function: Callable[..., ChunkedColumn], kind: PolarsDataType) -> pl.Series:
        del kind
        return _series(self._given, function)


def _series(given: pl.Series, function: Callable[..., ChunkedColumn]) -> pl.Series:
    return pl.Series(given.name, function(given))


def _resolved(column: pl.Series, base: Reference, *, strict: bool) -> ChunkedColumn:
    return arrow.resolve(base, column, strict=strict)
