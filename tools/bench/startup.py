"""What processes cost: first steps of a fresh interpreter; the command, and others, on a stream."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from uriparse.grammar.expressions import pattern

from .timing import LIMITS, seconds, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .inputs import Inputs
    from .races import Tell

_CODE = """
import json, sys
from time import process_time
times = []
for step in sys.argv[1:]:
    start = process_time()
    try:
        exec(step)
    except (ImportError, AttributeError):
        times.append(None)
    else:
        times.append(process_time() - start)
json.dump([*times, "lark" in sys.modules], sys.stdout)
"""


class Rival(NamedTuple):
    """A program on lines of a subject: seconds for a line, and the share that it accepts."""

    program: str
    subject: str
    each: float
    accepts: float


class Way(NamedTuple):
    """A command that answers lines of a subject, and the most seconds for a line.

    is_heard: whether messages go to a file; otherwise nobody reads them.
    """

    command: str
    subject: str
    limit: float = 0
    is_heard: bool = True

    def __str__(self) -> str:
        """Return the command, and what it is given."""
        told = "" if self.is_heard else ", messages not read"
        return f"{self.command}, {self.subject}{told}"

    def words(self, table: Path) -> list[str]:
        """Return the words of the command, for lines on standard input or that Parquet file."""
        words = RIVALS.get(self.command, (*_OURS, *self.command.split(), "-"))
        return [word.replace(PARQUET, str(table)) for word in words]


WAYS = (
    *(Way(f"validate --policy {policy} {form}", "stream", limit)
      for policy in ("syntax", "outbound") for form, limit in LIMITS["validate"].items()),
    *(Way(command, "web", limit) for command, limit in LIMITS["commands"].items()),
    *(Way(command, "invalid stream", max(limit, 1e-6), is_heard=False)
      for command, limit in LIMITS["commands"].items()),
    *(Way(command, "invalid stream", 40e-6 if command == "url" else 15e-6)
      for command in LIMITS["commands"] if command != "redact"),
)  # fmt: skip

_OURS = (sys.executable, "-m", "uriparse")
PARQUET = "rows.parquet"
_URI = {name: pattern("URI", flavour=name)[2:-2] for name in ("re2", "pcre2", "rust")}
_LOOP = "import sys, can_ada; print(sum(can_ada.can_parse(line[:-1]) for line in sys.stdin))"
_VERDICT = """import sys, pyarrow.parquet
from uriparse.arrow import verdict
column = verdict(pyarrow.parquet.read_table(sys.argv[1])["u"])
print(pyarrow.chunked_array(column).null_count)"""
RIVALS: dict[str, tuple[str, ...]] = {
    "uriparse validate": (*_OURS, "validate", "--policy", "syntax", "-c"),
    # To POSIX, "(?" is nothing, and in brackets a backslash is one.
    "grep -E": ("grep", "-cxE", _URI["re2"].replace("(?:", "(").replace(r"[+\-", "[-+")),
    "grep -P": ("grep", "-cxP", _URI["pcre2"]),
    "ripgrep": ("rg", "-cx", _URI["rust"]),
    "can_ada in a loop": (sys.executable, "-c", _LOOP),
    "uriparse get": (*_OURS, "get", "-f", "{host}"),
    "trurl": ("trurl", "--no-guess-scheme", "--url-file", "-", "--get", "{host}"),
    "uriparse validate --parquet": (*_OURS, "validate", "-c", "--column=u", f"--parquet={PARQUET}"),
    "Arrow's verdict": (sys.executable, "-c", _VERDICT, PARQUET),
}
"""Programs that answer the same questions: is it a URI, its host, may it be fetched."""
SUBJECTS = "web", "invalid stream", "stream"

STEPS = {
    "import uriparse": "import uriparse",
    "first is_valid": 'uriparse.is_valid("http://example.com/a?b#c")',
    "first parse, after it": 'uriparse.parse("http://example.com/a?b#c")',
    "first parse_tree, after it": 'uriparse.parse_tree("http://example.com/a?b#c")',
}
LARK = "lark loaded by the import"


def measure(runs: int = 11) -> dict[str, float | None]:
    """Return seconds of processor time, medians of fresh interpreters; None for what is missing.

    The first run, which may compile to bytecode, is not counted.
    """
    *own, _ = _medians(runs, *STEPS.values())
    _, loaded = _medians(1, "import uriparse")
    peer, _ = _medians(runs, "import rfc3986")
    return dict(zip(STEPS, own, strict=True)) | {LARK: loaded, "import rfc3986": peer}


def _medians(runs: int, *steps: str) -> list[float | None]:
    """Return what the steps take, and whether Lark is loaded then."""
    found = []
    for _ in range(runs + 1):
        words = [sys.executable, "-c", _CODE, *steps]
        own = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
        done = subprocess.run(words, capture_output=True, check=True, env=own)
        found.append(json.loads(done.stdout))
    return [None if None in column else median(column) for column in zip(*found[1:], strict=True)]


def stream(texts: Sequence[str], way: Way, count: int = 100_000) -> float:
    """Return what a line of a stream costs the command, start-up excluded, in seconds."""
    lines = (_lines(texts) * (count // len(texts) + 2))[:count]
    # To the null device, grep would write nothing and so read no more than the first match.
    output = subprocess.PIPE if way.command in RIVALS else subprocess.DEVNULL
    parts = (lines[:1], lines)
    costs = [min(_command(part, way, output)[0] for _ in range(3)) for part in parts]
    return (costs[1] - costs[0]) / count


def _lines(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if "\n" not in text and "\x00" not in text]


def _command(lines: Sequence[str], way: Way, output: int) -> tuple[float, str]:
    """Return the seconds of processor time, and what the command wrote."""
    with TemporaryDirectory() as where:
        path, rows = Path(where, "lines"), Path(where, PARQUET)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        words = way.words(rows)
        if str(rows) in " ".join(words):
            import pyarrow.parquet

            pyarrow.parquet.write_table(pyarrow.table({"u": lines}), rows)
        messages = path.with_name("messages") if way.is_heard else Path(os.devnull)
        own = os.environ | {"LC_ALL": "C"}
        before = getrusage(RUSAGE_CHILDREN)
        with path.open("rb") as given, messages.open("wb") as errors:
            done = subprocess.run(
                words, stdin=given, stdout=output, stderr=errors, check=False, env=own
            )
        after = getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, (done.stdout or b"").decode()


def rivals(inputs: Inputs, tell: Tell, names: Sequence[str] = (*RIVALS,)) -> Iterator[Rival]:
    """Yield what the programs that are there do with both kinds of lines."""
    for name, subject in product(names, SUBJECTS):
        tell(f"startup: {name} on {subject} ...")
        way, lines = Way(name, subject, is_heard=False), _lines(inputs[subject])
        try:
            _, written = _command(lines, way, subprocess.PIPE)
        except FileNotFoundError:
            written = ""
        if not written:
            tell(f"startup: not there: {name}")
            continue
        counted = re.match(r"(?:accepted )?(\d+)\n", written)
        accepts = int(counted[1]) if counted else written.count("\n")
        yield Rival(name, subject, stream(lines, way, 1_000_000), accepts / len(lines))


def render(steps: dict[str, float | None], lines: dict[str, float], others: Sequence[Rival]) -> str:
    """Make tables of the steps and of a line in each way, and of other programs."""
    told = {step: seconds(took) for step, took in steps.items()}
    told |= {LARK: "yes" if steps[LARK] else "no"}
    rows = [*told.items(), *((f"a line: {name}", seconds(one)) for name, one in lines.items())]
    beside = [[f"{o.program}, {o.subject}", seconds(o.each), f"{o.accepts:.1%}"] for o in others]
    first = table("processes (processor time)", ["", "time"], rows)
    return f"{first}\n{table('programs, a line or row', ['', 'time', 'accepts'], beside)}"
