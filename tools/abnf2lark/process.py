"""The command as a process among others: closed, full and broken streams, and interrupts."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

UNWRITTEN = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


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


def say(line: str) -> None:
    """Write a line to standard error; one that cannot be told is lost, and the work goes on."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)


def _forget(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, or Python would try it again at exit and complain."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
