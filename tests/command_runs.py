"""Command lines in this process."""

import io
import sys

import pytest

from uriparse.cli import main


def running(*words, empty=False):
    """Return a fixture that runs command lines with these first words, in an empty folder or here.

    A run returns its exit code, standard output and standard error.
    """

    @pytest.fixture
    def run(monkeypatch, capsys, tmp_path):
        if empty:
            monkeypatch.chdir(tmp_path)

        def call(*argv, stdin=b""):
            octets = stdin if isinstance(stdin, bytes) else stdin.encode()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets)))
            return main([*words, *map(str, argv)]), *capsys.readouterr()

        return call

    return run
