"""A part that is kept belongs to its policy, arguments, version and input, or is an error."""

import csv
import io
import json
import os
import sys
from pathlib import Path

import pytest
from cases import each_case
from command_runs import run_uriparse, running
from marks import mostly_slow

pytestmark = pytest.mark.usefixtures("place")

LOCAL, PUBLIC = "http://127.0.0.1/", "https://example.com/"
FORMS = ("parquet", "csv", "ndjson")
CELLS = ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "\uff1d1", "http://h/;=1", '"=1', "a=b"]
SAFE = [f"'{cell}" if cell in CELLS[:8] else cell for cell in CELLS]
here = running("validate")  # which starts no process


def run(*argv, stdin=None, **options):
    options |= {"stdin": stdin} if stdin is not None else {"input": b""}
    done = run_uriparse("validate", *argv, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def without_pyarrow():
    """Give an environment in which there is none."""
    Path("sitecustomize.py").write_text("import sys; sys.modules['pyarrow'] = None\n")
    return {"env": {**os.environ, "PYTHONPATH": str(Path.cwd())}}


def write(form, name, urls):
    path = Path("in", f"{name}.{form}")
    path.parent.mkdir(exist_ok=True)
    if form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table({"url": urls}), str(path))
    elif form == "csv":
        path.write_text("\n".join(["url", *urls, ""]), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps({"url": url}) + "\n" for url in urls), encoding="utf-8")


def argv_of(form):
    source = "--parquet=in" if form == "parquet" else "--file=in"
    column = "--field=url" if form == "ndjson" else "--column=url"
    return source, column, "--out=o", "-c"


@pytest.mark.slow
@pytest.mark.parametrize("form", mostly_slow(FORMS, "csv"))
def test_what_a_part_was_made_of_is_told(form, tmp_path):
    pytest.importorskip("pyarrow")
    write(form, "a", [LOCAL])
    write(form, "b", [PUBLIC])
    argv, counts = argv_of(form), "accepted {}\nrefused {}\n"
    Path("p.toml").write_text('preset = "web"\n', encoding="utf-8")

    def told(why, *options, **others):
        code, out, err = run(*argv, "--resume", *options, **others)
        lines = [
            f"uriparse validate: o/{one}.{form}: it is there already, but it was made by another"
            f" {why}; --force replaces it"
            for one in "ab"
        ]
        assert (code, out) == (2, counts.format(0, 0))
        assert err.splitlines() == lines

    assert run(*argv, "--policy=syntax") == (0, counts.format(2, 0), "")
    assert run(*argv, "--policy=syntax", "--resume") == (0, counts.format(2, 0), "")
    told("policy", "--policy=outbound")
    told("policy")
    told("arguments", "--policy=syntax", "--grammar=rfc3987")
    told("policy", "--policy=p.toml")
    # The policy is its text: a file of the same name says something else.
    assert run(*argv, "--policy=p.toml", "--resume", "--force") == (0, counts.format(2, 0), "")
    assert run(*argv, "--policy=p.toml", "--resume", "--jobs=2") == (0, counts.format(2, 0), "")
    Path("p.toml").write_text('preset = "outbound"\n', encoding="utf-8")
    told("policy", "--policy=p.toml")
    # A new version may judge otherwise.
    (tmp_path / "sitecustomize.py").write_text("import uriparse; uriparse.__version__ = '9'\n")
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": paths}
    assert run(*argv, "--resume", "--force") == (1, counts.format(1, 1), "")
    told("version", env=environment)


