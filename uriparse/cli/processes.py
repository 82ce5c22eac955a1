"""Work in several processes: results in order, and bounded memory."""

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from uriparse import _load
from uriparse.cli.interrupts import heard

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_AHEAD = 4
"""Pieces per process that are queued, or done out of order."""


_PATIENCE = 5
"""Seconds that a process has to remove its files once its parent has ended."""


def in_order(
    work: Callable[[_Given], _Made],
    pieces: Iterable[_Given],
    jobs: int,
    is_last: Callable[[_Given], bool] = lambda _: False,
) -> Iterator[_Made]:
    """Do the work for each piece, in several processes, and yield the results in order.

    is_last: whether the next piece may take long to arrive, so that all results are due now.
    """
    # Processes that are not forked leave semaphores behind when this one ends, and warn about that.
    context = get_context("fork" if sys.platform == "linux" else None)
    with ProcessPoolExecutor(jobs, context, _follow) as pool:
        waiting: deque[Future[_Made]] = deque()
        pool.submit(int)  # all begin now: reading may start threads, which no copy has
        try:
            for piece in pieces:
                waiting.append(pool.submit(work, piece))
                most = 0 if is_last(piece) else jobs * _AHEAD
                while len(waiting) > most:
                    yield heard(waiting.popleft())
            while waiting:
                yield heard(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()


def _follow() -> None:
    """Ignore interrupts, which the parent handles, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _load()  # which a copy of the command has done
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # which removes files that are not complete
        time.sleep(_PATIENCE)
        os._exit(0)
