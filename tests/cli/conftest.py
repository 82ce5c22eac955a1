"""For tests of commands: an empty directory, and a command line in this process."""

import pytest
from command_runs import running


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Change to an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


run = running()
