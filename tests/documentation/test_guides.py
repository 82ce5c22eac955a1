"""The guides for contributors, followed to the letter in a copy of the tree."""

import os
import re
import shlex
import shutil
import sys
from itertools import takewhile

import pytest
from command_runs import run_program
from documentation.pages import SOURCES, read
from paths import ROOT

from uriparse._native import kernel

pytestmark = pytest.mark.slow  # the tree is copied, and its tests are run

PAGES = [SOURCES / "how-to" / name for name in ("extend.md", "extend-grammars.md")]
FILES = run_program("git", "ls-files", "-z", cwd=ROOT, check=False).stdout.split("\0")[:-1]
GUIDES = [one for page in PAGES for one in re.split(r"(?m)^(?=## )", page.read_text("utf-8"))[1:]]


def put(place, block):
    """Write a block: a new file, or a piece before the only line of a file that has a text."""
    path = place / block.file
    if not block.before:
        path.write_text(block.text, "utf-8")
        return
    lines = path.read_text("utf-8").splitlines(keepends=True)
    (at,) = [number for number, line in enumerate(lines) if block.before in line]
    blank = [*takewhile(str.isspace, reversed(lines[:at]))]  # between paragraphs
    path.write_text("".join([*lines[:at], block.text, *blank, *lines[at:]]), "utf-8")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.partition("\n")[0])
def test_what_a_guide_says_works(guide, tmp_path):
    source = tmp_path / "guide.md"
    source.write_text(guide, "utf-8")
    blocks = read(source).blocks
    place = tmp_path / "tree"
    for name in FILES:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    if kernel is not None:
        shutil.copy(kernel.__file__, place / "uriparse/_native")
    commands = []
    for block in blocks:
        if block.file:
            put(place, block)
        elif block.kind == "sh":
            commands += block.text.splitlines()
    assert commands
    path = {"PYTHONPATH": os.pathsep.join([str(place), str(place / "tools")])}
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "python"
        done = run_program(sys.executable, *words, cwd=place, env=os.environ | path, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-2000:]}"
