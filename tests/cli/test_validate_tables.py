"""`uriparse validate --out`: a table in, and out again with verdicts and components."""

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from cases import tables
from cli.verdicts import COMPONENTS, POLICIES, expected
from command_runs import running

from uriparse import Policy, parse, try_parse, validate
from uriparse.cli import validation_judging, validation_tables
from uriparse.cli import validation_written as out_file
from uriparse.conformance import suite
from uriparse.errors import MissingPackageError, URISyntaxError

TABLES = tables(__file__)

pyarrow = pytest.importorskip("pyarrow")
compute, csv, parquet = (
    pytest.importorskip(f"pyarrow.{name}") for name in ("compute", "csv", "parquet")
)

TEXTS = ["http://u@h:80/a?q#f", "http://h/a b", None, "//x", "mailto:a@b", "", "http://[::1]/é"]
TASK = out_file.TableTask("a", "parquet", Policy())
CSV = 'n,url\r\n01,http://u:p@h:80/\r\n2,"a\nb"\r\n,\r\n4,"mailto:a@b,c"\r\n'


run = running("validate", "--policy=syntax", empty=True)


def made(texts=TEXTS, kind=None, name="t.parquet", **more):
    column = pyarrow.array(texts, pyarrow.string())
    column = column if kind is None else column.cast(kind)
    table = pyarrow.table({"n": pyarrow.array(range(len(texts))), "url": column})
    parquet.write_table(table, name, **more)
    return table


@pytest.mark.parametrize("name", POLICIES)
def test_every_row_is_told_of_as_the_library_does(run, name):
    options, policy = POLICIES[name]
    texts = [*TEXTS, "http://127.1/", "ftp://h/", "80", "http://example.com/"]
    texts += [row.text for row in suite("host", method="transition") if row.text.isascii()][:60]
    texts += [f"http://{text}/" for text in texts[-60:]]
    table = made(texts)
    code, out, err = run("--parquet=t.parquet", "--column=url", "--out=o.parquet", *options, "-c")
    wanted = [expected(text, policy) for text in texts]
    verdicts = [row["accepted"] for row in wanted]
    assert set(verdicts) == {True, False, None}
    assert (code, err) == (1, "")
    assert out == f"accepted {verdicts.count(True)}\nrefused {verdicts.count(False)}\n"
    found = parquet.read_table("o.parquet")
    assert found.select(["n", "url"]).equals(table)
    assert found.drop_columns(["n", "url"]).to_pylist() == [
        {f"url_{key}": value for key, value in row.items()} for row in wanted
    ]


def test_the_offset_is_that_of_the_error(run):
    made()
    run("--parquet=t.parquet", "--column=2", "--out=o.parquet")
    for row in parquet.read_table("o.parquet").to_pylist():
        if row["url_accepted"] is False:
            with pytest.raises(URISyntaxError) as caught:
                parse(row["url"], "URI")
            assert (caught.value.offset, caught.value.cause) == (
                row["url_offset"],
                row["url_cause"],
            )


