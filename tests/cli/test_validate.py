"""`uriparse validate`: one verdict a record, whatever comes in."""

import csv
import gzip
import io
import json
import os
import random
import signal
import sys
import tracemalloc
from contextlib import nullcontext

import pytest
from cases import each_case
from command_runs import open_uriparse
from command_runs import run_uriparse as run

import uriparse
from uriparse.cli import console, main, validation_judging, validation_sources
from uriparse.cli.validation_judging import Outcome

ADVICE = "; to judge the URI itself: uriparse validate URI"


@pytest.fixture
def validate(capsysbinary, monkeypatch):
    """Run the command in this process, by syntax unless told otherwise: code, output, errors."""

    def call(data, *argv):
        stdin = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr(sys, "stdin", stdin)
        code = main(["validate", "--policy=syntax", *argv])
        out, err = capsysbinary.readouterr()
        return code, out, err.decode()

    return call


def test_lines_get_one_verdict_each(validate):
    data = b"http://h/a\nfoo\n\nhttp://h/a b\r\nhttp://h/\r\n\xff\xfe\n\xef\xbb\xbfa:b\nurn:x"
    code, out, err = validate(data)
    assert (code, err) == (1, "")
    assert out.split(b"\n") == [
        b"ok\t\thttp://h/a", b"refused\tsyntax\tfoo", b"refused\tsyntax\t",
        b"refused\tsyntax\thttp://h/a b", b"ok\t\thttp://h/", b"refused\tsyntax\t\xff\xfe",
        b"refused\tsyntax\t\xef\xbb\xbfa:b", b"ok\t\turn:x", b"",
    ]  # fmt: skip


def test_every_record_tells_why(validate):
    _, out, _ = validate(b"http://127.1/\nhttp://h h/\n", "--policy=outbound", "--format=ndjson")
    numeric, space = map(json.loads, out.splitlines())
    assert numeric["line"] == 1
    assert (numeric["code"], numeric["offset"], numeric["component"]) == (
        "numeric-host", 11, "host",
    )  # fmt: skip
    assert (space["cause"], space["offset"], space["accepted"]) == ("space", 8, False)