@pytest.mark.parametrize("form", FORMS)
def test_an_input_that_has_changed_is_seen(form, here):
    pytest.importorskip("pyarrow")
    write(form, "a", [PUBLIC])
    write(form, "b", [PUBLIC])
    argv = argv_of(form)
    assert here(*argv)[0] == 0
    path = Path(f"in/b.{form}")
    before = path.stat()
    write(form, "b", [PUBLIC.replace("example.com", "127.0.0.001")])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    code, out, err = here(*argv, "--resume")
    assert (code, out) == (2, "accepted 1\nrefused 0\n")
    assert err == (
        f"uriparse validate: o/b.{form}: it is there already, but it was made by another input;"
        " --force replaces it\n"
    )
    assert here(*argv, "--resume", "--force") == (1, "accepted 1\nrefused 1\n", "")
    assert here(*argv, "--resume") == (1, "accepted 1\nrefused 1\n", "")
    # The same input in another place, with another time, is the same.
    os.utime(path)
    assert here(*argv, "--resume") == (1, "accepted 1\nrefused 1\n", "")


@pytest.mark.slow
@each_case("has_pyarrow", [True, False])
def test_a_table_of_which_nothing_is_known_is_not_kept(has_pyarrow):
    write("csv", "a", [PUBLIC])
    one = ["--file=in/a.csv", "--column=url", "--out=a.csv", "--force"]
    options = {} if has_pyarrow else without_pyarrow()
    assert run(*one, **options)[0] == 0
    code, _, err = run(*one[:-1], "--resume", **options)
    assert code == 2
    assert "a.csv: it is there already, but nothing says what it was made of; --force" in err
    assert run(*one, "--resume", **options)[0] == 0
    assert run(*one[:-1], "--resume", **options) == (0, "", "")
    Path("in/a.csv").write_text(f"url\n{LOCAL}\n", encoding="utf-8")
    assert "another input" in run(*one[:-1], "--resume", **options)[2]
    with Path("in/a.csv").open("rb") as source:
        code, _, err = run("--column=url", "--out=a.csv", "--resume", stdin=source)
    assert code == 2
    assert "standard input cannot be compared" in err


# Cells that a spreadsheet computes.


def csv_of(rows):
    made = io.StringIO()
    csv.writer(made, quoting=csv.QUOTE_ALL).writerows(rows)
    return made.getvalue()


@pytest.mark.slow
@each_case("has_pyarrow", [True, False])
def test_a_table_for_spreadsheets_begins_no_cell_with_a_formula(has_pyarrow):
    Path("t.csv").write_text(csv_of([["url", "=n"], *([c, c] for c in CELLS)]), "utf-8", newline="")
    options = {} if has_pyarrow else without_pyarrow()
    Path("o.csv").unlink(missing_ok=True)
    argv = ["--file=t.csv", "--column=url", "--out=o.csv", "--force", "-c"]
    plain = run(*argv, **options)
    assert run(*argv, "--csv-safe", **options) == plain
    with Path("o.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:3] == ["url", "'=n", "url_accepted"]
    assert [row[:2] for row in rows] == [[cell, cell] for cell in SAFE]
    assert not [c for row in rows for c in row if c.startswith(tuple("=+-@\t\r\n\uff1d"))]


def test_lines_of_csv_for_spreadsheets(here):
    Path("t.csv").write_text(csv_of([[c] for c in CELLS]), "utf-8", newline="")
    argv = ["--file=t.csv", "--column=1", "--format=csv", "--policy=syntax"]
    code, out, _ = here(*argv, "--csv-safe")
    head, *rows = csv.reader(io.StringIO(out, newline=""))
    assert (code, head[-1]) == (1, "text")
    assert [row[-1] for row in rows] == SAFE
    first = out.splitlines()[1]
    assert first.startswith('"1","false",')  # another delimiter splits no cell
    texts = [row[-1] for row in csv.reader(io.StringIO(here(*argv)[1], newline=""))][1:]
    assert texts == CELLS
    for options in ([], ["--format=ndjson"], ["--column=url", "--out=o.parquet"]):
        code, _, err = here("--csv-safe", *options)
        told = "uriparse validate: --csv-safe is for CSV: --format csv, or --out FILE.csv\n"
        assert (code, err) == (2, told)
