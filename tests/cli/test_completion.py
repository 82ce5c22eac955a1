"""Completion and the manual page: what shells offer, and what `man` shows."""

import io
import os
import re
import select
import shutil
import sys
import time

import pytest
from cases import tables
from command_runs import run_program
from command_tables import COMMANDS

from uriparse.cli import main
from uriparse.cli.help_command import SHELLS, bash, fish, lines, page, zsh

TABLES = tables(__file__)

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
needs_groff = pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
COMPLETE = """
COMP_WORDS=(uriparse "$@"); COMP_CWORD=$#; _uriparse; printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words):
    command = ["bash", "-c", bash() + COMPLETE, "bash", *words]
    done = run_program(*command)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize(("words", "expected"), TABLES["bash_completes"])
def test_bash_completes(words, expected):
    assert completed(*words) == expected


@needs_bash
def test_bash_offers_every_command_and_every_option_of_one():
    assert {*COMMANDS} < {*completed("")}
    (line,) = [line for line in lines() if line.path == ("find",)]
    names = {name for option in line.options for name in option.names}
    assert set(completed("find", "-")) == names >= {"-r", "--only", "--help"}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_names_all_that_is_declared(capsys, shell):
    assert main(["help", "--completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for line in lines():
        for word in (*line.words, *(option.names[-1].lstrip("-") for option in line.options)):
            assert word in out
    assert main(["help", "--completion", "csh"]) == 2


def test_quotes_of_fish():
    for row in fish().splitlines()[1:]:
        assert re.fullmatch(r"(?:[^'\\]|'(?:[^'\\]|\\.)*')+", row), row


@needs_groff
def test_the_manual_page_is_one(capsys):
    assert main(["help", "--man"]) == 0
    source = capsys.readouterr().out
    assert source == page()
    command = ["groff", "-man", "-ww", "-Tascii", "-P-c", "-rLL=78n"]
    done = run_program(*command, input=source)
    assert done.stderr == ""
    shown = re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)
    for name in COMMANDS:
        assert re.search(rf"(?m)^   {name}(, |$)", shown)
    assert "uriparse get -f '{host}\\t{query[q]|none}' < urls.txt" in shown
    assert "130    after Ctrl-C" in shown


def test_the_manual_page_does_not_depend_on_the_terminal(monkeypatch):
    pages = set()
    for columns in ("40", "80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        pages.add(page())
    assert len(pages) == 1


def test_a_pipe_is_not_read_by_commands_that_read_none(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bash\n")))
    assert main(["help", "--completion"]) == 2
    assert "argument --completion: expected one argument" in capsys.readouterr().err


# The other shells, where they are installed. zsh completes at a terminal alone.


def typed_in_zsh(text, folder):
    """Type a text and a tab into zsh; return what then stands on the line."""
    import pty  # Windows has none

    (folder / "completion").write_text(zsh(), "utf-8")
    process, terminal = pty.fork()
    if not process:
        os.environ.update(TERM="dumb", HOME=str(folder), ZDOTDIR=str(folder))
        os.execvp("zsh", ["zsh", "-f", "-i"])
    start = (
        f"autoload -U compinit && compinit -u -D && source {folder}/completion; PS1=; print do''ne"
    )
    try:
        os.write(terminal, f"{start}\n".encode())
        read_until(terminal, b"done\r\n", 20)
        os.write(terminal, f"{text}\t".encode())
        shown = read_until(terminal, None, 3)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    return re.split(r"\r|\x1b\[\?2004h", shown.decode())[-1]


def read_until(terminal, mark, seconds):
    """Read what a terminal shows, until a mark or for some time."""
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and (mark is None or mark not in shown):
        ready, _, _ = select.select([terminal], [], [], 0.1)
        shown += os.read(terminal, 65536) if ready else b""
    return shown


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@pytest.mark.parametrize(("text", "line"), TABLES["zsh_completes"])
def test_zsh_completes(text, line, tmp_path):
    assert typed_in_zsh(text, tmp_path) == line


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(("text", "offered"), TABLES["fish_completes"])
def test_fish_completes(text, offered, tmp_path):
    (tmp_path / "completion.fish").write_text(fish(), "utf-8")
    done = run_program("fish", "-c", f"source {tmp_path}/completion.fish; complete -C '{text}'")
    assert done.stderr == ""
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == offered