def test_csv_goes_out_and_comes_in(validate, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text('id,url\n1,"http://h/a,b"\n2,"a ""b"""\n3\n', encoding="utf-8")
    code, out, _ = validate(b"", "--column=url", "--format=csv", "--file", str(source))
    rows = list(csv.DictReader(io.StringIO(out.decode(), newline="")))
    assert code == 1
    assert [row["text"] for row in rows] == ["http://h/a,b", 'a "b"', "3"]
    assert [row["accepted"] for row in rows] == ["true", "false", "false"]
    assert rows[2]["message"] == "the row has no column url"
    code, _, err = validate(b"", "--column=uri", "--file", str(source))
    assert (code, err.partition(": ")[2]) == (
        2,
        f"{source}: there is no column uri; there are: id, url; did you mean url?\n",
    )


@each_case("data", [b"\n\n\n", b"a\rb\n\r\r\n\r", b"\xef\xbb\xbf\n\xff", b'"a\nb"\n"\n'])
def test_rows_of_csv_get_one_verdict_each_whatever_they_hold(validate, data):
    _, out, err = validate(data + b"\nurn:last\n", "--column=1", "--format=ndjson")
    rows = [json.loads(line) for line in out.splitlines()]
    assert err == ""
    assert [row["line"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["code"] for row in rows} <= {"syntax", "unreadable", None}


def test_a_row_that_is_no_csv_costs_its_own_verdict(validate):
    data = b"id,url\n1,a\rb\n2,urn:b\n3\n4,urn:d"
    _, out, _ = validate(data, "--column=url", "--format=ndjson")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["code"], row["message"], row["text"]) for row in rows] == [
        ("unreadable", "the row is not CSV", "1,a\rb"), (None, None, "urn:b"),
        ("unreadable", "the row has no column url", "3"), (None, None, "urn:d"),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("opened", [b'"', b""])
def test_a_row_without_end_is_refused_and_the_next_is_read(validate, monkeypatch, opened):
    """Also one of many lines, and one that has its end nowhere."""
    monkeypatch.setattr(validation_sources, "LONGEST_LINE", 1000)
    monkeypatch.setattr(console, "BLOCK", 100)
    for piece in (b"a", b"a\n") if opened else (b"a",):
        begun = b"urn:a\n" + opened + piece * 2_500
        code, out, err = validate(begun + b"\nurn:b\n", "--column=1", "--format=ndjson")
        rows = [json.loads(line) for line in out.splitlines()]
        assert (code, err) == (1, "")
        assert rows[1]["message"] == "a row of more than 1000 octets is not read"
        assert (rows[0]["text"], rows[-1]["text"]) == ("urn:a", "urn:b")


def test_memory_does_not_grow_with_a_row_of_csv(validate, tmp_path):
    source = tmp_path / "rows"
    peaks = []
    for times in (2_000_000, 16_000_000):
        source.write_bytes(b'"' + b"a," * times)
        tracemalloc.start()
        try:
            validate(b"", "--column=1", "--count", "--file", str(source))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_numbers_of_columns_that_are_none(validate):
    for column in ("9", "9" * 5000):
        _, out, err = validate(b"urn:a\n", f"--column={column}")
        assert (out, err) == (b"refused\tunreadable\turn:a\n", "")
    for column in ("0", "000"):
        told = f"uriparse validate: --column {column}: the first column is 1\n"
        assert validate(b"urn:a\n", f"--column={column}") == (2, b"", told)


@each_case(("head", "told"), [
    (b"url,id,url", "there are 2 columns url"),
    (b"id;url", "there is no column url; there are: id;url; a comma parts columns, and nothing"),
    (b"a\turl", "there is no column url; there are: a\\turl; a comma parts columns, and noth"),
    (b"", "there is no column url; there are: none\n"),
    (b",".join(b"%d" % n for n in range(99)), "there are: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "),
])  # fmt: skip
def test_a_column_that_is_not_there_once_is_told(validate, head, told):
    code, out, err = validate(head + b"\nurn:a\n", "--column=url")
    assert (code, out) == (2, b"")
    assert f"uriparse validate: -: {told}" in err or told in err
    assert len(err) < 300


def test_parquet_among_lines_is_told(validate, tmp_path):
    (tmp_path / "t").write_bytes(b"PAR1\x15\x04PAR1")
    told = "it is Parquet, which `uriparse validate --parquet FILE` reads, with --column and --out"
    for more in ([], ["--column=url"], ["-0"], ["--field=u"]):
        assert validate(b"", *more, "--file", str(tmp_path / "t")) == (
            2, b"", f"uriparse validate: {tmp_path / 't'}: {told}\n",
        )  # fmt: skip
    assert validate(b"PAR1:a\n", "-q")[0] == 0


def test_half_a_character_is_no_text(validate):
    data = b'{"u":"\\ud800"}\n{"u":"\\ud83d\\ude00"}\n{"u":"urn:a"}\n'
    _, out, _ = validate(data, "--field=u")
    assert out.splitlines() == [
        b'refused\tunreadable\t{"u":"\\ud800"}',
        b"refused\tsyntax\t\xf0\x9f\x98\x80",
        b"ok\t\turn:a",
    ]


def test_damaged_gzip_is_told_by_name(validate, tmp_path):
    whole = gzip.compress(b"urn:a\n" * 90_000)
    good = gzip.compress(b"urn:a\n")
    path = tmp_path / "x.gz"
    for data in (whole[:-20], whole[:30] + b"\xff" * 30, good + b"rest", b"\x1f\x8b"):
        path.write_bytes(data)
        code, _, err = validate(b"", "--file", str(path))
        assert code == 2
        assert err.startswith(f"uriparse validate: {path}: ")


@each_case(("name", "told", "advice"), [
    ("http://h/", "http://h/", ADVICE), ("http://u:S3cr3T@h/a b", "http://u:***@h/a b", ADVICE),
    ("urn:a", "urn:a", ADVICE), ("none.txt", "none.txt", ""), ("1a:b", "1a:b", ""),
])  # fmt: skip
def test_a_text_in_place_of_a_file_is_told_how_to_come(validate, name, told, advice):
    code, out, err = validate(b"", "--file", name)
    assert (code, out) == (2, b"")
    assert err == f"uriparse validate: {told}: No such file or directory{advice}\n"


def test_no_file_is_written_over_that_is_used(validate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    used, policy = tmp_path / "used", tmp_path / "p.toml"
    for options, told in (
        (["--good=used", "--file=used"], "used: it is what is read"),
        (["--bad=./used", "--file=used"], "./used: it is what is read"),
        (["--good=new", "--bad=./new", "--file=used"], "./new: it is written twice"),
        (["--policy=p.toml", "--bad=p.toml", "--file=used"], "p.toml: it is what is read"),
    ):
        used.write_text("urn:a\n")
        policy.write_text('preset = "web"\n')
        code, out, err = validate(b"", "--force", *options)
        assert (code, out) == (2, b"")
        assert err == f"uriparse: {told}; give another name\n"
        assert not (tmp_path / "new").exists()
        assert (used.read_text(), policy.read_text()) == ("urn:a\n", 'preset = "web"\n')
    if os.name == "posix":
        assert validate(b"", "-q", "--good=/dev/null", "--bad=/dev/null", "--file=used")[0] == 0


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("form", ["-0", "--field=u", "--column=1"])
def test_no_text_ends_a_line_and_begins_another(validate, tmp_path, form, end):
    texts = [f"x{end}ok\t\thttp://evil/", f"http://h/{end}", "http://h/"]
    data = {
        "-0": "\0".join(texts),
        "--field=u": "".join(json.dumps({"u": text}) + "\n" for text in texts),
        "--column=1": "".join(f'"{text}"\n' for text in texts),
    }[form].encode()
    bad = tmp_path / "bad"
    code, out, err = validate(data, form, "--bad", str(bad))
    assert (code, err) == (1, "")
    spelt = "".join(repr(one)[1:-1] for one in end)
    refused = [f"x{spelt}ok\t\thttp://evil/", f"http://h/{spelt}"]
    assert out.decode().splitlines() == [
        *(f"refused\tsyntax\t{text}" for text in refused),
        "ok\t\thttp://h/",
    ]
    assert bad.read_text(encoding="utf-8").splitlines() == refused


def test_a_row_that_is_not_read_is_told_on_one_line(validate, tmp_path):
    bad = tmp_path / "bad"
    assert validate(b'"a\nok",b\n', "--column=3", "--bad", str(bad))[:2] == (
        1,
        b'refused\tunreadable\t"a\\nok",b\n',
    )
    assert bad.read_bytes() == b'"a\\nok",b\n'


JUDGED_ALIKE = (
    "http://169.254.169.254/", "http://127.1/", "http://localhost/", "http://h.com:25/",
    "http://u@h.com/", "ftp://h.com/", "urn:a", "http://h.com/a b", "https://h.com/~u?a#b",
    "http://9.9.9.9:8080/",
)  # fmt: skip


@pytest.mark.parametrize("name", ["validate", "check"])
@pytest.mark.parametrize("options", [[], ["--rule=URI"], ["--grammar=rfc3986"]])
def test_the_default_of_the_command_is_that_of_the_functions(
    name, options, monkeypatch, capsysbinary
):
    data = "".join(f"{text}\n" for text in JUDGED_ALIKE).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main([name, *options]) == 1
    out = capsysbinary.readouterr().out.decode().splitlines()
    verdicts = [line.startswith("ok\t") for line in out]
    assert verdicts == [uriparse.validate(text).accepted for text in JUDGED_ALIKE]
    for text, accepted in zip(JUDGED_ALIKE, verdicts, strict=True):
        with nullcontext() if accepted else pytest.raises(uriparse.PolicyError):
            uriparse.check(text)


def test_the_default_refuses_no_rule_without_a_word(capsysbinary, monkeypatch):
    """No text of such a rule has what the default asks for, so that all would be refused."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"255\n")))
    assert main(["validate", "--rule=dec-octet"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.startswith(b"uriparse validate: --rule dec-octet: its texts have no scheme and no ")
    assert b"--policy syntax" in err


def test_fields_of_ndjson(validate):
    data = b'{"a":{"u":"urn:x"}}\n{"a":5}\nnot\n{"a":{"u":5}}\n' + b"[" * 10_000
    data = b'{"a.u":"x:y","a":{"u":1}}\n' + data
    _, out, _ = validate(data, "--field=a.u", "--format=ndjson")
    messages = [json.loads(line)["message"] for line in out.splitlines()]
    assert messages == [
        None, None, "the object has no field a.u", "the line is not JSON",
        "the field a.u is not a string", "the line is not JSON",
    ]  # fmt: skip


def test_nul_gzip_and_two_files(validate, tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"urn:a\0urn:\nb\0"))
    (tmp_path / "b").write_bytes(b"urn:c\0")
    code, out, _ = validate(b"", "-0", f"--file={tmp_path / 'a.gz'}", f"--file={tmp_path / 'b'}")
    assert (code, out) == (1, b"ok\t\turn:a\nrefused\tsyntax\turn:\\nb\nok\t\turn:c\n")


def test_a_hyphen_is_standard_output(validate, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert validate(b"urn:a\nb \xff\nurn:c\n", "-q", "--good=-")[:2] == (1, b"urn:a\nurn:c\n")
    assert validate(b"urn:a\nb c\n", "-q", "--bad=-")[:2] == (1, b"b c\n")
    assert validate(b"urn:a\n", "-q", "--good=-", "--bad=-")[0] == 2
    assert [*tmp_path.iterdir()] == []


def test_good_and_bad_apart(validate, tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    validate(b"urn:a\nb \xff\nurn:c\n", "-q", f"--good={good}", f"--bad={bad}")
    assert (good.read_bytes(), bad.read_bytes()) == (b"urn:a\nurn:c\n", b"b \xff\n")


def test_what_is_shown(validate):
    data = b"http://u:pw@h/\nfoo\n"
    assert validate(data, "--invalid-only")[1] == b"refused\tsyntax\tfoo\n"
    assert validate(data, "--count")[1] == b"accepted 1\nrefused 1\n"
    assert validate(data, "--warnings")[1].startswith(
        b"ok\tuserinfo-not-allowed,password-in-uri\thttp://u:pw@h/"
    )
    summary = validate(data, "--summary")[1].decode()
    assert summary.startswith("2 texts: 1 accepted, 1 refused\n")
    assert "  1  syntax\n" in summary
    assert summary.endswith("  1  h\n")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "ndjson", "csv"])
@pytest.mark.parametrize("policy", ["syntax", "outbound"])
def test_one_flag_masks_all_texts_and_nothing_else(validate, tmp_path, form, policy):
    """Of a valid text what its grammar calls a password, of any other all that may be one."""
    texts = [b"http://u:pw@h.com/", b"http://h.com:80/a@b", b"u:p w@h", b"urn:a", b"a:" * 600_000]
    data = b"\n".join(texts) + b"@\n"
    sorted_ = tmp_path / "good", tmp_path / "bad"
    files = [f"--good={sorted_[0]}", f"--bad={sorted_[1]}", "--force"]
    for flag, shown in ((["--show-passwords"], True), ([], True), (["--no-show-passwords"], False)):
        _, out, err = validate(data, f"--format={form}", f"--policy={policy}", *files, *flag)
        apart = b"".join(path.read_bytes() for path in sorted_)
        for said in (out, apart):
            assert (b"http://u:pw@h.com/" in said, b"u:p w@h" in said) == (shown, shown)
            assert (b"http://u:***@h.com/" in said, b"u:***@h" in said) == (not shown, not shown)
            assert b"http://h.com:80/a@b" in said
            assert b"urn:a" in said
        assert err == ""


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read(validate):
    code, out, _ = validate(b"urn:" + b"a" * 3_000_000 + b"\nurn:b\n" + b"c" * 2_000_000)
    first, second, third = out.splitlines()
    assert code == 1
    assert first.startswith(b"refused\tunreadable\turn:a")
    assert len(first) < 1_100_000
    assert second == b"ok\t\turn:b"
    assert third.startswith(b"refused\tunreadable\tc")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_input(validate, tmp_path):
    source = tmp_path / "lines"
    source.write_bytes(b"http://h.com/some/path\nbad line\n" * 10_000)
    tracemalloc.start()
    try:
        validate(b"", "--invalid-only", "--count", "--file", str(source))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--field=a"], ["--column=1"], ["-0"]])
def test_chunks_are_small_however_short_the_lines(options, monkeypatch, validate):
    """What is said of an empty line is a hundred times as long as it is."""
    chunks = []

    def seen(chunk, **_):
        items, _first = chunk
        chunks.append(len(items))
        return Outcome(refused=len(items))

    monkeypatch.setattr(validation_judging, "judge", seen)
    validate((b"\0" if options == ["-0"] else b"\n") * 100_000, *options)
    assert sum(chunks) == 100_000
    assert max(chunks) <= validation_sources.MOST


def test_usage(validate, tmp_path):
    data = b"/a\n//evil.example\nhttps://h.example/b\nhttp://h.example/b\n"
    _, out, _ = validate(data, "--policy=redirect", "--base=https://h.example/login")
    assert [line[:2] for line in out.split(b"\n")] == [b"ok", b"re", b"ok", b"re", b""]
    code, _, err = validate(b"", "--policy=redirect")
    assert (code, "--policy redirect needs --base URI" in err) == (2, True)
    code, _, err = validate(b"", "--policy=nope")
    assert code == 2
    assert "--policy nope: neither one of outbound, web, redirect, strict, syntax nor a fil" in err
    assert validate(b"", "--file", str(tmp_path / "none"))[0] == 2
    assert validate(b"", "--file", str(tmp_path))[0] == 2
    policy = tmp_path / "p.toml"
    policy.write_text('preset = "web"\nhosts = ["a.com", 5]\n')
    code, _, err = validate(b"", f"--policy={policy}")
    assert (code, "p.toml: hosts[1]: " in err) == (2, True)
    policy.write_text('preset = "web"\nhosts = ["a.com"]\n')
    assert validate(b"http://a.com/\nhttp://b.com/\n", "-c", f"--policy={policy}")[:2] == (
        1,
        b"accepted 1\nrefused 1\n",
    )


def test_rules_and_grammars(validate):
    assert validate(b"foo\n\n", "--rule=uri-reference", "-q", "--policy=syntax")[0] == 1
    assert validate("http://\u00e9/\n".encode(), "--grammar=rfc3987", "-q")[0] == 0
    assert validate(b"255\n256\n", "--rule=dec-octet", "-c")[1] == b"accepted 1\nrefused 1\n"
    assert validate(b"a", "--rule=nonsense")[0] == 2


@each_case("number", ["0", "-1", "x", "1.5", "1001", "10000", "00010000"])
def test_a_number_of_processes_is_told_from_rubbish(number, validate):
    code, _, err = validate(b"urn:a", f"--jobs={number}")
    assert code == 2
    assert f"argument --jobs: a number of processes, from 1 to 1000, not '{number}'" in err


@pytest.mark.slow
def test_jobs_keep_the_order(tmp_path):
    source = tmp_path / "lines"
    lines = [f"urn:{number}" if number % 3 else f"{number}" for number in range(12_000)]
    source.write_text("\n".join(lines))
    alone = run("validate", "--policy=syntax", "--file", str(source))
    together = run("validate", "--policy=syntax", "--jobs=2", "--file", str(source))
    assert alone.returncode == together.returncode == 1
    assert alone.stdout == together.stdout
    assert alone.stdout.count(b"\n") == len(lines)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise elsewhere")
def test_an_interrupt_leaves_what_was_done():
    with open_uriparse("validate", "--policy=syntax") as process:
        process.stdin.write(b"urn:a\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"ok\t\turn:a\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == b""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise elsewhere")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_jobs_end_with_the_command(tmp_path, name):
    """Whoever still had its output open would keep us here."""
    source = tmp_path / "lines"
    source.write_bytes(b"urn:a\n" * 600_000)
    argv = ["validate", "--policy=syntax", "--jobs=3", "--file", str(source)]
    with open_uriparse(*argv) as process:
        assert process.stdout.readline() == b"ok\t\turn:a\n"
        process.send_signal(getattr(signal, name))
        rest = process.stdout.read()
        assert rest.count(b"\n") < 500_000
        assert process.stderr.read() == b""
        assert process.wait() == (130 if name == "SIGINT" else -signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise elsewhere")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_interrupt_cuts_no_line_and_leaves_no_part_of_a_file(tmp_path, unbuffered, monkeypatch):
    """Where the command waits for its reader, in the midst of a line."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    source = tmp_path / "lines"
    source.write_bytes(b"urn:%s\n" % (b"a" * 3000) * 3000)
    good = tmp_path / "good"
    argv = ["validate", "--policy=syntax", f"--good={good}", "--file", str(source)]
    with open_uriparse(*argv) as process:
        lines = [process.stdout.readline()]
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        assert process.wait() == 130
        assert process.stderr.read() == b""
    assert len(lines) < 3000
    assert set(lines) == {b"ok\t\turn:%s\n" % (b"a" * 3000)}
    assert [*tmp_path.iterdir()] == [source]


@pytest.mark.slow
@each_case("policy", ["syntax", "outbound", "strict"])
def test_random_octets_give_as_many_lines_as_came(validate, policy):
    draw = random.Random(policy)
    pieces = [
        b"http://", b"h.com", b"127.1", b"\xff", b"\xc3\xa9", b"%zz", b"\0", b"u:p@", b"[::1]",
    ]  # fmt: skip
    records = [
        b"".join(draw.choice([*pieces, draw.randbytes(2)]) for _ in range(draw.randrange(6)))
        for _ in range(2000)
    ]
    data = b"\n".join(record.replace(b"\n", b"").replace(b"\r", b"") for record in records) + b"\n"
    _, out, err = validate(data, f"--policy={policy}", "--warnings")
    assert err == ""
    assert [line.split(b"\t", 2)[2] for line in out.split(b"\n")[:-1]] == data.split(b"\n")[:-1]
