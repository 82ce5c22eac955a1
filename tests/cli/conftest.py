"""For tests of commands: an empty directory, and a command line in this process."""

import io
import sys

import pytest

from uriparse.cli import main


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Change to an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command line in this process: exit code, standard output, standard error."""

    def call(*argv, stdin=b""):
        octets = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets)))
        return main(argv), *capsys.readouterr()

    return call
