"""A process that answers texts: for each text a request line, and an answer line or a reason.

The process may crash, hang, or write something else: that text has no answer then, the process is
ended, and a new one is started for the texts that follow.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from pathlib import Path


PATIENCE = 5.0
"""Seconds that a process has for an answer."""

START_UP = 30.0
"""Seconds that a process has before its first line: some are compiled first."""

MAX_DEATHS = 5
"""A process that had to be replaced as often is not asked again."""

_BIRTH = 1.0
"""Seconds that an interrupt waits for a process that is just being started."""

_LONGEST_LINE = 1 << 24


_Answer = TypeVar("_Answer")


class SilentError(Exception):
    """The process did not answer; the message says why."""


class GarbledError(Exception):
    """A line of a process that is not an answer."""


class Silence(NamedTuple):
    """The peer did not answer, for this ``reason``."""

    reason: str


@dataclass(eq=False)
class Coprocess(Generic[_Answer]):
    """One process, not for two threads at once.

    request: writes a text as a line for it.
    answer: reads a line of it; GarbledError for a line that is not an answer.
    greets: whether it writes its version first.
    version: its version, once it has written that.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    directory: Path
    request: Callable[[str], bytes]
    answer: Callable[[bytes], _Answer]
    greets: bool = True
    patience: float = PATIENCE
    start_up: float = START_UP
    max_deaths: int = MAX_DEATHS
    version: str | None = None

    def __post_init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._birth = Lock()
        self._threads: list[Thread] = []
        self._deaths = 0
        self._is_new = False
        self._has_answered = False

    def start(self) -> None:
        """Start the process and read its version; SilentError if it does not write one."""
        try:
            with self._birth:  # so that `kill` knows of it from its first moment on
                self._process = subprocess.Popen(  # noqa: S603 - commands of ours, found on PATH
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=self.directory,
                    env=self.environment,
                    start_new_session=True,  # what it starts ends with it, and Ctrl-C is ours
                )
        except OSError as error:
            raise SilentError(f"did not start: {error.strerror}") from None
        # Without a greeting the first answer shows that it has started. One that has never answered
        # is waited for so long only once.
        self._is_new = not self.greets and (self._has_answered or not self._deaths)
        if not self.greets:
            return
        try:
            self.version = version(next(self._lines(1, self.start_up)))
        except GarbledError:
            raise SilentError("gave no version") from None

    def outcomes(self, texts: Sequence[str]) -> list[_Answer | Silence]:
        """Ask about texts and return an outcome for each; never raises."""
        found: list[_Answer | Silence] = []
        while len(found) < len(texts):
            if self._deaths >= self.max_deaths:
                return found + [Silence("gave up on it")] * (len(texts) - len(found))
            try:
                if self._process is None:
                    self.start()
                for line in self._answers(texts[len(found) :]):
                    found.append(self.answer(line))  # noqa: PERF401 - what came before an error counts
            except (SilentError, GarbledError) as error:
                self.stop()
                self._deaths += 1
                found.append(Silence(str(error) or "its answer is garbled"))
        return found

    def close(self) -> None:
        """End the process for good; any thread may call it."""
        self._deaths = self.max_deaths
        self.stop()

    def kill(self) -> None:
        """End the process for good, without waiting for other threads."""
        self._birth.acquire(timeout=_BIRTH)
        _kill(self._process)

    def stop(self) -> None:
        """End the process and all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        for thread in self._threads:
            thread.join(1)  # ends with the pipe, unless somebody else holds that open
        if not any(thread.is_alive() for thread in self._threads):
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what it did not read cannot be flushed
                    if stream is not None:
                        stream.close()
        self._threads = []

    def _answers(self, texts: Sequence[str]) -> Iterator[bytes]:
        """Send the texts and yield a line for each, as it comes."""
        if self._process is None or self._process.stdin is None:
            return
        data = b"".join(b"%b\n" % self.request(text) for text in texts)
        self._spawn(_write, self._process.stdin, data)
        first = max(self.start_up, self.patience) if self._is_new else self.patience
        for line in self._lines(len(texts), self.patience, first):
            self._is_new, self._has_answered = False, True
            yield line

    def _lines(self, number: int, patience: float, first: float | None = None) -> Iterator[bytes]:
        """Yield so many lines of the process; SilentError if one does not come in time."""
        if self._process is None or self._process.stdout is None:
            return
        box: SimpleQueue[bytes] = SimpleQueue()
        self._spawn(_read, self._process.stdout, number, box)
        for place in range(number):
            allowed = patience if place or first is None else first
            try:
                line = box.get(timeout=allowed)
            except Empty:
                raise SilentError(f"no answer within {allowed:g} s") from None
            if not line.endswith(b"\n"):
                raise SilentError("crashed" if len(line) < _LONGEST_LINE else "does not stop")
            yield line

    def _spawn(self, function: object, *arguments: object) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = Thread(target=function, args=arguments, daemon=True)  # type: ignore[arg-type]
        thread.start()
        self._threads.append(thread)


def _kill(process: subprocess.Popen[bytes] | None) -> None:
    """End a process and all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if process is not None and hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # leads its own group since it began
        elif process is not None:
            process.kill()


def version(line: bytes) -> str | None:
    """Return a peer's version by its first line; None without a library, else SilentError."""
    match value(line):
        case {"version": None, "reason": str(reason)}:
            raise SilentError(f"did not start: {reason}")
        case {"version": str() | None as found}:
            return found
    raise GarbledError


def value(line: bytes) -> object:
    """Read a line of JSON; GarbledError if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise GarbledError from None


def _write(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):  # it died, or was ended
        stream.write(data)
        stream.flush()


def _read(stream: IO[bytes], number: int, box: SimpleQueue[bytes]) -> None:
    """Read so many lines and no more: a process that goes on fills its own pipe, not our memory."""
    line = b"\n"
    for _ in range(number):
        with contextlib.suppress(OSError, ValueError):
            line = stream.readline(_LONGEST_LINE) if line.endswith(b"\n") else b""
        box.put(line)