@pytest.mark.parametrize("kind", ["large_string", "binary", "dictionary", "string_view"])
def test_texts_may_be_of_any_type_for_texts(run, kind):
    types = {"dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}
    made(kind=types.get(kind) or getattr(pyarrow, kind)())
    assert run("--parquet=t.parquet", "--column=url", "--out=o.parquet")[0] == 1
    verdicts = parquet.read_table("o.parquet")["url_accepted"].to_pylist()
    assert verdicts == [True, False, None, False, True, False, False]


def test_octets_that_are_no_utf_8_are_refused(run):
    column = pyarrow.array([b"http://h/\xff", b"http://h/"], pyarrow.binary())
    parquet.write_table(pyarrow.table({"url": column}), "t.parquet")
    assert run("--parquet=t.parquet", "--column=url", "--out=o.parquet")[0] == 1
    (row, other) = parquet.read_table("o.parquet").to_pylist()
    assert (row["url_accepted"], row["url_offset"], other["url_accepted"]) == (False, 9, True)


def test_all_good_is_0_and_an_empty_table_is_one(run):
    made(["a:b", None])
    assert run("--parquet=t.parquet", "--column=url", "--out=o.parquet") == (0, "", "")
    made([])
    assert run("--parquet=t.parquet", "--column=url", "--out=e.parquet") == (0, "", "")
    assert parquet.read_table("e.parquet").num_rows == 0
    assert len(parquet.read_table("e.parquet").schema) == 2 + 4 + len(COMPONENTS)


SOURCES = {
    "csv": (["--column=url", "--file=t.csv"], "o.csv"),
    "ndjson": (["--field=url", "--file=t.ndjson"], "o.ndjson"),
    "parquet": (["--parquet=t.parquet", "--column=url"], "o.csv"),
}
"""By the form of what is read how to read it, and a name for what is written."""


@pytest.fixture
def sources(place):  # noqa: ARG001 - they are written there
    """The same rows, of which one is null, in each form."""
    rows = made().to_pylist()
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    Path("t.ndjson").write_text(lines, encoding="utf-8")
    cells = "".join(f'{row["n"]},"{row["url"]}"\n' for row in rows if row["url"] is not None)
    Path("t.csv").write_text(f"n,url\n{cells}", encoding="utf-8")


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
@pytest.mark.parametrize("form", SOURCES)
@pytest.mark.usefixtures("sources")
def test_a_table_goes_to_standard_output_as_to_a_file(run, form, out):
    how, name = SOURCES[form]
    plain = ["--format=csv"] if form == "parquet" else []
    assert run(*how, f"--out={name}") == (1, "", "")
    assert run(*how, f"--out={out}", *plain) == (1, Path(name).read_text(encoding="utf-8"), "")
    assert not Path("-").exists()
    own = "ndjson" if form == "ndjson" else "csv"
    told = f"--out {out} writes {own.upper()} here: add --format {own}, or none"
    wrong = ["--format=brief"]
    if form == "parquet":
        told, wrong = f"--out {out} does not write Parquet: add --format csv", []
    assert run(*how, f"--out={out}", *wrong) == (2, "", f"uriparse validate: {told}\n")
    for option in ("-c", "--summary", "--resume"):
        told = run(*how, f"--out={out}", *plain, option)[2]
        assert told.endswith("goes without -c, --summary and --resume\n")


@pytest.mark.parametrize("form", SOURCES)
@pytest.mark.usefixtures("sources")
def test_the_summary_of_a_table_is_that_of_its_lines(run, monkeypatch, form):
    texts = [text for text in TEXTS if text is not None]
    for policy in ("syntax", "outbound"):
        lines = run(f"--policy={policy}", "--summary", "--", *texts)
        assert lines[1].startswith("6 texts: ")
        how, name = SOURCES[form]
        whole = [f"--policy={policy}", "--summary", *how, f"--out={name}", "--force"]
        assert run(*whole) == lines
        if form == "parquet":
            assert run(f"--policy={policy}", "--summary", *how) == lines
        if form == "csv":
            with monkeypatch.context() as without:
                without.setitem(sys.modules, "pyarrow", None)
                assert run(*whole) == lines


def test_a_summary_counts_what_validate_and_parse_find(run):
    """Of drawn rows, which begin alike, and end in whatever may have a finding of its own."""
    rng = random.Random(0)
    heads = "http://a.com https://A.com:8443 http://u@a.com http://%61.com http://[::1] ftp://b.com"
    tails = "/ /a/b.c?d=e /a#b /~u/%2e%7e?%7e //a /a;b /aux ?q@r /a^b /\N{SNOWMAN}"
    texts = [
        rng.choice([*heads.split(), "http://", "http://:80", "x:y", "HTTP://127.1"])
        + rng.choice([*tails.split(), "", f"/{'a' * 2000}", "/" + "a/" * 5000, "\0"])
        for _ in range(3000)
    ]
    made([*texts, None])
    code, out, err = run("--parquet=t.parquet", "--column=url", "--summary", "--policy=outbound")
    assert (code, err) == (1, "")
    codes = Counter(
        code for text in texts for code in {one.code for one in validate(text).findings}
    )
    records = [record for text in texts if (record := try_parse(text, "URI")) is not None]
    hosts = Counter(str(one.host).lower() for one in records if one.host is not None)
    told = [line.split(maxsplit=1) for line in out.splitlines()[3:]]
    pairs = {(pair[1] if len(pair) > 1 else ""): int(pair[0].replace(",", "")) for pair in told
             if pair and pair[0][0].isdigit()}  # fmt: skip
    assert pairs == codes | hosts
    assert len(codes) > 20
    assert len(hosts) <= 10


def test_a_code_counts_once_a_text(run):
    made(["http://h.com/%7e?%7e"])
    for given in (["--parquet=t.parquet", "--column=url"], ["--", "http://h.com/%7e?%7e"]):
        assert "\n  1  lower-case-hex\n" in run("--summary", *given)[1]


@pytest.mark.parametrize("options", [
    (), pytest.param(["--policy=outbound"], marks=pytest.mark.slow),
    pytest.param(["--grammar=rfc3987"], marks=pytest.mark.slow),
])  # fmt: skip
def test_without_pyarrow_the_octets_are_the_same(run, monkeypatch, options):
    texts = [row.text for row in suite("host", method="transition") if "\r" not in row.text]
    cells = [f'"http://{text.replace(chr(34), chr(34) * 2)}/"' for text in texts]
    rows = ["url,n", "", *(f"{cell},é {number}" for number, cell in enumerate(cells))]
    Path("t.csv").write_text("\n".join(rows), encoding="utf-8", newline="")
    told = run("--column=url", "--out=o.csv", "--file=t.csv", "-c", *options)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run("--column=url", "--out=p.csv", "--file=t.csv", "-c", *options) == told
    assert Path("p.csv").read_bytes() == Path("o.csv").read_bytes()


def test_batches_are_small_and_come_in_their_order(run, monkeypatch):
    monkeypatch.setattr(validation_tables, "ROWS", 7)
    monkeypatch.setattr("uriparse.cli.validation_tables.OCTETS", 50)
    texts = [f"http://h/{number}" + " " * (number % 3 == 0) for number in range(100)]
    made(texts, row_group_size=30)
    assert run("--parquet=t.parquet", "--column=url", "--out=o.parquet")[0] == 1
    found = parquet.read_table("o.parquet")
    assert found["url"].to_pylist() == texts
    assert found["url_accepted"].to_pylist() == [" " not in text for text in texts]
    assert parquet.ParquetFile("o.parquet").num_row_groups > 30


FAULTS = TABLES["faults"]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_and_nothing_is_written(run, place, name):
    (source, column, out), message = FAULTS[name]
    table = made()
    (place / "t.csv").write_text(CSV, encoding="utf-8")
    (place / "there").write_text("mine", encoding="utf-8")
    octets = bytearray((place / "t.parquet").read_bytes())
    octets[4:200] = bytes(196)
    (place / "broken.parquet").write_bytes(octets)
    parquet.write_table(table.append_column("url", table["url"]), "twice.parquet")
    parquet.write_table(table.append_column("url_host", table["url"]), "taken.parquet")
    nested = pyarrow.array([[1]] * len(TEXTS))
    parquet.write_table(table.append_column("list", nested), "nested.parquet")
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    code, printed, err = run(f"--parquet={source}", f"--column={column}", f"--out={out}")
    assert (code, printed) == (2, "")
    assert err.startswith(f"uriparse validate: {message}")
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


@pytest.mark.parametrize(("octets", "message"), TABLES["csv_faults"])
def test_a_fault_of_csv_is_told(run, place, octets, message):
    (place / "t.csv").write_bytes(octets)
    column = "2" if octets.startswith(b"1,") else "url"
    code, _, err = run(f"--column={column}", "--out=o", "--file=t.csv")
    assert code == 2
    assert err.startswith(f"uriparse validate: {message}")
    assert [path.name for path in place.iterdir()] == ["t.csv"]


def test_a_line_separator_in_a_name_of_csv_ends_no_row(run, place):
    (place / "t.csv").write_text("a\u2028b,url,n\n,x:,007\n", "utf-8")
    found = run("--column=url", "--policy=syntax", "--out=-", "--file=t.csv")[1]
    assert found.endswith('"","x:","007",true,,,,"x",,,,,"",,,\n')


@pytest.mark.parametrize(("rows", "number", "got"), [
    ('1,a,b\n\n2,"a\r\nb",c\n3,http://h/\na,d\n4\n', 4, 2), ("1,a\0b,c\n2,a\0\n", 3, 2),
    pytest.param("1,a,b\n" * 700_000 + "1,a,b,c\n", 700_002, 4, marks=pytest.mark.slow),
], ids=["line break", "NUL", "late"])  # fmt: skip
def test_an_uneven_row_is_told_of_by_its_number(run, place, monkeypatch, rows, number, got):
    (place / "t.csv").write_text(f"n,url,m\n{rows}", encoding="utf-8", newline="")
    told = run("--column=url", "--out=o.csv", "--file=t.csv")
    assert told[0] == 2
    assert (
        f"t.csv: not readable as CSV in UTF-8: row {number}: expected 3 columns, got {got} ("
        in told[2]
    )
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run("--column=url", "--out=o.csv", "--file=t.csv") == told


MISUSES = TABLES["misuses"]


@pytest.mark.parametrize("message", MISUSES)
def test_what_does_not_fit_together_is_told(run, place, message):
    assert run(*MISUSES[message]) == (2, "", f"uriparse validate: {message}\n")
    assert not list(place.iterdir())


def test_without_pyarrow_it_is_told_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError):
        validation_tables.pyarrow_module()
    code, out, err = run("--parquet=t", "--column=u", "--out=o")
    assert (code, out) == (2, "")
    assert "pyarrow, which is not installed: pip install pyarrow" in err


