"""What type checkers say of a program that uses the library, line by line.

Each run reads the whole package: half a minute.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import uriparse

ROOT = Path(uriparse.__file__).parent.parent
CODE = Path(__file__).with_name("user_code.py.txt").read_text(encoding="utf-8")
LINES = list(enumerate(CODE.splitlines(), 1))
FAULTS = re.compile(r"# mypy: (?P<mypy>[\w, -]+); pyright: (?P<pyright>[\w, -]+)$")
TYPES = {number: line.partition("  # is: ")[2] for number, line in LINES if "  # is: " in line}

pytestmark = pytest.mark.long


ALONE = {"ty": [], "pyrefly": ["return record.scheme"]}


MISSED = {
    "ty": ['URI(scheme="http", hostname="h")', 'RelativeRef(scheme="http")',
           'uri.replace(netloc="h")', 'uriparse.make(netloc="h")', "assert uri.port == 8080",
           "uri < 5"],
    "pyrefly": ["assert uri.port == 8080", "uri < 5"],
}  # fmt: skip


READS = {
    "ty": {
        'reveal_type(reference.replace(scheme="x"))': "RelativeRef",
        "reveal_type(uriparse.__version__)": 'Literal["0"]',  # the rest is taken for modules
    },
    # It leaves out that URI says more of its scheme than URIReference does, hence ALONE.
    "pyrefly": {"reveal_type(uri.scheme)": "str | None"},
}


def by_ty(program):
    """Yield the line, the rule and the message of all that ty says."""
    (program.parent / "ty.toml").write_text('[rules]\nundefined-reveal = "ignore"\n', "utf-8")
    command = ["ty", "check", "--python", sys.prefix, "--output-format", "concise", program.name]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=program.parent, env=environment, capture_output=True, text=True, check=False
    )
    for line in done.stdout.splitlines():
        if told := re.match(r"program\.py:(\d+):\d+: \w+\[([\w-]+)\] (.*)", line):
            yield int(told[1]), told[2], told[3]


def by_pyrefly(program):
    """Yield the line, the rule and the message of all that pyrefly says."""
    (program.parent / "pyrefly.toml").write_text(
        f'preset = "strict"\nsearch-path = [{json.dumps(str(ROOT))}]\n'
        "[errors]\nunimported-directive = false\n",
        "utf-8",
    )
    command = ["pyrefly", "check", "--output-format", "json", program.name]
    command += ["--python-interpreter-path", sys.executable]
    done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    for told in json.loads(done.stdout)["errors"]:
        yield told["line"], told["name"], told["description"]


@pytest.fixture
def program(tmp_path):
    """The program as a file of its own, away from the settings of this project."""
    settings = {"extraPaths": [str(ROOT)], "typeCheckingMode": "strict", "include": ["program.py"]}
    settings |= {"reportUnusedImport": False, "reportUnusedExpression": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    path = tmp_path / "program.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def faults(checker):
    """Each line at fault by the comments, with the codes of a checker."""
    found = {number: FAULTS.search(line) for number, line in LINES}
    codes = {number: {*match[checker].split(", ")} for number, match in found.items() if match}
    return {number: some for number, some in codes.items() if some != {"nothing"}}


def plain(kind):
    """Write a type as its users do: names without their modules."""
    return re.sub(r"[\w.]+\.(\w+)", r"\1", kind)


@pytest.mark.skipif(not find_spec("mypy"), reason="mypy is not installed: pip install mypy")
def test_mypy(program):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--show-error-codes"]
    environment = os.environ | {"MYPYPATH": str(ROOT), "MYPY_CACHE_DIR": str(program.parent)}
    done = subprocess.run(
        [*command, "--no-pretty", "--config-file=", program.name], cwd=program.parent,
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    errors, types = {}, {}
    for line in done.stdout.splitlines():
        if told := re.match(r'program\.py:(\d+): note: Revealed type is "(.*)"', line):
            types[int(told[1])] = plain(told[2])
        elif told := re.match(r"program\.py:(\d+): error: .*\[([\w-]+)\]$", line):
            errors.setdefault(int(told[1]), set()).add(told[2])
        else:
            assert re.match(r"program\.py:\d+: note: |Found ", line), line
    assert errors == faults("mypy")
    assert types == TYPES


def unordered(types):
    """Split types at "|": the order in which pyright names the members is not fixed."""
    return {number: sorted(type_.split(" | ")) for number, type_ in types.items()}


@pytest.mark.skipif(not shutil.which("pyright"), reason="pyright is not there: pip install pyright")
def test_pyright(program):
    done = subprocess.run(
        ["pyright", "--outputjson", f"--pythonpath={sys.executable}"], cwd=program.parent,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not done.stdout:
        pytest.skip(f"pyright does not run here: {done.stderr.strip().splitlines()[-1]}")
    errors, types = {}, {}
    for told in json.loads(done.stdout)["generalDiagnostics"]:
        number = told["range"]["start"]["line"] + 1
        if told["severity"] == "information":
            types[number] = re.search(r' is "(.*)"$', told["message"])[1]
        else:
            errors.setdefault(number, set()).add(told["rule"])
    # What is at fault has no type: pyright says so besides.
    known = {
        number: {rule for rule in rules if not rule.startswith("reportUnknown")} or rules
        for number, rules in errors.items()
    }
    assert known == faults("pyright")
    assert unordered(types) == unordered(TYPES)


@pytest.mark.parametrize("checker", ["ty", "pyrefly"])
def test_younger_checkers_find_no_fault_where_there_is_none(checker, program):
    """They change from week to week: what they miss, and what they alone say, is listed."""
    if not shutil.which(checker):
        pytest.skip(f"{checker} is not there: pip install {checker}")
    errors, types = set(), {}
    for number, rule, message in {"ty": by_ty, "pyrefly": by_pyrefly}[checker](program):
        if "reveal" not in rule:
            errors.add(number)
        elif told := re.search(r"(?:`|: )([^`]+)`?$", message):
            types[number] = plain(told[1])
    code = {number: line.partition("  #")[0].strip() for number, line in LINES}
    known = {*faults("mypy"), *faults("pyright")}
    assert {code[number] for number in errors - known} == {*ALONE[checker]}
    assert {code[number] for number in known - errors} == {*MISSED[checker]}
    differing = [number for number, t in unordered(TYPES).items() if unordered(types)[number] != t]
    assert {code[number]: types[number] for number in differing} == READS[checker]
