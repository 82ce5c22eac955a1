"""A run of the tests leaves nothing in the temporary folder."""

import os
import subprocess
import sys

import pytest
from paths import ROOT

WRITING = ("tests/engines", "tests/native", "tests/recipes", "tests/frameworks")
"""Folders of tests that write files or start programs."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR is of other systems")
def test_the_temporary_folder_is_as_before(tmp_path):
    command = [sys.executable, "-m", "pytest", "-n2", "-p", "no:cacheprovider", *WRITING]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-5000:]
    # pytest keeps the folder in which it makes those of its runs.
    left = [path for path in tmp_path.rglob("*") if not path.match("pytest-of-*")]
    assert left == []
