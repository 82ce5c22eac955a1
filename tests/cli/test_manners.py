"""Commands among others: whatever breaks off, is full, or is interrupted, no traceback shows."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import documents, each_case
from command_runs import run_program, run_python

FULL = Path("/dev/full")
WRITERS = [
    *("uriparse --version", "uriparse --help", "uriparse parse --help", "uriparse parse x"),
    *("uriparse parse --json a%b", "uriparse tree x", "uriparse tree --rules"),
    *("uriparse url http://h/", "abnf2lark --help", "abnf2lark lint --help"),
    *("abnf2lark lint bad.abnf", "abnf2lark lint --json t.abnf", "abnf2lark pattern t.abnf a"),
    "abnf2lark compile t.abnf",
]
posix = pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is full")


def run(*argv, program="uriparse", **streams):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run([sys.executable, "-m", program, *argv], check=False, **streams)


@pytest.fixture
def grammars(place):
    """An empty directory, with what the compiler reads."""
    (place / "t.abnf").write_text("a = 1*DIGIT\nb = a\n")
    (place / "bad.abnf").write_text("a = b\n")


@pytest.mark.slow
@posix
@pytest.mark.usefixtures("grammars")
@each_case("line", WRITERS)
def test_a_reader_who_has_gone_is_met_with_silence(line):
    reader, writer = os.pipe()
    os.close(reader)
    program, *argv = line.split()
    done = run(*argv, program=program, stdout=writer)
    os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b"" or (program == "abnf2lark" and b"Error" not in done.stderr)


@pytest.mark.slow
@full
@pytest.mark.usefixtures("grammars")
@each_case("line", WRITERS)
def test_an_answer_that_cannot_be_written_is_a_failure(line):
    program, *argv = line.split()
    with FULL.open("wb") as stream:
        done = run(*argv, program=program, stdout=stream)
    told = f"{program}: input or output: No space left on device\n".encode()
    assert done.returncode == 2
    assert done.stderr == told or (program == "abnf2lark" and done.stderr.endswith(told))
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@full
def test_answers_do_not_depend_on_messages():
    """Where no message can be told, what is valid is answered all the same."""
    with FULL.open("wb") as stream:
        done = run("normalize", "-", stderr=stream, input=b"a b\nHTTP://h\nb c\nHTTP://i\n")
        assert (done.returncode, done.stdout) == (1, b"http://h/\nhttp://i/\n")
        assert run("prase", stderr=stream).returncode == 2
        assert run("parse", "x", stdout=stream, stderr=stream).returncode == 2


@posix
def test_nor_on_who_reads_the_messages():
    reader, writer = os.pipe()
    os.close(reader)
    done = run("normalize", "-", stderr=writer, input=b"a b\nHTTP://h\n")
    os.close(writer)
    assert (done.returncode, done.stdout) == (1, b"http://h/\n")


PROGRAMS = documents(__file__)
START = PROGRAMS["START"]
TRIES = 12


@pytest.mark.slow
@posix
@each_case("argv", [["parse", "x"], ["url", "http://h/"], ["--help"]])
def test_an_interrupt_at_any_time_shows_no_traceback(argv):
    rng = random.Random(str(argv))
    command = [sys.executable, "-c", START, *argv]
    before = time.monotonic()
    run_program(*command, text=False)
    whole = time.monotonic() - before
    seen = set()
    for _ in range(TRIES):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **streams) as process:
            assert process.stdout.read(1) == "."
            time.sleep(rng.uniform(0, whole))
            process.send_signal(signal.SIGINT)
            _, said = process.communicate()
        rows = said.splitlines()[1:-1]
        if rows and all('"<string>"' in row for row in rows):
            continue  # it came before the command began, in the lines above
        if said.startswith("Exception ignored in: <function _get_module_lock."):
            continue  # it came while Python imported the command, in a function that raises nothing
        assert said == ""
        seen.add(process.returncode)
    # By the signal itself where Python has put its own handlers away: 130 as well, to a shell.
    assert seen <= {0, 130, -signal.SIGINT}
    assert seen - {0}, "no try has come in time"


BEGUN = {
    "uriparse": """
import os, sys
from uriparse.cli import console, main
sys.argv = ["uriparse", "parse", "x"]
console.Console.lines""",
    "abnf2lark": """
import os, sys
from abnf2lark.command import main
from abnf2lark.commands import pattern_command
sys.argv = ["abnf2lark", "pattern", "t.abnf", "a"]
pattern_command.run""",
}
PLACES = ["set-name", "del", "weakref", "suppressed"]


@pytest.mark.slow
@posix
@each_case("where", PLACES)
@each_case("program", BEGUN)
def test_an_interrupt_ends_the_command_wherever_it_arises(program, where):
    """Also where Python makes another exception of it, or none at all."""
    amid = PROGRAMS[where].format("os.kill(os.getpid(), 2)")
    code = f"{BEGUN[program]} = lambda *_: exec({amid!r}, {{'os': os}}) or ['x']\nsys.exit(main())"
    done = run_python(code, check=False, text=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("link", ["cause", "context"])
def test_what_comes_of_an_interrupt_is_one(monkeypatch, capsys, link):
    """In a process that keeps its own handler."""
    from uriparse.cli import main
    from uriparse.cli.console import Console

    def stop(*_):
        error = RuntimeError("__set_name__")
        setattr(error, f"__{link}__", KeyboardInterrupt())
        raise error

    monkeypatch.setattr(Console, "lines", stop)
    assert main(["parse", "x"]) == 130
    assert capsys.readouterr() == ("", "")


@posix
def test_what_has_begun_is_done_before_an_interrupt_ends_it():
    code = PROGRAMS["HELD"]
    command = [sys.executable, "-c", code]
    once = run_program(*command, check=False, text=False)
    assert (once.returncode, once.stdout, once.stderr) == (130, b"done whole first ", b"")
    twice = run_program(*command, "twice", check=False, text=False)
    assert (twice.returncode, twice.stdout, twice.stderr) == (130, b"done first ", b"")


@posix
def test_an_interrupt_that_is_ignored_stays_so():
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code += START.replace(
        "sys.exit(main())", "main(); print(signal.getsignal(2) is signal.SIG_IGN)"
    )
    done = run_python(code, "tree", "--rules")
    assert done.stdout.endswith("\nTrue\n")


@each_case("program", ["-m", "/usr/bin/uriparse", "C:\\\\uriparse.exe"])
@pytest.mark.not_by_lark("Lark is loaded at once")
def test_the_command_loads_little_before_it_minds_interrupts(program):
    code = f"""
import sys
sys.argv = [{program!r}]
before = set(sys.modules)
import uriparse.cli
print(*sorted(set(sys.modules) - before))
"""
    done = run_program(sys.executable, "-S", "-c", code)
    assert set(done.stdout.split()) <= {"__future__", "uriparse", "uriparse.cli"}


def test_a_fault_of_the_command_is_told_without_a_traceback(monkeypatch, capsys):
    from uriparse.cli import main
    from uriparse.cli.console import Console

    def fail(*_):
        raise ZeroDivisionError("http://u:secret@h/")

    monkeypatch.setattr(Console, "lines", fail)
    assert main(["parse", "x"]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("uriparse: this is a bug: ZeroDivisionError in test_")
    assert "secret" not in err
