"""pytest, run as a user runs it: a failed comparison of records shows which components differ."""

import os
import sys

from cases import tables
from command_runs import run_program

TABLES = tables(__file__)

PROGRAM = """
from uriparse import parse, parse_url

def test_records():
    assert parse("http://u:hunter2@h/a?x") == parse("http://u:hunter3@h/b?x")

def test_text():
    assert parse("http://h:80/") == "http://h/"

def test_urls():
    assert parse_url("ftp://h/a/b") == parse_url("ftp://h/c/b")

def test_others():
    assert [1] == [2]
"""
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
