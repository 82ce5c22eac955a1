"""Whatever the grammar: a verdict or a message, within bounds of time and memory."""

import resource
import sys
from pathlib import Path

import pytest
from cases import documents, each_case, tables

import abnf2lark

sys.path.insert(0, str(Path(__file__).parent))
from command_runs import run_python
from hostile import HOSTILE, octets

TABLES = tables(__file__)

SECONDS, OCTETS = 60, 1 << 30  # three times what each may take, since others run beside it
USE = documents(__file__)["USE"]


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (OCTETS, OCTETS))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


LONGEST = {
    "a chain of optional rules that doubles", "1 MB of rules", "1 MB of one alternation over lines",
    "1 MB of one concatenation", "1 MB of one line of rules",
}  # fmt: skip
"""Each takes ten seconds and more."""


def case(number, name):
    seldom = pytest.mark.long if number % 4 else pytest.mark.slow
    return pytest.param(name, marks=pytest.mark.oracle if name in LONGEST else seldom)


@pytest.mark.parametrize("name", [case(*one) for one in enumerate(HOSTILE)])
def test_a_grammar_that_hurts_is_answered_within_bounds(tmp_path, name):
    path = tmp_path / "hostile.abnf"
    path.write_bytes(octets(name))
    done = run_python(USE, path, preexec_fn=bounded, check=False)
    assert (done.returncode, done.stdout) == (0, "told\n"), done.stderr[-500:]


TOLD = TABLES["told"]


@pytest.mark.slow
@each_case("name", TOLD)
def test_what_is_wrong_is_told(name):
    with pytest.raises(abnf2lark.GrammarError) as caught:
        abnf2lark.load(octets(name).decode())
    message = caught.value.problems[0].show()
    assert TOLD[name] in message
    assert "\x1b" not in message


def test_names_never_run():
    with pytest.raises(abnf2lark.GrammarError):
        abnf2lark.load(octets("code in names").decode())
    grammar = abnf2lark.load(
        'class = exec / import\nexec = *"x"\nimport = 1*"y" [ lambda ]\nlambda = *"z"'
    )
    found = grammar.records(captured=["exec", "import", "lambda"]).parse("yz")
    assert found.import_.lambda_ == "z"