def test_what_is_written_has_its_name_when_it_is_whole(place):
    """A failure amid it, of whichever kind, leaves nothing; another's file is let be."""
    schema = pyarrow.schema([("a", pyarrow.int64())])
    batch = pyarrow.RecordBatch.from_arrays([pyarrow.array([1])], schema=schema)
    with out_file.written("o", schema, None, TASK, None) as write:
        write(batch)
        assert [path.name[:2] + path.suffix for path in place.iterdir()] == ["o..part"]
    assert parquet.read_table("o").num_rows == 1
    assert (place / "o").stat().st_mode & 0o777 == 0o666 & ~_umask()
    for name, kind in (("p", RuntimeError), ("q.csv", KeyboardInterrupt)):
        with pytest.raises(kind), out_file.written(name, schema, None, TASK, None) as write:  # noqa: PT012 - a failure amid it
            write(batch)
            raise kind
    assert [path.name for path in place.iterdir()] == ["o"]


@pytest.mark.parametrize("out", ["o.parquet", "o.csv"])
def test_a_full_disk_is_told(run, place, out):
    resource = pytest.importorskip("resource")
    made(TEXTS * 100)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        code, printed, err = run("--parquet=t.parquet", "--column=url", f"--out={out}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (code, printed) == (2, "")
    assert err == f"uriparse validate: {out}: File too large\n"
    assert [path.name for path in place.iterdir()] == ["t.parquet"]


def _umask():
    found = os.umask(0)
    os.umask(found)
    return found


def test_a_bar_shows_how_much_is_done(monkeypatch):
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(validation_judging, "_SECONDS", 0)
    monkeypatch.setattr(validation_judging.time, "monotonic", iter(range(0, 100, 2)).__next__)
    console = SimpleNamespace(width=80, options={})
    with validation_judging.Progress(console, alone=True) as progress:
        progress.show(1_000, 0.5)
        progress.show(1_000)
    half, known = stream.getvalue().removeprefix("\r\x1b[K").split("\r\x1b[K")[:2]
    assert half.startswith(f"{'█' * 10:20}  50 %, 1,000 texts, ")
    assert half.endswith(" left")
    assert re.fullmatch(r"1,000 texts, \d+ a second", known)
    assert stream.getvalue().endswith("\r\x1b[K")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_an_interrupt_leaves_nothing(place):
    made([f"http://h/{number} x" for number in range(300_000)])
    command = [sys.executable, "-m", "uriparse", "validate", "--parquet=t.parquet"]
    with subprocess.Popen([*command, "--column=url", "--out=o"], stderr=subprocess.PIPE) as process:
        while process.poll() is None and not list(place.glob("o.*.part")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert (process.returncode, told) == (130, b"")
    assert [path.name for path in place.iterdir()] == ["t.parquet"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by Linux")
def test_memory_does_not_grow_with_the_table(place):
    """However many rows there are, in one row group, which is the worst for a reader."""
    code = (
        "import sys; from uriparse.cli import main; main(sys.argv[1:]);"
        "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    )
    peaks = []
    for number in (200_000, 2_000_000):
        column = pyarrow.array(range(number)).cast(pyarrow.string())
        urls = compute.binary_join_element_wise("https://h.example/a/b/c/d?e=f&g=", column, "")
        parquet.write_table(pyarrow.table({"url": urls}), "t.parquet", row_group_size=number)
        argv = ["validate", "--parquet=t.parquet", "--column=url", f"--out=o{number}"]
        done = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, check=True)
        peaks.append(int(done.stdout))
    (place / "t.csv").write_text("url\n" + "https://h.example/a/b/c/d?e=f\n" * 1_000_000)
    argv = ["validate", "--column=url", "--out=o.csv", "--file=t.csv"]
    done = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, check=True)
    peaks.append(int(done.stdout))
    assert max(peaks) < 400_000
    assert peaks[1] < 1.4 * peaks[0]


def test_a_dictionary_is_written_out_in_parts(run):
    """What takes little in the file may take much in memory."""
    column = pyarrow.array([f"http://h/{'a' * 50_000}"] * 500).dictionary_encode()
    parquet.write_table(pyarrow.table({"url": column}), "t.parquet")
    assert run("--parquet=t.parquet", "--column=url", "--out=o.parquet") == (0, "", "")
    file = parquet.ParquetFile("o.parquet")
    assert file.num_row_groups > 500 * 50_000 // validation_tables.OCTETS
    assert file.metadata.num_rows == 500
