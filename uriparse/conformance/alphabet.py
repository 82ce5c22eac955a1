"""Characters as labels: one stands for all that some sets of characters never tell apart."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from uriparse.conformance.characters import sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse.conformance.automata import Spans

_BEYOND: Final = 0x110000


class Alphabet:
    """Writes texts in labels.

    Attributes:
        samples: a readable character for each label.

    """

    def __init__(self, told: Iterable[Spans]) -> None:
        """Tell apart what one of these sets of characters holds and another does not."""
        sets = list(dict.fromkeys(told))
        cuts = {0, _BEYOND} | {
            cut for spans in sets for low, high in spans for cut in (low, high + 1)
        }
        self._cuts = sorted(cuts)
        members: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        intervals = list(zip(self._cuts, self._cuts[1:], strict=False))
        held = [_holders(low, sets) for low, _ in intervals]
        for (low, beyond), holders in zip(intervals, held, strict=True):
            members.setdefault(holders, []).append((low, beyond - 1))
        labels = {holders: chr(number) for number, holders in enumerate(members)}
        self._labels = [labels[holders] for holders in held]
        self._table = _Table(self)
        self.samples = {labels[holders]: sample(tuple(spans)) for holders, spans in members.items()}

    def label(self, code: int) -> str:
        """Give the label of a code point."""
        return self._labels[bisect_right(self._cuts, code) - 1]

    def labels(self, text: str) -> str:
        """Write a text in labels, one for each character."""
        return text.translate(self._table)


def _holders(code: int, sets: list[Spans]) -> tuple[int, ...]:
    return tuple(
        number
        for number, spans in enumerate(sets)
        if any(low <= code <= high for low, high in spans)
    )


class _Table(dict[int, str]):
    """Labels by code point, looked up when first asked for."""

    def __init__(self, owner: Alphabet) -> None:
        super().__init__()
        self._owner = owner

    def __missing__(self, code: int) -> str:
        self[code] = found = self._owner.label(code)
        return found
