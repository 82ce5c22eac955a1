"""Columns in the engines: uriparse beside each engine's own expressions and functions of URLs.

Arrow, Polars and DuckDB are measured in processor time of all their threads; Spark, which works in
processes of its own, by the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from .tables import ratio, seconds, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyspark.sql import Column

    from .operations import Inputs

    Run = Callable[[], Any]
    Engine = Callable[[list[str]], Iterator[tuple[str, bool, Run]]]

ROWS = 100_000
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One way of one engine.

    Attributes:
        seconds: for one row, of the fastest round.
        accepts, refuses: wrong verdicts among those judged; None where it gives none.

    """

    engine: str
    way: str
    seconds: float
    accepts: int | None = None
    refuses: int | None = None
    judged: int = 0


def _arrow(texts: list[str]) -> Iterator[tuple[str, bool, Run]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    from uriparse import arrow
    from uriparse.grammar.expressions import pattern

    column, expression = pa.array(texts), pattern("URI", flavour="re2")
    yield "uriparse is_valid", True, lambda: pa.array(arrow.is_valid(column))
    yield "uriparse split", False, lambda: pa.array(arrow.split(column))
    yield "uriparse normalize", False, lambda: pa.array(arrow.normalize(column))
    yield "uriparse verdict", False, lambda: pa.array(arrow.verdict(column))
    yield "its regex (RE2)", True, lambda: pc.match_substring_regex(column, expression)


def _polars(texts: list[str]) -> Iterator[tuple[str, bool, Run]]:
    import polars as pl

    from uriparse.extra.polars import URIExpr
    from uriparse.grammar.expressions import pattern

    frame, url = pl.DataFrame({"url": texts}), pl.col("url")
    uri = URIExpr(url)
    expression = pattern("URI", flavour="rust")
    yield "uriparse is_valid", True, lambda: frame.select(uri.is_valid()).to_series()
    yield "uriparse split", False, lambda: frame.select(uri.split()).to_series()
    yield "uriparse host", False, lambda: frame.select(uri.host()).to_series()
    yield "uriparse verdict", False, lambda: frame.select(uri.verdict()).to_series()
    yield "its regex (Rust)", True, lambda: frame.select(url.str.contains(expression)).to_series()


def _duckdb(texts: list[str]) -> Iterator[tuple[str, bool, Run]]:
    import duckdb
    import pyarrow as pa

    from uriparse.extra.duckdb import register
    from uriparse.grammar.expressions import pattern

    connection = register(duckdb.connect(config={"threads": 1}))
    given = pa.table({"n": range(len(texts)), "url": texts})
    connection.register("given", given)
    connection.execute("CREATE TABLE urls AS SELECT * FROM given")
    expression = pattern("URI", flavour="re2").replace("'", "''")

    def ask(what: str) -> Run:
        query = f"SELECT {what} AS found FROM urls ORDER BY n"
        return lambda: connection.sql(query).to_arrow_table().column("found")

    yield "uriparse is_valid", True, ask("uri_is_valid(url)")
    yield "uriparse split", False, ask("uri_split(url)")
    yield "uriparse verdict", False, ask("uri_verdict(url)")
    yield "its regex (RE2)", True, ask(f"regexp_matches(url, '{expression}')")


def _spark(texts: list[str]) -> Iterator[tuple[str, bool, Run]]:
    import sys
    from os import environ

    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, expr

    from uriparse.extra import spark
    from uriparse.grammar.expressions import pattern

    environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    frame = session.createDataFrame(enumerate(texts), "n int, url string").coalesce(1).cache()
    frame.count()
    expression = pattern("URI", flavour="java")

    def ask(column: Column) -> Run:
        made = frame.select("n", column.alias("found"))
        return lambda: made.toArrow().sort_by("n").column("found")

    yield "uriparse is_valid", True, ask(spark.is_valid("url"))
    yield "uriparse split", False, ask(spark.split("url"))
    yield "uriparse verdict", False, ask(spark.verdict("url"))
    yield "its regex (Java)", True, ask(col("url").rlike(expression))
    host = "try_parse_url(url, 'HOST')"
    yield "its parse_url", True, ask(expr(f"{host} IS NOT NULL"))
    yield "nothing but the column", False, ask(col("url"))


ENGINES: dict[str, Engine] = {
    "Arrow": _arrow,
    "Polars": _polars,
    "DuckDB": _duckdb,
    "Spark": _spark,
}


def measure(
    inputs: Inputs,
    tell: Callable[[str], object],
    rows: int | None = None,
    engines: Mapping[str, Engine] | None = None,
) -> Iterator[Row]:
    """Yield the rows of those engines that are there, by default of all."""
    real = inputs["real"]
    count = ROWS if rows is None else rows
    texts = (real * (count // len(real) + 1))[:count]
    from uriparse import is_valid

    judged = [*real, *inputs["ipv6"], *inputs["corrupted"]]
    known = [is_valid(text) for text in judged]
    for name, engine in (ENGINES if engines is None else engines).items():
        tell(f"columns: {name} ...")
        clock = perf_counter if name == "Spark" else process_time
        try:
            for (way, answers, run), (_, _, judge) in zip(
                engine(texts), engine(judged), strict=True
            ):
                each = min(_once(run, clock) for _ in range(ROUNDS)) / len(texts)
                if not answers:
                    yield Row(name, way, each)
                    continue
                found = [bool(value) for value in _listed(judge())]
                pairs = list(zip(found, known, strict=True))
                accepts, refuses = pairs.count((True, False)), pairs.count((False, True))
                yield Row(name, way, each, accepts, refuses, len(known))
        except (ImportError, AttributeError) as error:
            tell(f"columns: not there: {name} ({error})")


def _once(run: Run, clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return clock() - start


def _listed(values: Any) -> list[object]:
    made = getattr(values, "to_pylist", None) or values.to_list
    return list(made())


def render(rows: Sequence[Row]) -> str:
    """One table."""
    ours = {row.engine: row.seconds for row in reversed(rows) if row.accepts == row.refuses == 0}
    body = [
        [
            f"{row.engine}: {row.way}",
            seconds(row.seconds),
            ratio(row.seconds / ours[row.engine]) if row.engine in ours else "",
            "" if row.accepts is None else str(row.accepts),
            "" if row.refuses is None else str(row.refuses),
            str(row.judged or ""),
        ]
        for row in rows
    ]
    head = ["", "a row", "to is_valid", "wrongly valid", "wrongly invalid", "of"]
    return table("columns", head, body)
