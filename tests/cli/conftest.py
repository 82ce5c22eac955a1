"""For tests of commands that read and write files."""

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Stand in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
