"""The prose of README, pages, helps and docstrings passes the linters; so does the spelling."""

import subprocess
import sys

import pytest
from paths import ROOT

pytest.importorskip("proselint")
pytest.importorskip("codespell_lib")

from tools.docs import prose


@pytest.mark.slow
def test_prose(capsys):
    assert prose.main() == 0, capsys.readouterr().out


def test_spelling():
    command = [sys.executable, "-m", "codespell_lib", "README.md", "tools", "uriparse", ".ci"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout) == (0, "")
