"""What a contender is, and how it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .timing import Call

OURS = "uriparse"

Verdict = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Contender:
    """One library doing one operation.

    Attributes:
        name: as the tables show it.
        load: imports what it needs and returns the call to time; ImportError or AttributeError
            where the library, or that part of it, is not there.
        answers: whether the call says no by returning something false. Otherwise it says no by
            raising; None where the operation is not a verdict.
        native: whether the work is done outside Python.
        slow: left out on long and hostile inputs, where it would take minutes.

    """

    name: str
    load: Callable[[], Call]
    answers: bool | None = None
    native: bool = False
    slow: bool = False

    @property
    def ours(self) -> bool:
        """Whether this is uriparse."""
        return self.name.startswith(OURS)


def load(contenders: Iterable[Contender]) -> tuple[dict[Contender, Call], list[str]]:
    """Return the calls of those that are there, and the names of the others."""
    calls: dict[Contender, Call] = {}
    missing: list[str] = []
    for contender in contenders:
        try:
            calls[contender] = contender.load()
        except (ImportError, AttributeError):
            missing.append(contender.name)
    return calls, missing


def verdict(contender: Contender, call: Call) -> Verdict:
    """Return the call as a yes or no: whether it takes the text for valid."""

    def judge(text: str) -> bool:
        try:
            answer = call(text)
        except Exception:  # noqa: BLE001 - peers raise what they like
            return False
        return bool(answer) if contender.answers else True

    return judge
