"""`uriparse validate` over several files and processes, and again after it has been ended."""

import gzip
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cases import tables
from command_runs import open_uriparse, running

from uriparse.validation import validate

TABLES = tables(__file__)

pyarrow = pytest.importorskip("pyarrow")
csv, parquet = (pytest.importorskip(f"pyarrow.{name}") for name in ("csv", "parquet"))

FORMS = ("parquet", "csv", "ndjson")
OPTIONS = {"parquet": "--parquet", "csv": "--file", "ndjson": "--file"}
FIELDS = {"parquet": "--column=url", "csv": "--column=url", "ndjson": "--field=url"}


run = running("validate", empty=True)


def texts(count, seed=0):
    """Return texts of which some are refused; distinct ones, for distinct seeds too."""
    kinds = ("https://a.com/{}", "http://127.1/{}", "ftp://h/{}", "a b{}", "http://u:p@h/{}?é")
    return [kinds[number % 5].format(f"{seed}-{number}") for number in range(count)]


def write(name, urls):
    """Write a table in the form of its name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"n": number, "url": url} for number, url in enumerate(urls)]
    if path.suffix == ".parquet":
        table = pyarrow.table({key: [row[key] for row in rows] for key in ("n", "url")})
        parquet.write_table(table, path, row_group_size=400, compression="zstd")
        return
    if ".csv" in path.name:
        octets = "".join(f"{row['n']},{row['url']}\n" for row in [{"n": "n", "url": "url"}, *rows])
    else:
        octets = "".join(json.dumps(row) + "\n" for row in rows)
    packed = gzip.compress(octets.encode()) if path.suffix == ".gz" else octets.encode()
    path.write_bytes(packed)


def judged(name):
    """Read the verdicts of a part, apart from the product."""
    if name.endswith(".parquet"):
        return parquet.read_table(name).select(["url", "url_accepted"]).to_pylist()
    if name.endswith(".csv"):
        rows = csv.read_csv(name).select(["url", "url_accepted"]).to_pylist()
    else:
        rows = map(json.loads, Path(name).read_text(encoding="utf-8").splitlines())
    return [{key: row[key] for key in ("url", "url_accepted")} for row in rows]


def expected(urls):
    return [{"url": url, "url_accepted": validate(url).accepted} for url in urls]


def command(form, source, *more):
    return (f"{OPTIONS[form]}={source}", FIELDS[form], *more)


@pytest.mark.parametrize("form", FORMS)
def test_several_processes_write_what_one_writes(run, monkeypatch, form):
    monkeypatch.setattr("uriparse.cli.validation_tables.ROWS", 300)
    monkeypatch.setattr("uriparse.cli.validation_tables.OCTETS", 9000)
    monkeypatch.setattr("uriparse.cli.validation_sources.MOST", 300)
    urls = texts(2000)
    write(f"t.{form}", urls)
    assert run(*command(form, f"t.{form}", f"--out=one.{form}", "-c")) == (
        1, "accepted 400\nrefused 1600\n", "",
    )  # fmt: skip
    code, out, _ = run(*command(form, f"t.{form}", f"--out=two.{form}", "-c", "--jobs=2"))
    assert (code, out) == (1, "accepted 400\nrefused 1600\n")
    assert Path(f"one.{form}").read_bytes() == Path(f"two.{form}").read_bytes()
    assert judged(f"two.{form}") == expected(urls)
    assert run(*command(form, f"t.{form}", "-c"))[:2] == (1, out)
    assert run(*command(form, f"t.{form}", "-c", "--jobs=2"))[:2] == (1, out)


@pytest.mark.parametrize("form", FORMS)
def test_each_file_of_a_directory_has_its_part(run, form):
    names = [f"a.{form}", f"b/c.{form}", f"b/d.{form}"]
    for seed, name in enumerate(names):
        write(f"in/{name}", texts(50, seed))
    for name in (f"in/.hidden.{form}", f"in/_temporary/x.{form}"):
        write(name, texts(5))
    Path("in/_SUCCESS").touch()
    Path("in/notes.txt").write_text("no table", encoding="utf-8")
    total = "accepted 30\nrefused 120\n"
    for jobs in ("1", "2"):
        argv = command(form, "in", "--out=in/out", "--force", "-c", f"--jobs={jobs}")
        for _ in range(2):  # what it wrote is not read
            assert run(*argv) == (1, total, "")
        out = Path("in/out").rename(f"out{jobs}")
        found = [path for path in out.rglob("[!.]*") if path.is_file()]
        assert sorted(str(path.relative_to(out)) for path in found) == names
        for seed, name in enumerate(names):
            assert judged(str(out / name)) == expected(texts(50, seed))
            assert (out / name).read_bytes() == Path("out1", name).read_bytes()
    assert run(*command(form, "in/b", "-c")) == (1, "accepted 20\nrefused 80\n", "")


def test_patterns_and_several_names_give_parts(run, place):
    for seed, name in enumerate(("x/2024/a.parquet", "x/2025/a.parquet", "y.parquet")):
        write(name, texts(10, seed))
    assert run(*command("parquet", "x/*/a.parquet", "--parquet=y.parquet", "--out=o", "-c")) == (
        1, "accepted 6\nrefused 24\n", "",
    )  # fmt: skip
    assert judged("o/2025/a.parquet") == expected(texts(10, 1))
    assert judged("o/y.parquet") == expected(texts(10, 2))
    told = "p/a.parquet: it would be written for x/2024/a.parquet and for x/2025/a.parquet"
    code, out, err = run(
        *command("parquet", "x/2024", "--parquet", str(place / "x/2025/a.parquet"), "--out=p")
    )
    assert (code, out) == (2, "")
    assert err.startswith(f"uriparse validate: {told[:40]}")
    for name in ("x/*.nope", "x/2024/*.csv"):
        told = f"uriparse validate: {name}: no file has such a name\n"
        assert run(*command("parquet", name, "--out=q")) == (2, "", told)
    Path("empty").mkdir()
    told = "empty: there is no file in it that ends in .parquet or .pq"
    assert run(*command("parquet", "empty", "-c")) == (2, "", f"uriparse validate: {told}\n")


def test_packed_files_have_parts_that_are_not(run):
    write("in/a.csv.gz", texts(10))
    write("in/b.csv", texts(10, 1))
    assert run(*command("csv", "in", "--out=o", "-q"))[0] == 1
    assert judged("o/a.csv") == expected(texts(10))
    assert judged("o/b.csv") == expected(texts(10, 1))
    assert run(*command("csv", "in", "-c")) == (1, "accepted 4\nrefused 16\n", "")


@pytest.mark.parametrize("jobs", ["--jobs=1", "--jobs=2"])
@pytest.mark.parametrize("form", FORMS)
def test_a_damaged_file_is_told_and_the_others_are_judged(run, form, jobs):
    for seed, name in enumerate(("a", "c", "d")):
        write(f"in/{name}.{form}", texts(20, seed))
    Path(f"in/b.{form}").write_bytes(b'{"url": 7}\n\x00' if form == "ndjson" else b"n,url\n1\n")
    code, out, err = run(*command(form, "in", "--out=o", "-c", jobs))
    assert (code, out) == (2, "accepted 12\nrefused 48\n")
    why = {
        "parquet": "not readable as Parquet: ",
        "csv": "not readable as CSV in UTF-8: row 2: expected 2 columns, got 1",
        "ndjson": "line 1: the field url is not a string",
    }
    assert err.startswith(f"uriparse validate: in/b.{form}: {why[form]}")
    assert err.count("\n") == 1
    assert sorted(path.name for path in Path("o").glob("[!.]*")) == [
        f"{one}.{form}" for one in "acd"
    ]
    assert judged(f"o/d.{form}") == expected(texts(20, 2))


@pytest.mark.parametrize("form", FORMS)
def test_complete_parts_are_kept_and_counted(run, form):
    for seed, name in enumerate("abc"):
        write(f"in/{name}.{form}", texts(20, seed))
    assert run(*command(form, "in", "--out=o", "-q"))[0] == 1
    whole = {path: path.read_bytes() for path in Path("o").iterdir()}
    kept = Path(f"o/a.{form}").stat()
    Path(f"o/b.{form}").unlink()
    there = f"o/a.{form}: it is there already; --force replaces it"
    code, _, err = run(*command(form, "in", "--out=o", "-c"))
    assert code == 2
    assert err.startswith(f"uriparse validate: {there}\n")
    again = run(*command(form, "in", "--out=o", "-c", "--resume", "--jobs=2"))
    assert again == (1, "accepted 12\nrefused 48\n", "")
    now = Path(f"o/a.{form}").stat()
    assert (now.st_ino, now.st_mtime_ns) == (kept.st_ino, kept.st_mtime_ns)
    assert {path: path.read_bytes() for path in Path("o").iterdir()} == whole
    Path(f"o/c.{form}").write_bytes(b"x")
    code, out, err = run(*command(form, "in", "--out=o", "-c", "--resume"))
    assert (code, out) == (2, "accepted 8\nrefused 32\n")
    assert f"o/c.{form}: it is there already, but is not complete (" in err
    assert err.endswith("); --force replaces it\n")
    again = run(*command(form, "in", "--out=o", "-c", "--resume", "--force"))
    assert again == (1, "accepted 12\nrefused 48\n", "")
    assert {path: path.read_bytes() for path in Path("o").iterdir()} == whole


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_was_ended_is_resumed(run, place, way):
    for seed in range(12):
        write(f"in/{seed:02}.parquet", texts(3000, seed))
    argv = [*command("parquet", "in", "--out=o"), "--jobs=2"]
    with open_uriparse("validate", *argv, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and len(list(place.glob("o/*.parquet"))) < 2:
            time.sleep(0.01)
        process.send_signal(way)
        _, told = process.communicate()
    assert told == b""
    # Processes that it began see that it has ended, and remove what is not complete.
    for _ in range(1000):
        if not list(place.glob("o/*.part")):
            break
        time.sleep(0.02)
    assert not list(place.glob("o/*.part"))
    code, _, err = run(*argv, "--resume", "-q")
    assert (code, err) == (1, "")
    for seed in range(12):
        assert judged(f"o/{seed:02}.parquet") == expected(texts(3000, seed))


def test_codecs_stay_as_they_are(run):
    table = pyarrow.table({"n": [1, 2], "url": ["a:b", "a b"], "s": [{"x": 1}, {"x": 2}]})
    for codec in ("zstd", "gzip", "none", "snappy", {"n": "zstd", "url": "gzip", "s.x": "brotli"}):
        parquet.write_table(table, "t.parquet", compression=codec)
        run("--parquet=t.parquet", "--column=url", "--out=o.parquet", "--force", "-q")
        before, after = (
            [group.column(at).compression for at in range(group.num_columns)]
            for group in (
                parquet.ParquetFile(name).metadata.row_group(0)
                for name in ("t.parquet", "o.parquet")
            )
        )
        assert after == [*before, *[before[1]] * 13]


def test_lines_of_ndjson_stay_as_they_are(run):
    lines = [
        '{"url":  "http://h/a b", "big": 123456789012345678901234567890, "f": 1.0}',
        '{"other": "é\\u00e9" }', '  {"url": null}\t', "{}",
        '{"a": {"url": "x:y"}, "url": "https://a.com/"}',
    ]  # fmt: skip
    Path("t.ndjson").write_text("\n".join(lines), encoding="utf-8")
    assert run("--file=t.ndjson", "--field=url", "--out=o.ndjson", "-c") == (
        1, "accepted 1\nrefused 1\n", "",
    )  # fmt: skip
    made = Path("o.ndjson").read_text(encoding="utf-8").splitlines()
    for line, row in zip(lines, made, strict=True):
        own, after = line.rstrip()[:-1], json.loads(row)
        assert row.startswith(own)
        assert {key: after[key] for key in json.loads(line)} == json.loads(line)
    assert [json.loads(row)["url_accepted"] for row in made] == [False, None, None, None, True]
    assert json.loads(made[0])["url_code"] == "syntax"
    assert json.loads(made[4])["url_host"] == "a.com"
    Path("t.ndjson").write_text('{"a.url": "x:y"}', encoding="utf-8")
    run("--file=t.ndjson", "--field=a.url", "--out=d.ndjson", "--policy=syntax")
    assert json.loads(Path("d.ndjson").read_text(encoding="utf-8"))["a.url_scheme"] == "x"
    Path("t.ndjson").write_text(lines[-1], encoding="utf-8")
    run("--file=t.ndjson", "--field=a.url", "--out=n.ndjson", "--policy=syntax")
    (*_, last) = Path("n.ndjson").read_text(encoding="utf-8").splitlines()
    assert json.loads(last)["a.url_scheme"] == "x"


def test_members_of_ndjson_are_json_in_ascii(run, monkeypatch):
    from uriparse import try_parse

    monkeypatch.setattr("uriparse.cli.validation_tables.OCTETS", 1600)  # of several batches
    urls = [
        "https://bücher.example/é?'", "//h", "http://[::1]:80", "a b", "x:/\U0001f40e", None,
    ] * 9  # fmt: skip
    Path("t.ndjson").write_text("".join(json.dumps({'ü"': url}) + "\n" for url in urls), "ascii")
    run("--file=t.ndjson", '--field=ü"', "--out=o.ndjson", "--grammar=rfc3987", "--policy=syntax")
    made = Path("o.ndjson").read_text("ascii").splitlines()
    for url, line in zip(urls, made, strict=True):
        row = json.loads(line)
        assert line == json.dumps(row)
        record = None if url is None else try_parse(url, "IRI", grammar="rfc3987")
        host = None if record is None else record.host
        assert row['ü"_host'] == (None if host is None else str(host))
        assert row['ü"_path'] == (None if record is None else record.path)
        assert row['ü"_accepted'] == (None if url is None else record is not None)


@pytest.mark.parametrize(("octets", "told"), TABLES["line_faults"])
def test_a_fault_of_a_line_is_told(run, place, octets, told):
    Path("t.ndjson").write_bytes(octets)
    told = f"uriparse validate: t.ndjson: {told}\n"
    assert run("--file=t.ndjson", "--field=url", "--out=o.ndjson") == (2, "", told)
    assert [path.name for path in place.iterdir()] == ["t.ndjson"]


def test_progress_is_reported_where_it_is_asked_for(run):
    write("t.parquet", texts(50))
    argv = command("parquet", "t.parquet", "-c")
    assert run(*argv)[2] == ""
    # A machine that is busy reports more often: the last line counts.
    last = run(*argv, "--progress")[2].splitlines()[-1]
    assert re.fullmatch(r"50 texts, [\d,]+ a second", last)
    Path("t.txt").write_text("a:b\n" * 7, encoding="utf-8")
    last = run("--file=t.txt", "-c", "--progress")[2].splitlines()[-1]
    assert re.fullmatch(r"7 texts, [\d,]+ a second", last)


def test_a_directory_that_cannot_be_made_is_told(run):
    write("in/a.parquet", texts(5))
    Path("o").touch()
    code, _, err = run(*command("parquet", "in", "--out=o"))
    assert code == 2
    assert re.fullmatch(r"uriparse validate: o: (File exists|Not a directory)\n", err)
