"""Command lines: in this process, and programs in others."""

import contextlib
import io
import os
import subprocess
import sys

import pytest

from uriparse.cli import main

COMMAND = [sys.executable, "-m", "uriparse"]


def running(*words, empty=False, files=None, capture="capsys", **environment):
    """Return a fixture that runs command lines with these first words, in an empty folder or here.

    files: what the folder holds. A run returns its exit code, standard output and standard error.
    """

    @pytest.fixture
    def run(monkeypatch, request, tmp_path):
        if empty or files:
            monkeypatch.chdir(tmp_path)
        for name, content in (files or {}).items():
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name).write_bytes(data)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        captured = request.getfixturevalue(capture)

        def call(*argv, stdin=b""):
            octets = stdin if isinstance(stdin, bytes) else stdin.encode()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets)))
            return main([*words, *map(str, argv)]), *captured.readouterr()

        return call

    return run


def here(*argv, input=b"", errors="strict"):  # noqa: A002 - as of subprocess.run
    """Run the command in this process, which takes a hundredth of the time.

    input: octets, or a stream of them. errors: what becomes of output that is not Unicode.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for _ in range(2))
    stdin = io.BytesIO(input) if isinstance(input, bytes) else input
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(stdin)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(argv)
    finally:
        sys.stdin = kept
    made = [stream.flush() or stream.buffer.getvalue() for stream in (out, err)]
    return subprocess.CompletedProcess(argv, code, *made)


def told_here(*argv, stdin=b"", errors="strict"):
    """Run it likewise: exit code, standard output and standard error, whatever the octets."""
    done = here(*argv, input=stdin, errors=errors)
    made = [octets.decode("utf-8", "surrogateescape") for octets in (done.stdout, done.stderr)]
    return done.returncode, *made


class Arriving(io.RawIOBase):
    """A stream that comes in pieces, each by itself, as from a terminal or a slow pipe."""

    def __init__(self, pieces):
        super().__init__()
        self.pieces = iter(pieces)

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = next(self.pieces, b"")
        buffer[: len(piece)] = piece
        return len(piece)


def run_program(*command, check=True, text=True, more=(), env=None, **options):
    """Run a program to its end and return what came of it, its output captured.

    more: what its environment has besides ours; `env` is a whole one.
    """
    env = {**os.environ, **dict(more)} if env is None else env
    return subprocess.run(command, capture_output=True, check=check, text=text, env=env, **options)


def run_python(code, *arguments, flags=(), **options):
    """Run a program of Python in a process of its own, as `run_program` does."""
    return run_program(sys.executable, *flags, "-c", code, *arguments, **options)


def run_uriparse(*argv, **options):
    """Run the command in a process of its own; its input and output are octets."""
    return run_program(*COMMAND, *argv, **{"check": False, "text": False, **options})


def open_uriparse(*argv, **streams):
    """Begin to run the command in a process of its own, whose streams are pipes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*COMMAND, *argv], **{**pipes, **streams})
