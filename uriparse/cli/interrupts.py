"""Ctrl-C: where it ends the process at once, and where it is an exception.

A `KeyboardInterrupt` shows a traceback wherever nobody can catch it: in a callback of an import, or
when Python has begun to end. So the process of the command ends at once, but for the time in which
a command runs, which may have something to put away.
"""

import os
import signal
from contextlib import contextmanager

TYPE_CHECKING = False  # as in `typing`, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterator

INTERRUPTED = 130


def end_at_once() -> None:
    """Let an interrupt end the process, unless interrupts are ignored (`nohup`, `&`)."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> "Iterator[None]":
    """Let an interrupt be a `KeyboardInterrupt` for a while, where it would end the process."""
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)
