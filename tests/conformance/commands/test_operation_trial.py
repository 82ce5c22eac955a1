"""`uriparse conformance trial --operation`: results of other programs, held to the RFC's."""

import json
import shlex
import sys

import pytest
from cases import documents, tables

from uriparse.cli import main

TABLES = tables(__file__)

pytestmark = pytest.mark.slow

RIGHT = documents(__file__)["RIGHT"]

COMMAND = documents(__file__)["COMMAND"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "others.py").write_text(RIGHT)
    (tmp_path / "command.py").write_text(COMMAND)
    monkeypatch.chdir(tmp_path)


def trial(capsys, *argv):
    code = main(["conformance", "trial", *argv])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("operation", "function"),
    [("resolution", "resolve"), ("normalization", "normalize"), ("equivalence", "same"),
     ("relativization", "target")],
)  # fmt: skip
def test_the_program_of_another_has_no_difference(capsys, operation, function):
    code, out, err = trial(capsys, "--operation", operation, "--whole", f"others:{function}")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith(f"{operation}: ")
    assert out.splitlines()[2:] == [f"others:{function}: 0 differ"]


@pytest.mark.parametrize(("operation", "function", "line"), TABLES["what_differs_is_told"])
def test_what_differs_is_told(capsys, operation, function, line):
    code, out, err = trial(capsys, "--operation", operation, f"others:{function}")
    assert (code, err) == (1, "")
    assert line in out


def test_what_fails_has_no_answer(capsys):
    code, out, err = trial(capsys, "--operation", "resolution", "others:failing")
    assert (code, err) == (1, "")
    head, line = out.splitlines()[2:]
    assert head == "others:failing: 0 differ"
    assert line.startswith("  ! AttributeError: 'str' object has no attribute 'no_such_method': ")


@pytest.mark.parametrize("options", ["", "hex", "object", "hex object"])
def test_a_command(capsys, options):
    command = f"{shlex.quote(sys.executable)} command.py {options}"
    argv = ["--hex"] if "hex" in options else []
    code, out, err = trial(capsys, *argv, "--operation=resolution", "--format=json", command)
    assert (code, err) == (0, "")
    [found] = map(json.loads, out.splitlines())
    assert found == {
        "parser": command, "operation": "resolution", "version": "", "asked": found["asked"],
        "differences": [], "unanswered": {},
    }  # fmt: skip
    assert found["asked"] > 20


@pytest.mark.parametrize(("argv", "message"), TABLES["what_does_not_go_together_is_said"])
def test_what_does_not_go_together_is_said(capsys, argv, message):
    code, out, err = trial(capsys, "--operation", "resolution", *argv)
    assert (code, out) == (2, "")
    assert message in err
