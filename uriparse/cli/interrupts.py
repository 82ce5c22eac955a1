"""Ctrl-C: it ends the process at once, but for what has to be done before.

It is no `KeyboardInterrupt`, since that may arise within any statement: where nobody can catch it
(in a callback of an import or of the collector), or where Python makes another exception of it
(within `__set_name__`).
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
    """Return whether an exception is, or comes of, a `KeyboardInterrupt`: of another handler."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def do_first(action: "Callable[[], object]") -> None:
    """Let an interrupt do something quick, amid any statement, before it ends the process."""
    _actions.append(action)


def leave(action: "Callable[[], object]") -> None:
    """Do it no more."""
    if action in _actions:
        _actions.remove(action)


def heard(future: "Future[_Given]") -> "_Given":
    """Wait for what another thread or process gives, and hear an interrupt meanwhile.

    The system gives a signal to any thread, and only the first one can act on it: where that waits
    for as long as it takes, it is not woken by a signal that another one was given.
    """
    from concurrent.futures import wait

    while not wait([future], timeout=_HEARD).done:
        pass
    return future.result()


class Held:
    """A context in which an interrupt waits, so that what has begun is whole; a second does not."""

    def __enter__(self) -> None:
        _state.held = True

    def __exit__(self, *_: object) -> None:
        _state.held = False
        if _state.waiting:
            _end()


class _State:
    held = False
    waiting = False


_state = _State()
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
