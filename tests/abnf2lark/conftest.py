"""What all tests of the compiler share: grammars from text, and the command in this process."""

import sys
import textwrap
from dataclasses import dataclass

import pytest
from paths import ROOT

from abnf2lark.command import main
from abnf2lark.config import core_grammar
from abnf2lark.problems import Source
from abnf2lark.reading import load

sys.path.insert(0, str(ROOT))  # the collection is not installed


@pytest.fixture(scope="session")
def core():
    return core_grammar()


@pytest.fixture(scope="session")
def grammar(core):
    """Load a grammar from its text; it must have no problems."""

    def make(text, *imports):
        made, problems = load(Source("t.abnf", textwrap.dedent(text)), "t", (*imports, core))
        assert not problems, problems[0].show()
        return made

    return make


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def abnf2lark(capsys, tmp_path, monkeypatch):
    """Run the command in an empty directory; write the given files there first."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, **files):
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / f"{name}.abnf").write_bytes(data)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse
            code = stop.code
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run
