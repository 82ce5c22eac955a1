"""What becomes of one grammar, in a process of its own: outcome, seconds, memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from abnf2lark.config import roots
from abnf2lark.lark_grammars.compiling import compile_grammar

from .grammars import GRAMMARS

PATIENCE = 120.0
"""Seconds of real time after which a grammar is given up."""

_UNIT = 1 if sys.platform == "darwin" else 1024  # octets in what the system counts memory by


@dataclass(frozen=True)
class Limits:
    """What no grammar of the collection may need more of."""

    lint: float = 3.0
    compile: float = 10.0
    megabytes: float = 500.0


@dataclass(frozen=True)
class Figures:
    """What a grammar became, and what that took.

    Attributes:
        name: the grammar.
        source: the document that it is from.
        rules: how many it has of its own.
        problems: what lint says, by code.
        parser: ``lalr`` or ``earley``; empty where it was given up.
        reason: why it is not LALR.
        advice: rules that would make it LALR as leaves.
        lint: seconds of processor time for reading and linting.
        compile: seconds for compiling, with the search for advice.
        megabytes: the most memory that the process had at a time.

    """

    name: str
    source: str
    rules: int = 0
    problems: dict[str, int] | None = None
    parser: str = ""
    reason: str = "given up"
    advice: tuple[str, ...] = ()
    lint: float = PATIENCE
    compile: float = PATIENCE
    megabytes: float = 0.0

    def beyond(self, limits: Limits) -> list[str]:
        """Name the limits that were passed."""
        needs = {"lint": self.lint, "compile": self.compile, "megabytes": self.megabytes}
        return [name for name, need in needs.items() if need > getattr(limits, name)]


def measured(name: str) -> Figures:
    """Measure a grammar in a process of its own."""
    command = [sys.executable, "-m", "tools.collection", "--measure", name]
    try:
        done = subprocess.run(  # noqa: S603 - this very program, and a name that it knows
            command, capture_output=True, check=True, timeout=PATIENCE, text=True
        )
    except subprocess.TimeoutExpired:
        return Figures(name, GRAMMARS[name].source)
    return Figures(**json.loads(done.stdout))


def in_this_process(name: str) -> Figures:
    """Measure a grammar here; its memory is that of all the process has done."""
    entry = GRAMMARS[name]
    start = time.process_time()
    grammar = entry.load()
    codes = [problem.code for problem in grammar.lint()]
    linted = time.process_time()
    made = compile_grammar(grammar.known, roots(grammar.known), advise=True)
    compiled = time.process_time()
    return Figures(
        name,
        entry.source,
        rules=len(grammar.rules),
        problems={code: codes.count(code) for code in sorted({*codes})},
        parser=made.parser,
        reason=made.reason,
        advice=made.advice,
        lint=linted - start,
        compile=compiled - linted,
        megabytes=_most_memory() / 1e6,
    )


def _most_memory() -> int:
    """Octets that this process had at most; Linux counts those of the one that began it, too."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    return next(
        1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")
    )


def as_json(figures: Figures) -> str:
    """Write figures as one line."""
    return json.dumps(asdict(figures))
