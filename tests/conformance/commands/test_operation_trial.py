"""`uriparse conformance trial --operation`: results of other programs, held to the RFC's."""

import json
import shlex
import sys

import pytest
from cases import tables

from uriparse.cli import main

TABLES = tables(__file__)

pytestmark = pytest.mark.slow

RIGHT = """
from conformance.program_mutants import normalize, resolve

def as_written(base, reference):
    return base + reference

def failing(base, reference):
    return (base + reference).no_such_method()

def raising(base, reference):
    raise ValueError

def same(one, other):
    return normalize(one) == normalize(other)

def never(one, other):
    return False

def target(base, target):
    return target

def empty(base, target):
    return ""
"""

COMMAND = """
import sys
from conformance.program_mutants import resolve
import json
for line in sys.stdin:
    text = bytes.fromhex(line).decode() if "hex" in sys.argv else json.loads(line)
    found = resolve(*text.split(" "))
    print(json.dumps({"text": found} if "object" in sys.argv else found), flush=True)
"""


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


@pytest.mark.parametrize(("operation", "function", "line"), [
    ("resolution", "as_written", "  5.2.4  base a:b, reference .: a:b., not a:"),
    ("resolution", "raising", "  5.2.4  base a:b, reference .: refused, not a:"),
    ("equivalence", "never", "different, not equivalent"),
    ("relativization", "empty", '  5.2  base a:, target a:...: "", not a:...'),
])  # fmt: skip
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
