"""The command line as a process among others: pipes that break, bytes, closed and full files."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from uriparse.cli import main

COMMAND = [sys.executable, "-m", "uriparse"]


def run(*argv, **options):
    return subprocess.run([*COMMAND, *argv], capture_output=True, check=False, **options)


def test_each_line_is_answered_before_the_next_is_there():
    with subprocess.Popen(
        [*COMMAND, "parse", "--json", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for text in ("a", "b:"):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["text"] == text
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_broken_pipe_is_silent(tmp_path, option):
    lines = tmp_path / "lines"
    lines.write_bytes(b"http://h/\n" * 20_000)
    with (
        lines.open("rb") as source,
        subprocess.Popen(
            [*COMMAND, "parse", *option, "-"],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
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


@pytest.mark.skipif(os.name != "posix", reason="closes descriptors the POSIX way")
@pytest.mark.parametrize(
    ("closing", "code", "message"),
    [("<&-", 0, b"uriparse: standard input is empty\n"), (">&-", 141, b""), ("2>&-", 1, b"")],
)
def test_closed_streams(closing, code, message):
    line = f"exec '{sys.executable}' -m uriparse parse - {closing}"
    text = b"" if closing == "<&-" else b"a b\n"
    done = subprocess.run(["sh", "-c", line], input=text, capture_output=True, check=False)
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


class Endless(io.RawIOBase):
    """A hundred thousand lines that are nowhere in memory."""

    def __init__(self, line, count):
        super().__init__()
        self.line, self.count = line, count

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.count:
            return 0
        self.count -= 1
        buffer[: len(self.line)] = self.line
        return len(self.line)


def peak(monkeypatch, count):
    lines = io.BufferedReader(Endless(b"http://user@example.com/a/b?c=d#e\n", count))
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
