"""What came of all texts together, and how far it has come."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

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
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = terminal and (alone or console.width is None)
        self._next = time.monotonic() + _SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def show(self, number: int, total: int | None = None) -> None:
        """Say how many texts are done, and of how many, twice a second at the most."""
        if self._shown and time.monotonic() >= self._next:
            sys.stderr.write(f"\r{number:,} texts" if total is None else _bar(number, total))
            sys.stderr.flush()
            self._next = time.monotonic() + _SECONDS


def _bar(number: int, total: int) -> str:
    r"""Draw how much of all is done, over what was drawn before.

    >>> _bar(25_000, 100_000)
    '\r█████                 25 % of 100,000 texts'
    """
    share = number / max(total, number, 1)
    return f"\r{'█' * int(share * _BAR):{_BAR}} {share:4.0%} of {total:,} texts".replace("%", " %")


_BAR = 20
