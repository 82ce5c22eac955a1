"""The command line as a process among others: pipes that break, bytes, closed and full files."""

import codecs
import gzip
import io
import json
import os
import subprocess
import sys
import tracemalloc
from itertools import repeat
from pathlib import Path

import pytest
from cases import each_case, tables
from command_runs import COMMAND, Arriving, open_uriparse, run_program
from command_runs import run_uriparse as run
from command_tables import COMMANDS
from conformance.peers.misbehaving import peer
from other_parsers import Panel

from uriparse.cli import main

TABLES = tables(__file__)

TEXTS = ["http://a/", "ftp://h.d/b", "http://a/c"]


def test_each_line_is_answered_before_the_next_is_there():
    with open_uriparse("parse", "--json", "-") as process:
        for text in ("a", "b:"):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["text"] == text
        process.stdin.close()
        assert process.wait() == 0


def test_answers_and_messages_to_one_reader_keep_their_order():
    done = subprocess.run(
        [*COMMAND, "get", "-f", "{text}"], input=b"a\nb c\nd\n", stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    told = [line.split(b": ")[0] for line in done.stdout.splitlines()]
    assert told == [b"a", b"line 2", b"d"]


class Writes(io.RawIOBase):
    """How much was written at once."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def writable(self):
        return True

    def write(self, data):
        self.sizes.append(len(data))
        return len(data)


def test_answers_to_lines_that_are_there_are_written_together(monkeypatch):
    sink = Writes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n" * 30_000)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sink, write_through=True))
    monkeypatch.setattr("uriparse.cli.console.monotonic", lambda: -1.0)
    assert main(["normalize"]) == 0
    assert sink.sizes == [60_000]


def test_no_answer_waits_for_slow_ones(monkeypatch):
    sink, now = Writes(), iter(range(100))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n" * 9)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sink, write_through=True))
    monkeypatch.setattr("uriparse.cli.console.monotonic", lambda: next(now))
    assert main(["normalize"]) == 0
    assert sum(sink.sizes) == 18
    assert max(sink.sizes) <= 4


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_broken_pipe_is_silent(tmp_path, option):
    lines = tmp_path / "lines"
    lines.write_bytes(b"http://h/\n" * 20_000)
    with lines.open("rb") as source, open_uriparse("parse", *option, "-", stdin=source) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(os.name != "posix", reason="file names and arguments are bytes there only")
def test_argument_that_is_not_utf8():
    done = run("parse", b"x\xff")
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == b"error: byte 0xFF at offset 1 is not UTF-8"


def test_input_that_is_not_utf8():
    done = run("parse", "--json", "-", input=b"\xff\nx\n")
    assert done.returncode == 1
    assert [json.loads(line)["valid"] for line in done.stdout.splitlines()] == [False, True]
    assert done.stderr == b""


def test_output_that_cannot_show_the_text():
    """A terminal for ASCII only gets escapes instead of a traceback."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run("parse", "--grammar", "rfc3987", "/é", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[0] == b"/\\xe9"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_full_disk():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "parse", "x"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"uriparse: input or output: No space left on device\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="closes descriptors the POSIX way")
@each_case(
    ("closing", "code", "message"),
    [("<&-", 0, b"uriparse: standard input is empty\n"), (">&-", 141, b""), ("2>&-", 1, b"")],
)
def test_closed_streams(closing, code, message):
    line = f"exec '{sys.executable}' -m uriparse parse - {closing}"
    text = b"" if closing == "<&-" else b"a b\n"
    done = run_program("sh", "-c", line, input=text, check=False, text=False)
    assert (done.returncode, done.stderr) == (code, message)


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has them")
def test_colour_on_a_real_terminal():
    import pty

    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "parse", "http://h/p"], stdout=follower, env={**environment, "TERM": "xterm"}
    )
    assert process.wait() == 0
    os.close(follower)
    assert b"\x1b[36mhttp\x1b[0m" in os.read(leader, 10_000)
    os.close(leader)


def peak(monkeypatch, count):
    lines = io.BufferedReader(Arriving(repeat(b"http://user@example.com/a/b?c=d#e\n", count)))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(lines))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(Sink())))
    tracemalloc.start()
    try:
        assert main(["parse", "-"]) == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Sink(io.RawIOBase):
    def writable(self):
        return True

    def write(self, data):
        return len(data)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_input(monkeypatch):
    peak(monkeypatch, 10)  # loads what is loaded once
    assert peak(monkeypatch, 5_000) < 2 * peak(monkeypatch, 50) + 50_000


