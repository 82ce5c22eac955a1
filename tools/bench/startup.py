"""What the first steps cost, each in a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from statistics import median

from .tables import seconds, table

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
step(load)
lark = "lark" in sys.modules
step(lambda: uriparse.is_valid("http://example.com/a?b#c"))
step(lambda: uriparse.parse("http://example.com/a?b#c"))
step(lambda: uriparse.parse_tree("http://example.com/a?b#c"))
json.dump({"times": times, "lark": lark}, sys.stdout)
"""

STEPS = ("import uriparse", "first is_valid", "first parse, after it", "first parse_tree, after it")


@dataclass(frozen=True, slots=True)
class Startup:
    """Medians over the runs.

    Attributes:
        seconds: for each of `STEPS`; None where that part is not there.
        lark_loaded: whether importing uriparse imported lark.

    """

    seconds: tuple[float | None, ...]
    lark_loaded: bool

    @property
    def first_parse(self) -> float | None:
        """Seconds until a first record is there: both verdict and parse."""
        verdict, parsed = self.seconds[1:3]
        return None if verdict is None or parsed is None else verdict + parsed


def measure(runs: int) -> Startup:
    """Start as many interpreters; the first run, which may compile to bytecode, is not counted."""
    columns: list[list[float | None]] = [[] for _ in STEPS]
    lark = False
    for turn in range(runs + 1):
        done = subprocess.run([sys.executable, "-c", _CODE], capture_output=True, check=True)
        answer = json.loads(done.stdout)
        lark = lark or answer["lark"]
        if turn:
            for column, time in zip(columns, answer["times"], strict=True):
                column.append(time)
    return Startup(tuple(_median(column) for column in columns), lark)


def _median(times: list[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return median(known) if len(known) == len(times) else None


def render(startup: Startup) -> str:
    """Make a table of the steps."""
    rows = [
        [step, "-" if time is None else seconds(time)]
        for step, time in zip(STEPS, startup.seconds, strict=True)
    ]
    rows.append(["lark loaded by the import", "yes" if startup.lark_loaded else "no"])
    return table("start-up (processor time, median of fresh interpreters)", ["", "time"], rows)
