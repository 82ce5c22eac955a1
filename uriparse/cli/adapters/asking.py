"""Ask adapters about many texts, some of them at the same time."""

from __future__ import annotations

import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.cli import interrupts
from uriparse.cli.coprocess import (
    PATIENCE,
    START_UP,
    Coprocess,
    Silence,
    SilentError,
    Speech,
    value,
)
from uriparse.cli.readers.catalogue import environment
from uriparse.conformance import Answer, answer, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse.cli.adapters.catalogue import Adapter
    from uriparse.cli.adapters.python.judges import Wanted

ABSENT: Final = "is not installed"

MAX_DEATHS: Final = 20
"""An adapter that had to be replaced as often is asked no more."""


class Answers(NamedTuple):
    """What one adapter said.

    Attributes:
        adapter: the adapter.
        version: its version, `""` where it has not said it.
        answers: one for each text, None for texts that it was not asked about.
        trouble: why it could not be asked at all, `ABSENT` perhaps; `""` if it could.

    """

    adapter: Adapter
    version: str
    answers: tuple[Answer | None, ...]
    trouble: str = ""


def ask(
    adapters: Sequence[Adapter],
    wanted: Wanted,
    texts: Sequence[str],
    *,
    whole: bool = False,
    patience: float = PATIENCE,
    jobs: int | None = None,
) -> list[Answers]:
    """Ask adapters about texts.

    whole: ask those that are slow about each text, too.
    patience: seconds for one answer.
    jobs: how many processes run at once; one for each processor by default.
    """
    desk = _Desk(wanted, patience)
    number = jobs or os.cpu_count() or 1
    interrupts.do_first(desk.kill)
    try:
        with ThreadPoolExecutor(number) as threads:
            waiting = {}
            for each in sorted(adapters, key=lambda each: -each.stride):  # the slow ones first
                chosen = _chosen(each, texts, whole=whole)
                count = number if each.stride > 1 else 1
                shards = [chosen[at::count] for at in range(count)]
                waiting[each.name] = [
                    (shard, threads.submit(desk.asked, each, [texts[at] for at in shard]))
                    for shard in shards
                ]
            return [
                _joined(
                    each,
                    len(texts),
                    [(at, interrupts.heard(done)) for at, done in waiting[each.name]],
                )
                for each in adapters
            ]
    finally:
        desk.kill()
        interrupts.leave(desk.kill)


class _Part(NamedTuple):
    """What one process of an adapter said of its share of the texts."""

    version: str
    answers: Sequence[Answer]
    trouble: str = ""


class _Desk:
    """Starts processes and ends them."""

    def __init__(self, wanted: Wanted, patience: float) -> None:
        self._wanted = wanted
        self._patience = patience
        self._lock = threading.Lock()
        self._processes: list[Coprocess[Answer]] = []
        here = str(Path.cwd())
        surroundings = environment()
        path = os.pathsep.join([here, surroundings["PYTHONPATH"]])
        self._environment = surroundings | {"PYTHONPATH": path}

    def asked(self, adapter: Adapter, texts: Sequence[str]) -> _Part:
        """Ask a new process about texts."""
        command = adapter.command(self._wanted)
        if command is None:
            return _Part("", (), ABSENT)
        process = Coprocess(
            command,
            self._environment,
            Path.cwd(),
            Speech(_line, _answer, adapter.greets),
            patience=self._patience,
            start_up=START_UP,
            max_deaths=MAX_DEATHS,
        )
        with self._lock:
            self._processes.append(process)
        try:
            process.start()
            if adapter.greets and process.version is None:
                return _Part("", (), ABSENT)
            outcomes = process.outcomes(texts)
        except SilentError as error:
            return _Part("", (), str(error))
        finally:
            process.close()
        answers = [silent(each.reason) if isinstance(each, Silence) else each for each in outcomes]
        return _Part(process.version or "", answers)

    def kill(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.kill()


def _line(text: str) -> bytes:
    return json.dumps(text).encode("ascii")


def _answer(line: bytes) -> Answer:
    return answer(value(line))


def _chosen(adapter: Adapter, texts: Sequence[str], *, whole: bool) -> list[int]:
    """Give the numbers of the texts that an adapter is asked about."""
    stride = 1 if whole else adapter.stride
    return [
        at
        for at in range(0, len(texts), stride)
        if adapter.takes_surrogates or _is_unicode(texts[at])
    ]


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _joined(adapter: Adapter, number: int, parts: Sequence[tuple[Sequence[int], _Part]]) -> Answers:
    """Put the answers of all processes of an adapter where they belong."""
    found: list[Answer | None] = [None] * number
    for places, part in parts:
        if part.trouble:
            return Answers(adapter, "", (), part.trouble)
        for place, each in zip(places, part.answers, strict=True):
            found[place] = each
    return Answers(adapter, parts[0][1].version, tuple(found))
