"""Tasks in processes side by side: what they give is the same, only sooner."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.process import BaseProcess

Say: TypeAlias = "Callable[[str, str], None]"
"""Takes the grammar and the stage that has begun."""

_HEARD = 0.1  # seconds after which it is looked whether there was an interrupt

_Given = TypeVar("_Given")
_Key: TypeAlias = "tuple[str, str]"  # a grammar, and its rule that is looked into


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gathered(
    tasks: Mapping[_Key, Callable[[Say], _Given]], say: Say, jobs: int
) -> dict[_Key, _Given]:
    """Do tasks, at most so many at once, and return what each gives.

    With one at once they tell themselves what they do; else it is told which are done. Where one
    fails, its error is raised and the others are ended.
    """
    if jobs == 1 or len(tasks) < 2:
        return {key: task(say) for key, task in tasks.items()}
    others = active_children()
    # Processes that are no copies of this one leave semaphores behind when it is ended, and say so.
    context = get_context("fork" if sys.platform == "linux" else None)
    with ProcessPoolExecutor(min(jobs, len(tasks)), context, _follow) as pool:
        try:
            waiting = {pool.submit(task, _silent): key for key, task in tasks.items()}
            number = 0
            left = set(waiting)
            while left:
                # An interrupt that another thread is given does not wake this one.
                done, left = wait(left, _HEARD, FIRST_COMPLETED)
                for one in done:
                    one.result()
                    number += 1
                    say(f"{number} of {len(tasks)}", " ".join(waiting[one]).rstrip())
            return {key: one.result() for one, key in waiting.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                if child not in others:
                    child.terminate()
            raise


def _follow() -> None:
    """End when the process that gathers ends; leave it to that one what an interrupt means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=[parent_process()], daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)


def _silent(name: str, stage: str) -> None:
    """Tell nothing."""
