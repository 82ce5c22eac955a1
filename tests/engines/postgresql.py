"""A server of PostgreSQL for tests, where one is installed."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_runs import run_program


@contextmanager
def server():
    """Run a server that listens on a socket in a directory alone; give that directory."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    found = [shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    programs = [Path(program).resolve().parent for program in found if program]
    if not programs:
        pytest.skip("no server of PostgreSQL is installed")
    # PostgreSQL does not run as root, and another user may not enter a folder of root's own.
    user = "nobody" if os.geteuid() == 0 else None
    place = Path(tempfile.mkdtemp(prefix="uriparse-", dir="/tmp" if user else None))
    if user:
        shutil.chown(place, user)

    def run(program, *arguments):
        command = [programs[-1] / program, "-D", place / "data", *arguments]
        done = run_program(*command, cwd=place, user=user, check=False)
        assert done.returncode == 0, done.stderr

    try:
        run("initdb", "-U", "u", "--auth=trust", "-E", "UTF8", "--locale=C", "-N")
        options = f"-k {place} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "start", "-w", "-l", place / "log", "-o", options)
        try:
            yield place
        finally:
            run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(place)


def is_storable(text):
    """Whether a text can be stored: without NUL and without lone surrogates."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
