"""Command lines of the documentation, run in this process: our programs, and pipes of them."""

import contextlib
import io
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from uriparse.cli import main as uriparse


def abnf2lark(arguments):
    """Run the compiler's command."""
    from abnf2lark.command import main

    return main(arguments)


PROGRAMS = {"uriparse": uriparse, "abnf2lark": abnf2lark}


def sessions(text):
    """Split a block into command lines, each with what it writes."""
    command, output = None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line.removeprefix("$ "), []
        elif command and command.endswith("\\") and not output:
            command = command[:-1] + line.strip()
        else:
            output.append(line)
    yield command, output


def run(command):
    """Run a command line; give what it writes, messages last."""
    words = shlex.split(command, comments=True)
    data, messages = b"", ""
    while words:
        end = words.index("|") if "|" in words else len(words)
        stage, words = words[:end], words[end + 1 :]
        if "<" in stage:
            place = stage.index("<")
            data = Path(stage[place + 1]).read_bytes()
            del stage[place : place + 2]
        target = None
        if ">" in stage:
            place = stage.index(">")
            target = stage[place + 1]
            del stage[place : place + 2]
        data, said = one(stage, data)
        messages += said
        if target:
            Path(target).write_bytes(data)
            data = b""
    return data.decode() + messages


def one(words, data):
    """Run one program; give what it writes and its messages."""
    program, *arguments = words
    if program == "printf":
        return arguments[0].encode().decode("unicode_escape").encode("latin-1"), ""
    if program in {"awk", "jq"}:
        if which(program) is None:
            pytest.skip(f"no {program} here")
        done = subprocess.run(words, input=data, capture_output=True, check=True)
        return done.stdout, done.stderr.decode()
    if program == "cat":
        return b"".join(Path(name).read_bytes() for name in arguments), ""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            PROGRAMS[program](arguments)
    finally:
        sys.stdin = stdin
    out.flush()
    return out.buffer.getvalue(), err.getvalue()
