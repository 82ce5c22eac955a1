"""Ask peers about texts, several peers at the same time."""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

from uriparse._base.coerce import is_unicode
from uriparse.cli import interrupts
from uriparse.conformance.peers import coprocess
from uriparse.conformance.peers.catalogue import (
    DESTINATION_PEERS,
    PEERS,
    PROGRAMS,
    Peer,
    environment,
)
from uriparse.conformance.peers.coprocess import Coprocess, Silence, SilentError, value
from uriparse.conformance.peers.destinations import (
    Comparison,
    Destination,
    Outcome,
    compare,
    destination,
)
from uriparse.conformance.peers.known import RESULTS, VERDICTS
from uriparse.conformance.peers.tasks import PeerTask
from uriparse.conformance.trials import Answer, answer, silent

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


# Verdicts: each peer is asked about many texts at once, a slow one by several processes.

ABSENT: Final = "is not installed"

BUG: Final = "this is a bug: its adapter "
"""How the trouble of a built-in peer begins whose adapter failed: exit status 70."""

MAX_CRASHES: Final = 20
"""A peer that had to be replaced as often is not asked again."""


class Answers(NamedTuple):
    """What a peer answered, None where it was not asked; ``trouble``: why not at all, or ''."""

    peer: Peer
    version: str
    answers: tuple[Answer | None, ...]
    trouble: str = ""


def ask(
    peers: Sequence[Peer],
    task: PeerTask,
    texts: Sequence[str],
    *,
    whole: bool = False,
    patience: float = coprocess.PATIENCE,
    jobs: int | None = None,
) -> list[Answers]:
    """Ask peers for verdicts on texts; built-in ones are asked first what they are known to answer.

    whole: ask slow ones about each text, too.
    patience: seconds for one answer.
    jobs: how many processes run at once; one for each processor by default.
    """
    desk = _Desk(task, patience)
    number = jobs or os.cpu_count() or 1
    interrupts.do_first(desk.kill)
    try:
        with ThreadPoolExecutor(number) as threads:
            checks = [threads.submit(desk.trouble, each) for each in peers]
            troubles = dict(zip(peers, map(interrupts.heard, checks), strict=True))
            waiting = {}
            # Slow peers start first, split among all processors: else one of them ends last, alone.
            sound = [each for each in peers if not troubles[each]]
            for each in sorted(sound, key=lambda each: -each.stride):
                chosen = _chosen(each, texts, whole=whole)
                count = number if each.stride > 1 else 1
                waiting[each.name] = [
                    threads.submit(desk.asked, each, texts, chosen[at::count], task)
                    for at in range(count)
                ]
            return [
                Answers(each, "", (), troubles[each])
                if troubles[each]
                else _joined(map(interrupts.heard, waiting[each.name]))
                for each in peers
            ]
    finally:
        desk.kill()
        interrupts.leave(desk.kill)


class _Desk:
    """Starts processes and ends them."""

    def __init__(self, task: PeerTask, patience: float) -> None:
        self._task = task
        self._patience = patience
        self._lock = threading.Lock()
        self._processes: list[Coprocess[Answer]] = []
        found = environment()
        path = os.pathsep.join([str(Path.cwd()), found["PYTHONPATH"]])  # for module:function
        self._environment = found | {"PYTHONPATH": path}

    def trouble(self, peer: Peer) -> str:
        """Ask a built-in peer what it is known to answer; return what is wrong, or ""."""
        if peer not in PEERS:
            return ""
        operation = self._task.operation
        known = [(" ".join(case), result) for case, result in RESULTS.get(operation, ())]
        known = known or [*VERDICTS]
        task = PeerTask(operation=operation) if operation else PeerTask("URI", "rfc3986")
        found = self.asked(peer, [text for text, _ in known], range(len(known)), task)
        if found.trouble:
            return found.trouble
        for (text, expected), said in zip(known, found.answers, strict=True):
            result = None if said is None else said.silence or said.accepts
            if result is True and isinstance(expected, str):
                result = (said.components or {}).get("text") if said else None
            if result != expected:
                reads = f"reads {found.version}" if found.version else "reads it"
                return f"{BUG}{reads}: {result!r} for {text!r}, and {expected!r} is known"
        return ""

    def asked(
        self, peer: Peer, texts: Sequence[str], chosen: Sequence[int], task: PeerTask
    ) -> Answers:
        """Ask a new process about texts, those of the chosen numbers."""
        command = peer.command(task)
        if command is None:
            return Answers(peer, "", (), ABSENT)
        process = Coprocess(
            command,
            self._environment,
            Path.cwd(),
            peer.request,
            lambda line: _read(value(line), task),
            peer.greets,
            patience=self._patience,
            max_deaths=MAX_CRASHES,
        )
        with self._lock:
            self._processes.append(process)
        try:
            process.start()
            if peer.greets and process.version is None:
                return Answers(peer, "", (), ABSENT)
            outcomes = process.outcomes([texts[at] for at in chosen])
        except SilentError as error:
            return Answers(peer, "", (), str(error))
        finally:
            process.close()
        answers: list[Answer | None] = [None] * len(texts)
        for at, each in zip(chosen, outcomes, strict=True):
            answers[at] = silent(each.reason) if isinstance(each, Silence) else each
        return Answers(peer, process.version or "", tuple(answers))

    def kill(self) -> None:
        for process in self._processes:
            process.kill()


