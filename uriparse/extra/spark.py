"""For Spark: functions of columns, which the Python workers read a batch at a time.

    frame.select(uriparse.extra.spark.is_valid("url"), uriparse.extra.spark.split("url").host)

They need Spark 4.1, whose functions take Arrow arrays; `extend` does the same from Spark 3.3 on.
uriparse has to be installed where the workers run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from uriparse import arrow
from uriparse._base.coerce import as_str
from uriparse.arrow.engines import engine_functions
from uriparse.arrow.reading import COLUMNS
from uriparse.errors import MissingPackageError
from uriparse.validation.report import OUTBOUND

try:
    import pyspark.sql.functions
    from pyspark.sql.types import (
        ArrayType,
        BooleanType,
        LongType,
        StringType,
        StructField,
        StructType,
    )
except ImportError:
    raise MissingPackageError("pyspark", __name__) from None
try:
    import pyarrow as pa
except ImportError:  # Spark passes its batches in it
    raise MissingPackageError("pyarrow", __name__) from None

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

    from uriparse.arrow import ChunkedColumn
    from uriparse.arrow.hosts import DomainOf
    from uriparse.records.references import NormalLevel
    from uriparse.validation import Policy

__all__ = [
    "extend", "findings", "host", "is_valid", "normalize", "registered_domain", "resolve",
    "split", "stop", "verdict", "whatwg",
]  # fmt: skip

_PARTS = StructType([StructField(name, StringType()) for name in COLUMNS])

_FUNCTIONS: Mapping[str, tuple[DataType, Callable[..., ChunkedColumn]]] = {
    "is_valid": (BooleanType(), arrow.is_valid),
    "stop": (LongType(), arrow.stop),
    "split": (_PARTS, arrow.split),
    "host": (StringType(), arrow.host),
    "registered_domain": (StringType(), arrow.registered_domain),
    "normalize": (StringType(), arrow.normalize),
    "whatwg": (StringType(), arrow.whatwg),
    "verdict": (StringType(), arrow.verdict),
    "findings": (ArrayType(StringType()), arrow.findings),
}
"""The functions, and the types of their columns."""


def is_valid(column: Column | str, rule: str = "URI", *, grammar: str = "rfc3986") -> Column:
    """Return whether the rule derives each text: a boolean; see `uriparse.arrow.is_valid`."""
    return _applied("is_valid", column, rule=rule, grammar=grammar)


def stop(column: Column | str, rule: str = "URI", *, grammar: str = "rfc3986") -> Column:
    """Return the offset, in characters, where each text fails; see `uriparse.arrow.stop`."""
    return _applied("stop", column, rule=rule, grammar=grammar)


def split(column: Column | str, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> Column:
    """Split each text into a struct of its components; see `uriparse.arrow.split`."""
    return _applied("split", column, rule=rule, grammar=grammar)


def host(column: Column | str, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> Column:
    """Return the host of each text as written; see `uriparse.arrow.host`."""
    return _applied("host", column, rule=rule, grammar=grammar)


def registered_domain(column: Column | str, domain_of: DomainOf | None = None) -> Column:
    """Return the registered domain of each host; see `uriparse.arrow.registered_domain`."""
    return _applied("registered_domain", column, domain_of=domain_of)


def normalize(
    column: Column | str, level: NormalLevel = "scheme", *, grammar: str = "rfc3986"
) -> Column:
    """Normalize each text; see `uriparse.arrow.normalize`."""
    return _applied("normalize", column, level=level, grammar=grammar)


def resolve(base: Column | str, column: Column | str, *, grammar: str = "rfc3986") -> Column:
    """Resolve each text against the base of its row; null if one of them is invalid.

    For one base give `pyspark.sql.functions.lit("http://h/")`. RFC 3986 section 5.2.
    """
    call = engine_functions(grammar, OUTBOUND, None)["resolve"].call

    def run(bases: pa.Array, values: pa.Array) -> pa.Array:
        return call(bases, values)

    return _function("resolve", run, StringType())(base, column)


def whatwg(column: Column | str) -> Column:
    """Return what browsers make of each text; see `uriparse.arrow.whatwg`."""
    return _applied("whatwg", column)


def verdict(column: Column | str, policy: Policy = OUTBOUND) -> Column:
    """Return the code of why a policy refuses each text; see `uriparse.arrow.verdict`."""
    return _applied("verdict", column, policy=policy)


def findings(column: Column | str, policy: Policy = OUTBOUND) -> Column:
    """Return the codes of what a policy finds: an array; see `uriparse.arrow.findings`."""
    return _applied("findings", column, policy=policy)


def extend(frame: DataFrame, column: str, **named: str) -> DataFrame:
    """Add columns to a frame, made of one of its columns of strings.

    named: the names of the new columns, by what they hold: `is_valid`, `stop`, `split`,
        `host`, `registered_domain`, `normalize`, `whatwg`, `verdict`, `findings`, each with its
        defaults.

        uriparse.extra.spark.extend(frame, "url", is_valid="valid", split="parts")

    Before Spark 4.1 by `mapInArrow`, past which Spark moves no filter: filter and select first.

    TypeError for an unknown function; ValueError for a column that the frame does not have, or
    has already.
    """
    name = as_str(column, "column")
    unknown = [function for function in named if function not in _FUNCTIONS]
    if unknown:
        raise TypeError(f"extend makes {', '.join(_FUNCTIONS)}, and no {unknown[0]}")
    fields = StructType(list(frame.schema))
    if name not in fields.names:
        raise ValueError(f'column: the frame has no "{name}"; it has {", ".join(fields.names)}')
    for function, new in named.items():
        if new in fields.names:
            raise ValueError(f'{function}: the frame has a column "{new}"')
        fields = fields.add(new, _FUNCTIONS[function][0])
    made = tuple(named)
    if "arrow_udf" in vars(pyspark.sql.functions):  # through which filters get to a scan
        given = frame["`" + name.replace("`", "``") + "`"]
        return frame.select("*", *(_applied(one, given).alias(named[one]) for one in made))

    def extended(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            given = batch.column(name)
            columns = [_array(_FUNCTIONS[function][1], given) for function in made]
            yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names=fields.names)

    return frame.mapInArrow(extended, fields)


def _applied(name: str, column: Column | str, **options: str | Policy | DomainOf | None) -> Column:
    kind, function = _FUNCTIONS[name]
    applied = partial(function, **options)

    def run(values: pa.Array) -> pa.Array:
        return _array(applied, values)

    return _function(name, run, kind)(column)


def _function(name: str, run: Callable[..., pa.Array], kind: DataType) -> Callable[..., Column]:
    known = vars(pyspark.sql.functions)
    if "arrow_udf" not in known:
        raise NotImplementedError(
            f"uriparse.extra.spark.{name} needs Spark 4.1 or later; extend does the same before"
        )
    made: Callable[..., Column] = known["arrow_udf"](run, kind)
    return made


def _array(function: Callable[..., ChunkedColumn], values: pa.Array) -> pa.Array:
    return pa.array(function(values))
