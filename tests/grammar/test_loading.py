"""The library loads its generated files from a directory, a zip and a frozen program."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from cases import documents
from paths import ROOT

from uriparse.grammar import grammars

pytestmark = pytest.mark.slow

PROGRAMS = documents(__file__)
USE = PROGRAMS["USE"]
PLACE = {"place", "implementation"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Return a zip of the pure packages, as in a zipapp."""
    path = tmp_path_factory.mktemp("zipped") / "app.pyz"
    parts = {"uriparse": "uriparse", "tools/abnf2lark": "abnf2lark", "grammar": "abnf2lark/grammar"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for source, target in parts.items():
            for file in sorted((ROOT / source).rglob("*")):
                if file.suffix in {".py", ".lark", ".packed", ".abnf", ".toml", ".txt"}:
                    name = file.relative_to(ROOT / source).as_posix()
                    made.write(file, f"{target}/{name}")
    return path


def run(code, directory, path=""):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}, cwd=directory,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def told(code, directory, path=""):
    done = run(code, directory, path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the results of the library in its directories."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    found = told(USE, tmp_path_factory.mktemp("empty"), path)
    assert found["host"] == "h"
    assert found["hint"].endswith("use uriparse.resolve(base, text)")
    assert found["verdicts"] == [True, False]
    assert found["error"][:2] == [12, "port"]
    assert len(found["automata"]) == len(grammars())
    assert found["witnesses"] > 100
    assert {"core", "rfc3986"} <= set(found["bundled"])
    return found


def without(found):
    return {name: value for name, value in found.items() if name not in PLACE}


def test_everything_loads_from_a_zip(archive, expected, tmp_path):
    found = told(USE, tmp_path, archive)
    assert found["place"].startswith(str(archive))
    assert found["implementation"] == "python"
    assert without(found) == without(expected)


def test_everything_loads_by_the_resource_reader_of_a_frozen_program(archive, expected, tmp_path):
    code = PROGRAMS["FROZEN"].format(archive=str(archive)) + USE
    found = told(code + "\nassert 'uriparse/_compiled' in READ\n", tmp_path)
    assert found["place"] == "frozen"
    assert without(found) == without(expected)


@pytest.fixture
def copied(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.c", "*.h")
    shutil.copytree(ROOT / "uriparse", tmp_path / "uriparse", ignore=ignored)
    return tmp_path


def shorten(path):
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize("spoil", [shorten, os.unlink], ids=["damaged", "missing"])
def test_tables_that_cannot_be_read_are_named(copied, spoil):
    spoil(copied / "uriparse" / "_compiled" / "rfc3986.packed")
    done = run(PROGRAMS["REFUSED"], copied, copied)
    assert done.returncode == 0, done.stderr
    error, verdict = done.stdout.splitlines()
    assert error.startswith("TablesError ")
    assert "rfc3986.packed" in error
    assert ("is damaged: its length is wrong" in error) is (spoil is shorten)
    assert verdict == "True"  # expressions are not among the tables
    code = "import sys; from uriparse.cli import main; sys.exit(main(['parse', 'http://h:8x/']))"
    done = run(code, copied, copied)
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.startswith("uriparse: ")
    assert "rfc3986.packed" in done.stderr
    assert len(done.stderr.splitlines()) == 1
