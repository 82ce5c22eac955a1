"""The command among other processes: closed, full and broken streams, and interrupts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import each_case

pytestmark = pytest.mark.slow

FULL = Path("/dev/full")
COMMAND = [sys.executable, "-m", "abnf2lark"]
WRITERS = [
    ["--help"], ["lint", "--help"], ["lint", "bad.abnf"], ["lint", "--json", "t.abnf"],
    ["pattern", "t.abnf", "a"], ["compile", "t.abnf"],
]  # fmt: skip
NO_SPACE = b"abnf2lark: input or output: No space left on device\n"
posix = pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is full")


@pytest.fixture
def run(tmp_path):
    (tmp_path / "t.abnf").write_text("a = 1*DIGIT\nb = a\n")
    (tmp_path / "bad.abnf").write_text("a = b\n")

    def call(*argv, command=COMMAND, **streams):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        return subprocess.run([*command, *argv], check=False, cwd=tmp_path, **streams)

    return call


@posix
@each_case("argv", WRITERS)
def test_a_reader_who_has_gone_is_met_with_silence(run, argv):
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*argv, stdout=writer)
    os.close(writer)
    assert done.returncode == 141
    assert b"Error" not in done.stderr


@full
@each_case("argv", WRITERS)
def test_an_answer_that_cannot_be_written_is_a_failure(run, argv):
    with FULL.open("wb") as stream:
        done = run(*argv, stdout=stream)
    assert done.returncode == 2
    assert done.stderr.endswith(NO_SPACE)
    assert b"Traceback" not in done.stderr


SET_NAME = """
class Part:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), 2)
class Whole:
    part = Part()
"""
DELETED = """
class Thing:
    def __del__(self):
        os.kill(os.getpid(), 2)
Thing()
"""


@posix
@each_case("amid", [SET_NAME, DELETED])
def test_an_interrupt_ends_the_command_wherever_it_arises(run, amid):
    code = f"""
import os, sys
from abnf2lark import command
from abnf2lark.commands import pattern_command
sys.argv = ["abnf2lark", "pattern", "t.abnf", "a"]
pattern_command.run = lambda *_: exec({amid!r}, {{"os": os}}) or 0
sys.exit(command.main())
"""
    done = run(command=[sys.executable, "-c", code])
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
