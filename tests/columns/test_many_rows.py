"""Corrupted rows through every engine of the benchmark: as pure Python judges single texts."""

import json
import os
import subprocess
import sys
from random import Random

import pytest
from paths import ROOT

pa = pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # the engines' own

COUNT = 4000
BY_SINGLE_TEXTS = """
import json, sys
import uriparse
from uriparse.arrow.reading import COMPONENTS

assert uriparse.implementation == "python"
rows = []
for text in json.load(sys.stdin):
    record, report = uriparse.try_parse(text), uriparse.validate(text)
    code = None if report else report.reasons[0].code
    if record is None:
        rows.append((uriparse.is_valid(text), None, None, None, code))
        continue
    parts = {name: getattr(record, name) for name in COMPONENTS}
    split = {name: None if part is None else str(part) for name, part in parts.items()}
    split["host_kind"] = None if record.host is None else type(record.host).__name__
    normal, target = uriparse.normalize(record), uriparse.resolve(sys.argv[1], record)
    rows.append((uriparse.is_valid(text), split, str(normal), str(target), code))
json.dump(rows, sys.stdout)
"""


@pytest.fixture(scope="module")
def bench():
    """The benchmarks are not installed: they are imported from the clone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        from tools.bench import columns, inputs

        yield columns, inputs


@pytest.fixture(scope="module")
def texts(bench):
    """One text in twenty is corrupted by a character."""
    random = Random(1)
    real = [bench[1].real(random) for _ in range(COUNT)]
    return [text if random.random() > 0.05 else bench[1].corrupted(text, random) for text in real]


@pytest.fixture(scope="module")
def expected(bench, texts):
    command = [sys.executable, "-c", BY_SINGLE_TEXTS, bench[0].BASE]
    environment = {**os.environ, "URIPARSE_ENGINE": "python"}
    done = subprocess.run(
        command, input=json.dumps(texts), env=environment, capture_output=True, check=True,
        text=True,
    )  # fmt: skip
    columns = dict(zip(bench[0].TASKS, zip(*json.loads(done.stdout), strict=True), strict=True))
    assert 0 < columns["is_valid"].count(False) < COUNT / 10
    return columns | {bench[0].REGEX: columns["is_valid"]}


@pytest.mark.parametrize("engine", ["Arrow", "Polars", "DuckDB", "DataFusion", "Daft"])
def test_every_engine_says_what_single_texts_say(bench, texts, expected, engine, monkeypatch):
    columns = bench[0]
    if engine == "Daft":  # which can be told its number of threads only once
        monkeypatch.setattr(pytest.importorskip("daft"), "set_runner_native", lambda **_: None)
    rows = pa.table({"n": range(COUNT), "url": texts})
    for task in (*columns.TASKS, *[columns.REGEX] * (engine in columns.WITH_REGEX)):
        try:
            found = columns.ENGINES[engine](rows, task, 2)().sort_by("n")["found"]
        except ImportError:
            pytest.skip(f"{engine} is not installed")
        # A struct of ours is null where its path is.
        plain = [None if isinstance(one, dict) and one["path"] is None else one
                 for one in found.to_pylist()]  # fmt: skip
        assert plain == list(expected[task]), (engine, task)


def test_the_cost_of_rows_is_measured(bench, texts):
    pytest.importorskip("psutil")
    told = []
    (row,) = bench[0].measure(
        texts, told.append, rows=1000, engines=["Arrow"], tasks=["is_valid"], threads=[1]
    )
    assert (row.engine, row.task, row.threads) == ("Arrow", "is_valid", 1)
    assert row.each > 0 < row.megabytes
    assert "is_valid" in bench[0].render([row])