PER_LINE = TABLES["per_line"]


@pytest.fixture
def answers(run, place, monkeypatch):  # noqa: ARG001 - it is run there
    monkeypatch.setattr("uriparse.conformance.peers.asking.DESTINATION_PEERS", ())
    return run


def test_the_table_has_every_command_that_reads_lines():
    others = {
        *("help", "conformance", "explain"),  # which read none
        "find",  # which reads prose
    }
    assert {name.partition(" ")[0] for name in PER_LINE} == set(COMMANDS) - others


@each_case("name", [
    *("parse", "get", "set", "resolve", "resolve --relative", "normalize", "redact"),
    *("normalize --key", "validate"),
])  # fmt: skip
def test_texts_and_answers_may_end_with_nul(answers, name):
    argv = [*name.split(), *PER_LINE[name]]
    code, lines, said = answers(*argv, stdin="".join(f"{text}\n" for text in TEXTS).encode())
    for option in ("-0", "--null"):
        for data in ("\0".join(TEXTS), "".join(f"{text}\0" for text in TEXTS)):
            found, out, err = answers(*argv, option, stdin=data.encode())
            assert (found, err) == (code, said)
            if name == "validate":  # whose table has escapes for line ends
                assert out == lines
                continue
            assert out.count("\0") == len(TEXTS)
            assert out.replace("\0", "\n") == lines


@pytest.mark.long
@each_case("options", [[], ["--json"], ["-0"]])
@each_case("name", ["parse", "get", "normalize", "normalize --key"])
def test_several_processes_tell_the_same(tmp_path, name, options):
    lines = [f"http://u:p@h{number % 7}/{'%' * (number % 5 == 0)}" for number in range(9_000)]
    source = tmp_path / "lines"
    source.write_text("\n".join(lines).replace("\n", "\0" if options == ["-0"] else "\n"))
    argv = [*COMMAND, *name.split(), *PER_LINE[name], *options, "http://a/", "b c"]
    told = [
        subprocess.run(
            [*argv, f"--jobs={jobs}", "--file", source],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        for jobs in (1, 3)
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].returncode == told[1].returncode == 1


def test_several_processes_answer_lines_that_come_one_by_one():
    with open_uriparse("normalize", "--jobs=2") as process:
        for text in (b"a\n", b"b:\n"):
            process.stdin.write(text)
            process.stdin.flush()
            assert process.stdout.readline() == text
        process.stdin.close()
        assert process.wait() == 0


@each_case("name", sorted(set(PER_LINE) - {"redact", "validate", "explain"}))
def test_a_line_end_does_not_end_a_text_that_nul_ends(answers, name):
    _, out, err = answers(
        *name.split(), *PER_LINE[name], *(["--json"] if name == "tree" else []), "-0",
        stdin=b"a\nb\0x:y\0",
    )  # fmt: skip
    assert "\nb" not in out.replace("\0", "")
    assert "line 3" not in err


@pytest.mark.slow
@each_case("name", PER_LINE)
@each_case("word", ["-1", "-a b", "-5.5", "-x", "-0x", "-00"])
def test_what_begins_with_a_hyphen_is_an_option_or_comes_after_two(answers, name, word):
    if name == "validate" and word == "-00":
        pytest.skip("twice the same option")
    code, out, err = answers(*name.split(), *PER_LINE[name], word, stdin=b"http://a/\n")
    if word == "-00":
        assert code in {0, 1}
        return
    assert (code, out) == (2, "")
    assert "\nerror: " in err
    if name == "explain":
        return
    code, out, err = answers(*name.split(), *PER_LINE[name], "--", word, stdin=b"http://a/\n")
    assert code in {0, 1}
    assert "usage" not in err


@pytest.mark.slow
@each_case("ends", ["\n", "\r\n", "\0"])
@each_case("name", PER_LINE)
def test_a_byte_order_mark_is_no_part_of_the_first_text(answers, name, ends):
    argv = [*name.split(), *PER_LINE[name], *(["-0"] if ends == "\0" else [])]
    data = "".join(f"{text}{ends}" for text in TEXTS).encode()
    assert answers(*argv, stdin=codecs.BOM_UTF8 + data) == answers(*argv, stdin=data)
    assert answers(*argv, stdin=codecs.BOM_UTF8) == answers(*argv, stdin=b"")


@pytest.mark.parametrize(("options", "line"), TABLES["nor_in_files_of_any_form"])
@pytest.mark.parametrize("packed", [False, True])
def test_nor_in_files_of_any_form(answers, tmp_path, options, line, packed):
    end = "\0" if "-0" in options else "\n"
    rows = [line.format(text) for text in TEXTS]
    if "url" in options:
        rows.insert(0, "url,x")
    data = "".join(f"{row}{end}" for row in rows).encode()
    shown = []
    for name, held in (("plain", data), ("marked", codecs.BOM_UTF8 + data)):
        (tmp_path / name).write_bytes(gzip.compress(held) if packed else held)
        shown.append(
            answers("validate", "--format=ndjson", "--policy=syntax", *options, "--file", name)
        )
    assert shown[0] == shown[1]
    assert shown[0][0] == 0


@each_case("at", [1, 2])
def test_only_the_first_text_may_have_one(answers, at):
    data = f"http://a/\n{chr(0xFEFF) * at}http://b/\n".encode()
    assert answers("normalize", stdin=data)[0] == 1
    assert answers("normalize", stdin=codecs.BOM_UTF8 * 2 + b"http://a/")[0] == 1


@pytest.mark.parametrize("ends", ["\n", "\0"])
def test_texts_may_come_octet_by_octet(monkeypatch, capsys, ends):
    data = codecs.BOM_UTF8 + "".join(f"{text}{ends}" for text in TEXTS).encode()
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(Arriving(bytes([one]) for one in data)))
    )
    assert main(["normalize", *(["-0"] if ends == "\0" else [])]) == 0
    assert capsys.readouterr().out == "".join(f"{text}{ends}" for text in TEXTS)


