"""The garbage collector, suspended while long texts are cut into their parts."""

import gc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

_LONG = 10_000
"""Texts with more characters pause the collector; shorter ones make too few nodes to matter."""


def uncollected(text: str) -> AbstractContextManager[None]:
    """Suspend garbage collection while a long text is cut into its parts.

    The collector would visit the growing parts again and again, though they have no cycles: it
    takes two thirds of the time of a tree of half a million nodes.
    """
    return _held_back() if len(text) > _LONG else nullcontext()


@contextmanager
def _held_back() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
