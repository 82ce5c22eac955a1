"""What processes cost: the first steps in a fresh interpreter, and the command on a stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from .timing import seconds, table

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODE = """
import json, sys
from time import process_time
times = []
def step(run):
    start = process_time()
    try:
        run()
    except (ImportError, AttributeError):
        times.append(None)
    else:
        times.append(process_time() - start)
def load():
    global uriparse
    import uriparse
def peer():
    import rfc3986
if sys.argv[1:]:
    step(peer)
else:
    step(load)
    times.append(float("lark" in sys.modules))
    step(lambda: uriparse.is_valid("http://example.com/a?b#c"))
    step(lambda: uriparse.parse("http://example.com/a?b#c"))
    step(lambda: uriparse.parse_tree("http://example.com/a?b#c"))
json.dump(times, sys.stdout)
"""


class Way(NamedTuple):
    """A command that answers lines of a subject, and the most seconds for a line.

    is_heard: whether messages go to a file; otherwise nobody reads them.
    """

    command: str
    subject: str
    limit: float
    is_heard: bool = True

    def __str__(self) -> str:
        """Return the command, and what it is given."""
        told = "" if self.is_heard else ", messages not read"
        return f"{self.command}, {self.subject}{told}"


_VALIDATE = {"-c": 0.5e-6, "--format brief": 1e-6, "--format text": 6e-6, "--format ndjson": 15e-6}
_OTHERS = {
    "get -f {host}": 0.6e-6,
    "normalize": 0.6e-6,
    "resolve --base http://example.com/a/b": 0.6e-6,
    "set --scheme https": 2e-6,
    "compare http://example.com/": 2e-6,
    "redact": 2e-6,
    "url": 15e-6,
}
"""By command what a line may take that is accepted."""

WAYS = (
    *(Way(f"validate --policy {policy} {form}", "stream", limit)
      for policy in ("syntax", "outbound") for form, limit in _VALIDATE.items()),
    *(Way(command, "web", limit) for command, limit in _OTHERS.items()),
    *(Way(command, "invalid stream", max(limit, 1e-6), is_heard=False)
      for command, limit in _OTHERS.items()),
    *(Way(command, "invalid stream", 15e-6)
      for command in _OTHERS if command not in {"redact", "url"}),
)  # fmt: skip

STEPS = (
    "import uriparse",
    "lark loaded by the import",
    "first is_valid",
    "first parse, after it",
    "first parse_tree, after it",
)


def measure(runs: int = 11) -> dict[str, float | None]:
    """Return seconds of processor time, medians of fresh interpreters; None for what is missing.

    The first run, which may compile to bytecode, is not counted.
    """
    own = dict(zip(STEPS, _medians(runs), strict=True))
    return own | {"import rfc3986": _medians(runs, "rfc3986")[0]}


def _medians(runs: int, *arguments: str) -> list[float | None]:
    found = []
    for _ in range(runs + 1):
        command = [sys.executable, "-c", _CODE, *arguments]
        done = subprocess.run(command, capture_output=True, check=True)
        found.append(json.loads(done.stdout))
    return [None if None in column else median(column) for column in zip(*found[1:], strict=True)]


def stream(texts: Sequence[str], way: Way, count: int = 100_000) -> float:
    """Return what a line of a stream costs the command, start-up excluded, in seconds."""
    lines = [text for text in texts if "\n" not in text and "\x00" not in text]
    lines = (lines * (count // len(lines) + 1))[:count]
    with TemporaryDirectory() as where:
        path = Path(where, "lines")
        costs = []
        for some in (lines[:1], lines):
            path.write_text("\n".join(some) + "\n", "utf-8")
            costs.append(min(_command(path, way) for _ in range(3)))
    return (costs[1] - costs[0]) / count


def _command(path: Path, way: Way) -> float:
    command = [sys.executable, "-m", "uriparse", *way.command.split(), "-"]
    messages = path.with_name("messages") if way.is_heard else Path(os.devnull)
    before = getrusage(RUSAGE_CHILDREN)
    with path.open("rb") as lines, messages.open("wb") as errors:
        subprocess.run(command, stdin=lines, stdout=subprocess.DEVNULL, stderr=errors, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def render(steps: dict[str, float | None], lines: dict[str, float]) -> str:
    """Make a table of the steps, and of a line in each way."""
    rows = [[step, seconds(took)] for step, took in steps.items() if step != STEPS[1]]
    rows.append([STEPS[1], "yes" if steps[STEPS[1]] else "no"])
    rows += [[f"a line: {name}", seconds(took)] for name, took in lines.items()]
    return table("processes (processor time)", ["", "time"], rows)
