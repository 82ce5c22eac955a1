"""What is made of long texts, while nobody looks for garbage."""

from __future__ import annotations

import gc
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_LONG = 10_000
"""Characters beyond which a text may have so many parts that collecting garbage costs more."""


def uncollected(text: str) -> AbstractContextManager[None]:
    """Hold back the collector of garbage while a long text becomes its parts.

    It would go through what grows again and again, though that has no circles: two thirds of the
    time of a tree of half a million nodes.
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
