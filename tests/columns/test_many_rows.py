"""Corrupted rows through every engine say what pure Python says of single texts."""

from importlib.util import find_spec

import pytest
from paths import ROOT

pa = pytest.importorskip("pyarrow")
pytest.importorskip("psutil")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # the engines' own

IN_PROCESS = "Arrow", "Polars", "DuckDB", "DataFusion", "Daft"


@pytest.fixture
def many_rows(monkeypatch):
    """The benchmarks are not installed: they are imported from the clone."""
    monkeypatch.syspath_prepend(str(ROOT))
    from tools.bench import many_rows

    return many_rows


def test_every_engine_says_what_single_texts_say(many_rows, capsys, monkeypatch):
    monkeypatch.delenv("URIPARSE_PURE", raising=False)
    chosen = [word for engine in IN_PROCESS for word in ("--engine", engine)]
    assert many_rows.main(["--check", "--rows", "20000", *chosen]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[3:-1]]
    assert {line[-1] for line in lines} == {"0"}
    there = {engine for engine in IN_PROCESS if engine == "Arrow" or find_spec(engine.lower())}
    assert {line[0] for line in lines} >= there


def test_a_wrong_row_is_counted(many_rows):
    kind = pa.struct([("path", pa.string()), ("host", pa.string())])
    right = pa.array([{"path": "a"}, None, {"path": "", "host": "h"}], kind)
    wrong = pa.array([{"path": "a", "host": ""}, {"path": ""}, {"path": "", "host": "H"}], kind)
    right, wrong = pa.chunked_array([right]), pa.chunked_array([wrong])
    assert many_rows.differing(right, right) == 0
    assert many_rows.differing(wrong, right) == 2  # of one field
    flags = pa.chunked_array([[True, None, False]])
    assert many_rows.differing(flags, pa.chunked_array([[None, True, False]])) == 2
