"""Spark: functions of columns say what the functions for single texts say; in a JVM of its own."""

import os
import shutil
import sys

import pytest
from columns.cases import COMPONENTS, SPARK

import uriparse
from uriparse import try_parse

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("java") or os.environ.get("JAVA_HOME")), reason="there is no Java here"
    ),
    pytest.mark.filterwarnings("ignore"),  # Spark's own
]

TEXTS = ["HTTP://u@h:80/%7ea?b#c", "a b", None, "//[::1]", "http://h/é", "", "urn:a:b"]
RECORDS = [t if t is None else try_parse(t) for t in TEXTS]
PARTS = [
    r if r is None else [p if (p := getattr(r, name)) is None else str(p) for name in COMPONENTS]
    for r in RECORDS
]
VERDICTS = [t if t is None else uriparse.is_valid(t) for t in TEXTS]
NORMAL = [r if r is None else str(uriparse.normalize(r)) for r in RECORDS]


@pytest.fixture(scope="module")
def frame():
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        for name, value in SPARK.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        rows = [(number, text) for number, text in enumerate(TEXTS)]
        yield session.createDataFrame(rows, "n int, url string").repartition(2)
        session.stop()


def taken(frame):
    return sorted(frame.collect(), key=lambda row: row.n)


def parts(row):
    return row if row is None else [row[name] for name in COMPONENTS]


def test_texts_are_resolved_against_the_base_of_their_row(frame):
    from pyspark.sql.functions import concat, lit, when

    from uriparse.extra.spark import uri

    assert frame.select(uri("url").host()).columns == ["host(url)"]

    base = when(frame.n == 3, None).when(frame.n == 5, lit("//h")).otherwise(lit("http://b/c/d"))
    rows = taken(
        frame.select(
            "n",
            uri("url").resolve("http://b/c/d").alias("one"),
            uri(concat(lit("../"), "url")).resolve(base).alias("many"),
            uri(frame.url).resolve("http://b/", grammar="rfc3987").alias("iri"),
        )
    )
    one = [r if r is None else str(uriparse.resolve("http://b/c/d", r)) for r in RECORDS]
    assert [row.one for row in rows] == one
    assert [row.many for row in rows] == [
        *("http://b/HTTP://u@h:80/%7ea?b#c", None, None, None, None, None),
        "http://b/urn:a:b",
    ]
    assert rows[4].iri == "http://h/é"


@pytest.mark.parametrize("functions", [True, False])
def test_frames_are_extended_also_where_functions_take_no_arrow(frame, monkeypatch, functions):
    import pyspark.sql.functions

    from uriparse.extra import spark

    if not functions:
        monkeypatch.delattr(pyspark.sql.functions, "arrow_udf", raising=False)  # new in 4.1
    made = spark.extend(
        frame, "url", is_valid="valid", split="parts", normalize="normal", stop="at"
    )
    assert made.columns == ["n", "url", "valid", "parts", "normal", "at"]
    rows = taken(made)
    assert [row.url for row in rows] == TEXTS
    assert [row.valid for row in rows] == VERDICTS
    assert [parts(row.parts) for row in rows] == PARTS
    assert [row.normal for row in rows] == NORMAL
    with pytest.raises(TypeError, match=r"^extend makes is_valid, stop, .*, whatwg, and no hosts$"):
        spark.extend(frame, "url", hosts="host")
    with pytest.raises(ValueError, match=r'^column: the frame has no "uri"; it has n, url$'):
        spark.extend(frame, "uri")
    with pytest.raises(ValueError, match=r'^is_valid: the frame has a column "n"$'):
        spark.extend(frame, "url", is_valid="n")
    if functions:
        return
    with pytest.raises(NotImplementedError, match=r"needs Spark 4\.1 or later for is_valid; ext"):
        spark.uri("url").is_valid()
