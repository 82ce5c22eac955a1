"""URIPARSE_ENGINE chooses who reads; Lark's engine asks no expression and no kernel."""

import json
import os
import re
import sys

import pytest
from cases import documents, tables, vectors
from command_runs import run_program
from paths import ROOT

TABLES = tables(__file__)

READER = ROOT / "tests/oracle/engine_reader.py"
ENGINES = ["lark", "python"]
WITHOUT_EXPRESSIONS = documents(__file__)["WITHOUT_EXPRESSIONS"]
MOST_LEFT_OUT = 40


def run(code, **environment):
    known = {k: v for k, v in os.environ.items() if k not in {"URIPARSE_ENGINE", "URIPARSE_PURE"}}
    command = [sys.executable, "-c", code]
    return run_program(*command, env=known | environment, check=False)


@pytest.mark.parametrize(("environment", "expected"), TABLES["the_engine_is_chosen"])
def test_the_engine_is_chosen(environment, expected):
    done = run("import uriparse; print(uriparse.implementation)", **environment)
    assert expected in (done.stdout or done.stderr)


def test_a_kernel_that_is_not_there_cannot_be_chosen():
    code = "import sys; sys.modules['uriparse._native._kernel'] = None; import uriparse"
    assert (
        "ImportError: URIPARSE_ENGINE is native, and the C "
        in run(code, URIPARSE_ENGINE="native").stderr
    )


def test_the_command_reads_by_the_engine_too():
    code = "import sys; sys.argv = ['/bin/uriparse']; from uriparse.cli import main; "
    code += "main(['parse', '--json', 'a:b']); from uriparse._base import engine; "
    code += "print(engine.by_lark)"
    done = run(code, URIPARSE_ENGINE="lark")
    assert "LarkEngine" in done.stdout
    assert not done.stderr


def test_lark_asks_no_expression():
    done = run(WITHOUT_EXPRESSIONS, URIPARSE_ENGINE="lark")
    assert (done.stdout, done.stderr) == ("lark\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["rfc3986", "rfc3987", "rfc2396", "CURRENT", "RFC1738"])
def test_the_engines_say_the_same(asked):
    names = ("components", "current_uris", "current_refusals", "schemes_urls", "schemes_refusals")
    texts = [row["text"] for name in names for row in vectors(name)]
    assert len(texts) > 300
    found = []
    for engine in ENGINES:
        known = {**os.environ, "URIPARSE_ENGINE": engine}
        command = [sys.executable, READER, asked, "all"]
        given = json.dumps(texts)
        done = run_program(*command, env=known, input=given)
        name, *lines = done.stdout.splitlines()
        assert (name, done.stderr, len(lines)) == (engine, "", len(texts))
        found.append(lines)
    assert found[0] == found[1]


def test_few_tests_are_left_out():
    marks = [
        reason
        for path in (ROOT / "tests").rglob("test_*.py")
        for reason in re.findall(r'mark\.not_by_lark\("(.+)"\)', path.read_text("utf-8"))
    ]
    assert 0 < len(marks) <= MOST_LEFT_OUT
