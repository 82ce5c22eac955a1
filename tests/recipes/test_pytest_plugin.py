"""pytest, run as a user runs it: a failed comparison of records shows which components differ."""

import os
import sys

from cases import documents, tables
from command_runs import run_program

TABLES = tables(__file__)

PROGRAM = documents(__file__)["PROGRAM"]
EXPLAINED = TABLES["explained"]


def test_a_failed_comparison_names_components_and_no_password(tmp_path):
    (tmp_path / "test_it.py").write_text(PROGRAM, "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"]
    own = {**os.environ, "PYTEST_ADDOPTS": ""}  # options of this run may mean nothing there
    done = run_program(*command, check=False, cwd=tmp_path, env=own)
    said = [
        line[1:].strip().removeprefix("AssertionError: ")
        for line in done.stdout.splitlines()
        if line[:1] == "E"
    ]
    assert [line for line in said if line in EXPLAINED] == EXPLAINED, done.stdout
    assert not any("hunter" in line for line in said)
