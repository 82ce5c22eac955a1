"""Check a change in under a minute: what ``.ci/run`` runs, on the files that the change touches.

``python -m tools.check`` looks at what differs from the last commit, ``--since main`` at a whole
branch. It prints each step, its time and, at the end, what it left out and ``.ci/run`` will do.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
SECONDS = 55
"""What all steps may take together; the rest of the minute is for the start of Python."""
PRODUCT = {"uriparse": Path("tests"), "tools/abnf2lark": Path("tests/abnf2lark")}
"""Where the tests of a package are: their folders have the names of its wings."""
ALWAYS = "tests/test_imports.py"
COMPILED = ("grammar/", "tools/abnf2lark/", "uriparse/_compiled/")
"""What generated files depend on, and they themselves."""
NEVER = (
    "the same tests by the other engines (URIPARSE_ENGINE=python, lark)",
    "slow tests (-m slow)",
    "other readers, frameworks and engines",
    "commands of README.md and contributing.md",
)


class Step(NamedTuple):
    """A command to run.

    Attributes:
        title: what it checks.
        command: its words.
        files: what it is run on, for the report.

    """

    title: str
    command: list[str]
    files: int


def changed(since: str) -> list[str]:
    """Return the files that differ from a revision, new ones included, deleted ones left out."""
    differing = _lines("git", "diff", "--name-only", since)
    new = _lines("git", "ls-files", "--others", "--exclude-standard")
    return sorted(name for name in {*differing, *new} if (ROOT / name).is_file())


def _lines(*command: str) -> list[str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def tests_of(names: Sequence[str]) -> list[str]:
    """Return the tests of changed files: by the wing's folder, by name, and their own examples.

    >>> tests_of(["uriparse/percent.py"])
    ['tests/percent', 'uriparse/percent.py']
    """
    found: dict[str, None] = {}
    for name in names:
        path = Path(name)
        if name.startswith("tests/") and path.name.startswith("test_"):
            found[name] = None
        found |= dict.fromkeys(_mirrored(path))
        if path.suffix == ".py" and name.startswith(tuple(PRODUCT)) and "_compiled" not in name:
            found[name] = None  # its doctests
        if name.startswith("tools/docs/") or name == "README.md":
            found["tests/documentation/test_snippets.py"] = None
    return sorted(found)


def _mirrored(path: Path) -> Iterator[str]:
    for package, tests in PRODUCT.items():
        if not path.is_relative_to(package):
            continue
        wing = Path(path.relative_to(package).parts[0]).stem
        candidates = [tests / wing, tests / f"test_{wing}.py"]
        if path.suffix in {".c", ".h"}:
            candidates = [tests / "native", tests / wing]
        yield from (str(place) for place in candidates if (ROOT / place).exists())


def steps(names: Sequence[str]) -> Iterator[Step]:
    """Yield the steps for changed files, the quickest first."""
    python = [name for name in names if name.endswith(".py")]
    if python:
        yield Step("ruff check", ["ruff", "check", "-q", *python], len(python))
        yield Step("ruff format", ["ruff", "format", "-q", "--check", *python], len(python))
    tests = [ALWAYS, *tests_of(names)]
    yield Step("tests", [sys.executable, "-m", "pytest", "-q", "-n2", *tests], len(tests))
    if any(name.startswith(COMPILED) for name in names):
        yield Step("generated files", ["abnf2lark", "build", "--check"], 1)
    if any(name.startswith(("uriparse/", "tools/")) for name in python):
        yield Step(
            "types", [sys.executable, "-m", "mypy"], len(python)
        )  # of the whole: a change breaks its callers


def run(wanted: Sequence[Step], seconds: float) -> tuple[list[str], list[str]]:
    """Run steps one after the other; return the titles that failed, and those without time.

    A step that is still running when the time is over is ended, and counts as left out: it found
    nothing so far, but nobody knows.
    """
    failed: list[str] = []
    left: list[str] = []
    end = time.monotonic() + seconds
    for step in wanted:
        start = time.monotonic()
        if start >= end:
            left.append(step.title)
            continue
        try:
            done = subprocess.run(step.command, cwd=ROOT, timeout=end - start, check=False)
        except subprocess.TimeoutExpired:
            left.append(f"{step.title} (ended after {seconds:.0f} s)")
            continue
        except FileNotFoundError:  # a program that `pip install --group dev` installs
            failed.append(f"{step.title} ({step.command[0]} is not installed)")
            continue
        word = "failed" if done.returncode else "passed"
        took = time.monotonic() - start
        print(f"{step.title}: {word}, {step.files} named, {took:.1f} s", flush=True)
        failed += [step.title] if done.returncode else []
    return failed, left


def main() -> int:
    """Check, report, and return the exit status: 1 if a step failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.check", description=__doc__)
    parser.add_argument("--since", default="HEAD", help="the revision to compare with (HEAD)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"the time ({SECONDS})")
    options = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        names = changed(options.since)
    except subprocess.CalledProcessError as error:  # git does not know the revision
        sys.exit(error.stderr.strip())
    if not names:
        print(f"nothing differs from {options.since}")
        return 0
    failed, left = run(list(steps(names)), options.seconds)
    print("left to .ci/run:", *[*left, *NEVER], sep="\n  ")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
