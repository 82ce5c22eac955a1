"""Chunks over processes: judged side by side, told in their order, never many in memory."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING

from uriparse.cli.interrupts import heard
from uriparse.cli.validation.judging import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from uriparse.cli.validation.judging import Job, Outcome
    from uriparse.cli.validation.sources import Item

_AHEAD = 4
"""Chunks for each process that wait or are done before their turn."""


def outcomes(chunks: Iterable[list[Item]], job: Job, jobs: int) -> Iterator[Outcome]:
    """Judge chunks, in this process or in some, and give what comes of them in their order."""
    if jobs == 1:
        for first, items in _numbered(chunks):
            yield judge(items, first, job)
        return
    # Processes that are no copies of this one leave semaphores behind when it is ended, and say so.
    context = get_context("fork" if sys.platform == "linux" else None)
    with ProcessPoolExecutor(jobs, context, _follow) as pool:
        waiting: deque[Future[Outcome]] = deque()
        try:
            for first, items in _numbered(chunks):
                waiting.append(pool.submit(judge, items, first, job))
                if len(waiting) > jobs * _AHEAD:
                    yield heard(waiting.popleft())
            while waiting:
                yield heard(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()


def _numbered(chunks: Iterable[list[Item]]) -> Iterator[tuple[int, list[Item]]]:
    first = 1
    for items in chunks:
        yield first, items
        first += len(items)


def _follow() -> None:
    """Leave it to the process that reads and writes what an interrupt means; end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