def test_no_reader_is_asked_about_what_is_too_long(answers, monkeypatch):
    asked = []
    compare = Panel.compare
    monkeypatch.setattr(
        Panel, "compare", lambda self, text: asked.append(text) or compare(self, text)
    )
    secret = b"http://u:s3cr3t"
    data = b"\n".join([b"http://a/" + b"x" * (1 << 20), b"http://b/", secret + b"y" * (1 << 21)])
    code, out, err = answers("diff", stdin=data)
    assert (code, asked) == (1, ["http://b/"])
    assert "s3cr3t" not in out + err
    assert err.count("error: a line of more than 1048576 octets is not read") == 2
    code, out, err = answers("diff", "--json", stdin=data)
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3]
    assert "s3cr3t" not in out
    _, out, _ = answers("diff", "--json", "--show-passwords", stdin=data)
    assert "s3cr3t" in out


@pytest.mark.slow
def test_diff_holds_little_of_a_long_line(monkeypatch):
    """One of 16 MB took 0.6 GB: each reader was given its digits."""
    monkeypatch.setattr(
        "uriparse.conformance.peers.asking.DESTINATION_PEERS", tuple(peer("echo") for _ in range(4))
    )
    line = b"http://a/" + b"x" * (1 << 24)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(line))))
    tracemalloc.start()
    try:
        assert main(["diff"]) == 1
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


def test_messages_of_a_file_are_written_together_and_all(tmp_path):
    """To other files than the results; in their order with these where both go to one."""
    lines = [f"http://h{n}/{'%' * (n % 3 > 0)}" for n in range(2_000)]
    (tmp_path / "in").write_text("\n".join(lines))
    argv = [*COMMAND, "normalize", "--file", "in"]
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        subprocess.run(argv, stdout=out, stderr=err, cwd=tmp_path, check=False)
    told = (tmp_path / "err").read_text().splitlines()
    assert [int(one.split(":")[1]) for one in told] == [
        number for number, line in enumerate(lines, 1) if "%" in line
    ]
    done = (tmp_path / "out").read_text().splitlines()
    both = subprocess.run(
        argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path, check=False
    )
    rows, places = both.stdout.decode().splitlines(), iter(told)
    answers = iter(done)
    assert rows == [next(places) if "%" in line else next(answers) for line in lines]
    last = run_program(*argv, "--invalid", "fail", cwd=tmp_path, check=False, text=False)
    assert (last.returncode, last.stderr.decode().splitlines()) == (1, told[:1])


def test_messages_take_few_writes(monkeypatch, tmp_path):
    written = []

    class Counted(io.FileIO):
        def write(self, octets):
            written.append(len(octets))
            return super().write(octets)

    lines = "http://h/%\n" * 3_000
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    with Counted(tmp_path / "err", "w") as raw, (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BufferedWriter(raw)))
        assert main(["normalize"]) == 1
        sys.stderr.flush()
    assert sum(written) > 3_000 * 20
    assert len(written) < 300
