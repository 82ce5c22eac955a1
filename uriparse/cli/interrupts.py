"""Ctrl-C ends the process at once, after the actions that must precede the end.

It does not raise `KeyboardInterrupt`, which may be raised within any statement: where nothing can
catch it (in a callback of an import or of the collector), or where Python replaces it by another
exception (within `__set_name__`).
"""

import os
import signal
from collections.abc import Callable

TYPE_CHECKING = False  # as in `typing`, which takes long to load
if TYPE_CHECKING:
    from concurrent.futures import Future
    from types import FrameType
    from typing import TypeVar

    _Given = TypeVar("_Given")

INTERRUPTED = 130

_HEARD = 0.1
"""Seconds after which whoever waits for others looks up."""


def end_at_once() -> None:
    """Let an interrupt end the process, unless interrupts are ignored (`nohup`, `&`)."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def is_behind(error: BaseException | None) -> bool:
    """Return whether an exception is, or was caused by, a `KeyboardInterrupt`."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def do_first(action: "Callable[[], object]") -> None:
    """Add a quick action that an interrupt runs before the process ends."""
    _actions.append(action)


def leave(action: "Callable[[], object]") -> None:
    """Remove an action of `do_first`."""
    if action in _actions:
        _actions.remove(action)


def heard(future: "Future[_Given]") -> "_Given":
    """Wait for the result of another thread or process, and react to interrupts meanwhile.

    The system gives a signal to any thread, and only the first one can act on it: where that waits
    for as long as it takes, it is not woken by a signal that another one was given.
    """
    from concurrent.futures import wait

    while not wait([future], timeout=_HEARD).done:
        pass
    return future.result()


class Held:
    """A context that delays the first interrupt, so that a write is complete; not the second."""

    def __enter__(self) -> None:
        _state.held = True

    def __exit__(self, *_: object) -> None:
        _state.held = False
        if _state.waiting:
            _end()


class _Interrupts:
    held = False
    waiting = False


_state = _Interrupts()
_actions: "list[Callable[[], object]]" = []


def _end(_number: int = signal.SIGINT, _frame: "FrameType | None" = None) -> None:
    if _state.held and not _state.waiting:
        _state.waiting = True
        return
    try:
        for action in _actions:
            action()
    finally:
        os._exit(INTERRUPTED)
