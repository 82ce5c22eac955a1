"""How large automata may grow, and how much work on them may be done."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STATES = 40_000
MAX_HELD = 5_000_000  # states in the sets that are one state each; some 500 MB


class TooLargeError(Exception):
    """An automaton, or the work on all of them, grew too large: nothing can be decided here."""


_steps_left: ContextVar[list[int] | None] = ContextVar("_steps_left", default=None)


@contextmanager
def limited(steps: int) -> Iterator[list[int]]:
    """Let automata take so many steps inside the block, then raise :class:`TooLargeError`.

    The block is given the steps that are left, as a list of one. Steps are counted, not seconds,
    so that the outcome is the same on every machine.
    """
    left = [steps]
    token = _steps_left.set(left)
    try:
        yield left
    finally:
        _steps_left.reset(token)


def spend(steps: int) -> None:
    """Count steps of automata that were made or walked."""
    left = _steps_left.get()
    if left is not None:
        left[0] -= steps
        if left[0] < 0:
            raise TooLargeError
