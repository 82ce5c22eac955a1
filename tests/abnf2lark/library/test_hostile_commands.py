"""Whatever the grammar, and whatever is asked of it: a verdict or a message, within bounds."""

import re
import resource
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from command_runs import run_program
from hostile import HOSTILE, octets

SECONDS, OCTETS = 20, 1 << 30
COMMANDS = {
    "lint": lambda path, _: ["abnf2lark", "lint", path],
    "lint --first-match": lambda path, _: ["abnf2lark", "lint", "--first-match", path],
    "compile": lambda path, _: ["abnf2lark", "compile", path],
    "pattern": lambda path, rule: ["abnf2lark", "pattern", path, rule],
    "diff": lambda path, rule: ["abnf2lark", "diff", f"{path}:{rule}", f"{path}:{rule}"],
    "extract": lambda path, _: ["abnf2lark", "extract", path],
    "railroad": lambda path, _: ["abnf2lark", "railroad", path],
    "explain": lambda path, rule: ["abnf2lark", "explain", path, rule, "xyx"],
    "tree": lambda path, rule: ["abnf2lark", "tree", path, rule, "xyx"],
    "records": lambda path, rule: ["abnf2lark", "records", path, rule, "xyx"],
    "match": lambda path, rule: ["abnf2lark", "match", path, rule, "xyx"],
}
EXITS = {0, 1, 2}  # done, or told why not

pytestmark = pytest.mark.oracle


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (OCTETS, OCTETS))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_answers_within_bounds(tmp_path, command, name):
    written = octets(name)
    path = tmp_path / "hostile.abnf"
    path.write_bytes(written)
    first = re.search(rb"^([A-Za-z][A-Za-z0-9-]*)[ \t]*=", written, re.MULTILINE)
    rule = first[1][:50].decode() if first else "a"
    done = run_program(
        sys.executable, "-m", *COMMANDS[command](str(path), rule), preexec_fn=bounded, check=False
    )
    assert done.returncode in EXITS, done.stderr[-500:]
    assert not {"Traceback", "MemoryError"} & {*re.findall(r"\w+", done.stderr)}
    assert done.returncode == 0 or done.stderr or done.stdout
