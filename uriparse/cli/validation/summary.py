"""What came of all texts together, and how far it has come."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from uriparse.cli.console import standard_error

if TYPE_CHECKING:
    from typing import Self

    from uriparse.cli.console import Console
    from uriparse.cli.validation.judging import Outcome

_HOSTS = 10
_SECONDS = 0.5


def summary(total: Outcome) -> str:
    """Tell the numbers, the codes by how often they were found, and the commonest hosts."""
    number = total.accepted + total.refused
    rows = [f"{number:,} texts: {total.accepted:,} accepted, {total.refused:,} refused"]
    for title, counted in (
        ("findings", total.codes.most_common()),
        ("commonest hosts", total.hosts.most_common(_HOSTS)),
    ):
        if counted:
            width = len(f"{counted[0][1]:,}")
            rows += ["", title, *(f"  {count:>{width},}  {name}" for name, count in counted)]
    return "\n".join(rows)


class Progress:
    """A line on the terminal that counts, where standard error is one and the output is not."""

    def __init__(self, console: Console, *, alone: bool = False) -> None:
        """Begin; alone: nothing else is written to the terminal."""
        self._errors = standard_error()
        self._shown = self._errors.is_terminal and (alone or console.width is None)
        self._next = time.monotonic() + _SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._errors.progress("")

    def show(self, number: int, total: int | None = None) -> None:
        """Say how many texts are done, and of how many, twice a second at the most."""
        if self._shown and time.monotonic() >= self._next:
            self._errors.progress(f"{number:,} texts" if total is None else _bar(number, total))
            self._next = time.monotonic() + _SECONDS


def _bar(number: int, total: int) -> str:
    """Draw how much of all is done.

    >>> _bar(25_000, 100_000)
    '█████                 25 % of 100,000 texts'
    """
    share = number / max(total, number, 1)
    return f"{'█' * int(share * _BAR):{_BAR}} {share:4.0%} of {total:,} texts".replace("%", " %")


_BAR = 20
