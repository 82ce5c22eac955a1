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


def test_faults_are_found():
    prose.CheckRegistry().register_many(prose.__register__)
    faults = "This is no URI. It goes without saying that the the end stands in line 3."
    found = list(prose.problems("a", faults))
    assert [one.split(": ")[1] for one in found[:2]] == ["'is no URI'", "'stands in'"]
    assert len(found) > 3
    assert list(prose.problems("a", "This is not a URI.")) == []
    assert prose.grade("A dog ran. It sat.") < 2
    assert prose.grade("Notwithstanding internationalization, specifications proliferate.") > 12


def test_code_is_not_prose():
    page = (
        "---\nneeds: x\n---\n# Is no title\n\nSee [is](a.md) `is no` text.\n\n```text\nis no\n```\n"
    )
    assert prose.prose(page).split() == ["See", "is", "code", "text."]


def test_spelling():
    command = [sys.executable, "-m", "codespell_lib", "README.md", "tools", "uriparse", ".ci"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout) == (0, "")
