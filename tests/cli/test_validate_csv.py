"""`uriparse validate --out x.csv` where there is no pyarrow: CSV in, and out again."""

import csv
import gzip
import sys
from pathlib import Path

import pytest
from cases import tables
from cli.verdicts import POLICIES, expected
from command_runs import running

from uriparse.cli import validation_tables

TABLES = tables(__file__)

TEXTS = [
    *("http://u:p@h:80/a?q#f", "http://h/a b", "//x?", "mailto:a@b,c", "", "http://[::1]/é"),
    *('a"b', "a\nb", "80", "http://127.1/", "ftp://h/", "http://example.com/", "x:"),
]


plain = running("validate", "--policy=syntax", "--column=url", empty=True)


@pytest.fixture
def run(plain, monkeypatch):
    """Run the command in an empty directory, by syntax unless told otherwise, without pyarrow."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    return plain


def rows_of(name):
    with Path(name).open(encoding="utf-8", newline="") as file:
        return [*csv.reader(file)]


def cell(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("name", POLICIES)
def test_every_row_is_told_of_as_the_library_does(run, name):
    options, policy = POLICIES[name]
    with Path("t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["n", "url"], *enumerate(TEXTS)])
    wanted = [expected(text, policy) for text in TEXTS]
    verdicts = [row["accepted"] for row in wanted]
    assert set(verdicts) == {True, False}
    told = f"accepted {verdicts.count(True)}\nrefused {verdicts.count(False)}\n"
    assert run("--out=o.csv", *options, "--file=t.csv", "-c") == (1, told, "")
    names, *rows = rows_of("o.csv")
    assert names == ["n", "url", *(f"url_{part}" for part in wanted[0])]
    assert rows == [
        [str(number), text, *map(cell, row.values())]
        for number, (text, row) in enumerate(zip(TEXTS, wanted, strict=True))
    ]


def test_absent_is_nothing_and_empty_is_quoted(run):
    Path("t.csv").write_text("url\nx://@:?\nx:\n", encoding="utf-8")
    assert run("--out=o.csv", "--file=t.csv") == (0, "", "")
    assert Path("o.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        '"x://@:?",true,,,,"x","@:","","","","","",,"RegName"',
        '"x:",true,,,,"x",,,,,"",,,',
    ]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "-"])
def test_csv_comes_in_as_it_is_written(run, name):
    octets = '\ufeffn,url\r\n007,a:b\r\n\r\n8,"x:\r\n"'.encode()
    if name != "-":
        Path(name).write_bytes(gzip.compress(octets) if name.endswith("gz") else octets)
    assert run("--out=O.CSV", "--file", name, stdin=octets) == (1, "", "")
    rows = rows_of("O.CSV")
    assert [row[:3] for row in rows[1:]] == [["007", "a:b", "true"], ["8", "x:\r\n", "false"]]


@pytest.mark.parametrize(("octets", "message"), TABLES["faults"])
def test_a_fault_is_told_and_nothing_is_written(run, octets, message):
    Path("t.csv").write_bytes(octets)
    code, out, err = run("--out=o.csv", "--file=t.csv")
    assert (code, out) == (2, "")
    assert err.startswith(f"uriparse validate: {message}")
    assert [path.name for path in Path().iterdir()] == ["t.csv"]


def test_what_is_there_stays(run):
    Path("t.csv").write_text("url\na:\n", encoding="utf-8")
    Path("o.csv").write_text("mine", encoding="utf-8")
    assert run("--out=o.csv", "--file=t.csv")[0] == 2
    assert run("--out=t.csv", "--file=t.csv", "--force")[0] == 2
    assert Path("o.csv").read_text(encoding="utf-8") == "mine"
    assert run("--out=o.csv", "--file=t.csv", "--force") == (0, "", "")
    assert run("--out=no/o.csv", "--file=t.csv")[0] == 2


def test_parquet_needs_pyarrow(run):
    Path("t.csv").write_text("url\na:\n", encoding="utf-8")
    code, out, err = run("--out=o.parquet", "--file=t.csv")
    assert (code, out) == (2, "")
    assert "needs pyarrow, which is not installed: pip install pyarrow" in err


def test_a_row_is_judged_once_for_its_summary_too(run, monkeypatch):
    asked = []
    for name in ("evaluate", "first_reason"):
        judge = getattr(validation_tables, name)
        monkeypatch.setattr(
            validation_tables,
            name,
            lambda *given, _judge=judge: asked.append(given) or _judge(*given),
        )
    Path("t.csv").write_text("url\n" + "\n".join(["http://h/", "a b"] * 5) + "\n", "utf-8")
    code, out, _ = run("--out=o.csv", "--file=t.csv", "--summary")
    assert (code, out.partition("\n")[0]) == (1, "10 texts: 5 accepted, 5 refused")
    assert len(asked) == 10