def _read(found: object, task: PeerTask) -> Answer:
    """Read an answer; to an operation it may be a string, the result."""
    match found:
        case {"fault": str(reason)}:
            return silent(reason)
        case str() if task.operation:
            return answer({"text": found})
    return answer(found)


def _chosen(peer: Peer, texts: Sequence[str], *, whole: bool) -> list[int]:
    """Return the numbers of the texts that a peer is asked about."""
    stride = 1 if whole else peer.stride
    return [
        at for at in range(0, len(texts), stride) if peer.takes_surrogates or is_unicode(texts[at])
    ]


def _joined(shards: Iterable[Answers]) -> Answers:
    """Join the answers of all processes of a peer, each to its share of the texts."""
    first, *others = shards
    for shard in others:
        if first.trouble or shard.trouble:
            return first if first.trouble else shard
        pairs = zip(first.answers, shard.answers, strict=True)
        first = first._replace(answers=tuple(b if a is None else a for a, b in pairs))
    return first


# Destinations: all installed peers stay started, and each text goes to all of them.

_PLAIN: Final = ("http://example.com/a?b", Destination("http", "example.com", 80, "/a?b"))
"""Every peer answers this so; one that does not is not asked in the way it needs."""


class Panel:
    """The installed peers in the catalogue's order; a context manager that ends them."""

    def __init__(
        self,
        peers: Iterable[Peer] | None = None,
        *,
        patience: float = coprocess.PATIENCE,
        start_up: float = coprocess.START_UP,
    ) -> None:
        chosen = DESTINATION_PEERS if peers is None else peers
        found = [(each, command) for each in chosen if (command := each.command(PeerTask()))]
        shared = environment()
        self._processes = [
            Coprocess(
                command,
                shared,
                PROGRAMS,
                each.request,
                destination,
                each.greets,
                patience=patience,
                start_up=start_up,
            )
            for each, command in found
        ]
        interrupts.do_first(self._kill)
        self._threads = ThreadPoolExecutor(max(1, len(found)))
        try:
            troubles = self._side_by_side(_started, self._processes)
        except BaseException:
            self.close()
            raise
        self.members: tuple[tuple[str, str], ...] = ()
        self._seats: list[Coprocess[Outcome] | Silence] = []
        for (each, _), process, trouble in zip(found, self._processes, troubles, strict=True):
            if process.version is None and trouble is None:
                continue  # started, and found that its library is missing
            self.members += ((each.name, process.version or "?"),)
            self._seats.append(process if trouble is None else trouble)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all peers."""
        for process in self._processes:
            process.close()
        self._threads.shutdown()
        for process in self._processes:
            process.close()  # one that was just being replaced
        interrupts.leave(self._kill)

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()

    def _side_by_side(
        self, function: Callable[[_Item], _Result], items: Iterable[_Item]
    ) -> list[_Result]:
        waiting = [self._threads.submit(function, item) for item in items]
        return [interrupts.heard(each) for each in waiting]

    def compare(self, text: str) -> Comparison:
        """Ask all peers about one text and compare the outcomes with our reading."""
        return compare(text, self.members, *self.outcomes([text]))

    def outcomes(self, texts: Sequence[str]) -> list[tuple[Outcome, ...]]:
        """Ask all peers about each text; the outcomes of a text are in the order of `members`."""

        def asked(seat: Coprocess[Outcome] | Silence) -> list[Outcome]:
            return [seat] * len(texts) if isinstance(seat, Silence) else seat.outcomes(texts)

        columns = self._side_by_side(asked, self._seats)
        return list(zip(*columns, strict=True)) if self._seats else [() for _ in texts]


def _started(process: Coprocess[Outcome]) -> Silence | None:
    """Start a peer and test it; return why it cannot be used, None if it can or is not there."""
    trouble = None
    try:
        process.start()
    except SilentError as error:
        trouble = Silence(str(error))
    if process.version is not None:
        text, expected = _PLAIN
        [outcome] = process.outcomes([text])
        if outcome == expected:
            return None
        trouble = outcome if isinstance(outcome, Silence) else Silence(f"cannot read {text}")
    process.stop()
    return trouble
