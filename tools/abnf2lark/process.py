"""The command as a process among others: its one way to write, broken streams, and interrupts."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

UNWRITTEN = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

_MOVES = re.compile(
    # C0 without tab and line feed, DEL, C1, what turns the direction of writing, line separators,
    # and bytes that are not UTF-8
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal would obey rather than show."""


class Painted(str):
    """Text with colours of ours, of which each part was escaped `for_terminals`."""

    __slots__ = ()


def for_terminals(text: str) -> str:
    r"""Escape what a terminal would obey: controls but tab and line feed, and turns of direction.

    >>> print(for_terminals("a\x1b[2J"))
    a\x1b[2J
    """
    return _MOVES.sub(lambda found: repr(found[0])[1:-1], text)


def end_at_once() -> None:
    """Let an interrupt end the process, unless interrupts are ignored (`nohup`, `&`).

    As a `KeyboardInterrupt` it would show a traceback where nobody can catch it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Pass over interrupts while something short is done that must be done whole."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def finished(name: str, work: Callable[[], int]) -> int:
    """Do the work of a command and see that its output is written; return the exit code."""
    if sys.stdout is None:  # closed before we began: nobody will read
        return BROKEN_PIPE
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # absent where a test put a stream of its own
            reconfigure(errors="backslashreplace")
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        _forget(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        _forget(sys.stdout)  # it may be what failed
        say(f"{name}: {error.filename or 'input or output'}: {error.strerror}")
        return UNWRITTEN
    except KeyboardInterrupt:  # in a process that is not ours
        return INTERRUPTED
    return code


def put(text: str) -> None:
    """Write to standard output; what a terminal would obey is escaped where that is one."""
    sys.stdout.write(_fit(text, sys.stdout))


def is_terminal(to: Literal["stdout", "stderr"]) -> bool:
    """Tell whether standard output, or standard error, is a terminal."""
    stream: TextIO | None = sys.stdout if to == "stdout" else sys.stderr
    return stream is not None and stream.isatty()


def overwrite(text: str) -> None:
    """Write over the line of the terminal that standard error is."""
    sys.stderr.write(f"\r\x1b[K{for_terminals(text)}")  # to the first column, and clear the line
    sys.stderr.flush()


def _fit(text: str, stream: TextIO) -> str:
    return for_terminals(text) if stream.isatty() and not isinstance(text, Painted) else text


def say(line: str) -> None:
    """Write a line to standard error; one that cannot be told is lost, and the work goes on."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{_fit(line, sys.stderr)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)


def _forget(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, or Python would try it again at exit and complain."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
