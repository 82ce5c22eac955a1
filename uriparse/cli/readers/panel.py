"""All installed readers at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self, TypeVar

from uriparse.cli import interrupts
from uriparse.cli.coprocess import PATIENCE, START_UP, Coprocess, Silence, SilentError
from uriparse.cli.readers.catalogue import PROGRAMS, READERS, Reader, environment
from uriparse.cli.readers.comparison import Comparison, Member, compare
from uriparse.cli.readers.reading import SPEECH, Reading, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from uriparse.cli.readers.reading import Outcome

_One = TypeVar("_One")
_Given = TypeVar("_Given")

_PLAIN = ("http://example.com/a?b", Reading("http", "example.com", 80, "/a?b"))
"""What every reader reads so; one that does not is not spoken to as it has to be."""


class Panel:
    """The installed readers, started side by side; a context manager that ends them.

    Attributes:
        members: who is there, in the order of the catalogue.

    """

    def __init__(
        self,
        readers: Iterable[Reader] | None = None,
        *,
        patience: float = PATIENCE,
        start_up: float = START_UP,
    ) -> None:
        surroundings = environment()
        chosen = READERS if readers is None else readers
        found = [(each.name, command) for each in chosen if (command := each.command())]
        self._processes = [
            Coprocess(command, surroundings, PROGRAMS, SPEECH, patience=patience, start_up=start_up)
            for _, command in found
        ]
        interrupts.do_first(self._kill)
        self._threads = ThreadPoolExecutor(max(1, len(found)))
        try:
            troubles = self._side_by_side(_started, self._processes)
        except BaseException:
            self.close()
            raise
        self.members: tuple[Member, ...] = ()
        self._seats: list[Coprocess[Reading | Refusal] | Silence] = []
        for (name, _), process, trouble in zip(found, self._processes, troubles, strict=True):
            if process.version is None and trouble is None:
                continue  # started, and found that its library is missing
            self.members += (Member(name, process.version or "?"),)
            self._seats.append(process if trouble is None else trouble)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all readers."""
        for process in self._processes:
            process.close()
        self._threads.shutdown()
        for process in self._processes:
            process.close()  # one that was just being replaced
        interrupts.leave(self._kill)

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()

    def _side_by_side(self, task: Callable[[_One], _Given], ones: Iterable[_One]) -> list[_Given]:
        waiting = [self._threads.submit(task, one) for one in ones]
        return [interrupts.heard(each) for each in waiting]

    def compare(self, text: str) -> Comparison:
        """Ask everybody about one text and set the outcomes beside our reading."""
        [outcomes] = self.outcomes([text])
        return self.set_beside(text, outcomes)

    def set_beside(self, text: str, outcomes: Sequence[Outcome]) -> Comparison:
        """Set outcomes, as they stand for a text in `outcomes`, beside our reading."""
        return compare(text, self.members, outcomes)

    def outcomes(self, texts: Sequence[str]) -> list[tuple[Outcome, ...]]:
        """Ask everybody about each text; the outcomes of a text stand as `members` does."""
        columns = self._side_by_side(lambda seat: _asked(seat, texts), self._seats)
        return list(zip(*columns, strict=True)) if self._seats else [() for _ in texts]


def _asked(seat: Coprocess[Reading | Refusal] | Silence, texts: Sequence[str]) -> list[Outcome]:
    return [seat] * len(texts) if isinstance(seat, Silence) else seat.outcomes(texts)


def _started(process: Coprocess[Reading | Refusal]) -> Silence | None:
    """Start a reader and try it; give what is wrong with it, None if nothing is."""
    try:
        process.start()
    except SilentError as error:
        process.stop()
        return Silence(str(error))
    if process.version is None:
        process.stop()
        return None
    text, expected = _PLAIN
    [outcome] = process.outcomes([text])
    if outcome == expected:
        return None
    process.stop()
    return outcome if isinstance(outcome, Silence) else Silence(f"cannot read {text}")
