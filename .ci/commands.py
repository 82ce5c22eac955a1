"""Runs every command of README.md and of the pages for contributors, in fresh environments.

    python3 .ci/commands.py [--list] [--all] [WORD]

With a word, those alone whose commands contain it. Two are run at a time.

A command is a line after "$ ", a line of a block of `sh`, or code in a sentence that begins with a
program of ours or of a contributor. The commands of a block run one after the other in a copy of
the tree and a virtual environment of their own. What installs nothing itself, block or command in
a sentence, shares those of the first block of its page that does. A comment after a command may say
which package it needs: "# needs pyarrow". What a page says in a comment of its own is not run:

    <!-- not run: python -m tools.bench (takes long) -->
    <!-- seldom run: python -m pytest -m oracle (takes long: with --all) -->

The files that commands read are made here (`FILES`).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "tools/docs/contributing.md", "tools/docs/how-to/write-pages.md")
PROGRAMS = ("pip ", "python ", "ruff ", "mypy", "uriparse ", "abnf2lark ")
OURS = ("pip install .", "pip install -e .")
FINDINGS = ("uriparse ", "abnf2lark ")
"""Programs that exit with 1 where they have found something: 2 is a failure."""

FILES = {
    "urls.txt": "http://example.com/a?q=1\nhttp://0x7f.1/\n",
    "docs/page.txt": "see <http://example.com/a>\n",
    "my.abnf": 'uri = scheme ":" *word\nscheme = 1*ALPHA\nword = ALPHA / DIGIT\n',
}
PARQUET = """
import pyarrow, pyarrow.parquet
table = pyarrow.table({"url": ["http://example.com/", "http://0x7f.1/"]})
pyarrow.parquet.write_table(table, "log.parquet")
"""

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
WITH_ALL = {"--all", "--list"}.intersection(sys.argv)
NOT_RUN = re.compile(rf"<!-- {'not' if WITH_ALL else '(?:not|seldom)'} run: (.*?) \(.+?\) -->")
NEEDS = re.compile(r"# needs (\S+)")


def parts(command: str) -> list[str]:
    """Split a command line at "&&", and say first what it needs."""
    needed = [f"pip install -q {package}" for package in NEEDS.findall(command)]
    return [*needed, *(part.split("  #")[0].strip() for part in command.split("&&"))]


def blocks(page: str) -> list[list[str]]:
    """Give the commands of each block of a page, and last those of its sentences."""
    text = (ROOT / page).read_text("utf-8")
    found = []
    skipped = NOT_RUN.findall(text)

    def prose_without(block: re.Match[str]) -> str:
        language = block[1] if block.re is FENCED else ""
        lines = [line.strip() for line in block[block.lastindex or 0].splitlines()]
        commands = [line[2:] for line in lines if line.startswith("$ ")]
        if language == "sh":
            commands = lines
        commands = [command for command in commands if command not in skipped]
        found.append([part for command in commands for part in parts(command)])
        return "\n"

    prose = INDENTED.sub(prose_without, FENCED.sub(prose_without, text))
    said = [" ".join(span.split()) for span in SPAN.findall(prose)]
    known = {*skipped, *(command for commands in found for command in commands)}
    here = [span for span in said if span.startswith(PROGRAMS) and span not in known]
    found += [parts(span) for span in here if "pip install" in span]
    found.append([*dict.fromkeys(span for span in here if "pip install" not in span)])
    return [commands for commands in found if commands]


def groups() -> list[list[str]]:
    """Give the commands that share an environment, those that install coming first."""
    every: list[list[str]] = []
    for page in PAGES:
        found = blocks(page)
        installing = [commands for commands in found if commands[0].startswith(OURS)]
        installing[0] += [
            one for commands in found if commands not in installing for one in commands
        ]
        every += [commands for commands in installing if commands not in every]
    # What another group begins with need not be run by itself, be it half of a command.
    written = ["; ".join(one) for one in every]
    return [
        one
        for one, text in zip(every, written, strict=True)
        if not any(other != text and other.startswith(text) for other in written)
    ]


def run(commands: list[str]) -> tuple[str, str]:
    """Run commands in a copy of the tree with an environment of its own.

    Return what they have printed, and which has failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        with output.open("w") as file:
            failed = run_in(Path(folder), commands, file)
        return output.read_text("utf-8", "replace"), failed


def run_in(folder: Path, commands: list[str], output: TextIO) -> str:
    """Run commands in a folder until one fails, which is returned."""
    tree = folder / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)  # as in a clone
    venv.create(folder / "venv", symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", folder / "venv/bin/python", "install", "-q"]
    subprocess.run([*pip, "--no-compile", "pip"], check=True)  # ensurepip takes five times as long
    path = f"{folder}/venv/bin:{os.environ['PATH']}"
    # pip reads "no" as what --no-compile sets to false.
    environment = dict(os.environ, PATH=path, PIP_QUIET="1", PIP_NO_COMPILE="no")
    for name, text in FILES.items():
        if any(name.partition("/")[0] in command.split() for command in commands):
            (tree / name).parent.mkdir(exist_ok=True)
            (tree / name).write_text(text)
    for command in commands:
        began = time.monotonic()
        print(f"$ {command}", file=output, flush=True)
        if "log.parquet" in command:
            subprocess.run(["python", "-c", PARQUET], check=True, cwd=tree, env=environment)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=tree, env=environment, check=False,
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode > command.startswith(FINDINGS):
            return f"exit status {done.returncode}: {command}"
        print(f"({time.monotonic() - began:.0f} s)", file=output, flush=True)
    return ""


def main() -> None:
    """Run all, or list what would be run."""
    words = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    every = groups()
    written = ["; ".join(commands) for commands in every]
    chosen = [at for at, text in enumerate(written) if all(word in text for word in words)]
    # Two at a time: an installation leaves a core idle, and so does what builds the pages.
    with ThreadPoolExecutor(2) as pool:
        done = {} if "--list" in sys.argv else {at: pool.submit(run, every[at]) for at in chosen}
        for at in chosen:
            print(f"\n== {written[at]}", flush=True)
            output, failed = done[at].result() if done else ("", "")
            print(output, end="", flush=True)
            if failed:
                pool.shutdown(cancel_futures=True)
                sys.exit(failed)


main()
