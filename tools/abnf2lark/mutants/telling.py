"""The shortest texts on which two automata differ, both ways."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from abnf2lark.mutants.stepping import NOWHERE

if TYPE_CHECKING:
    from abnf2lark.mutants.classes import Classes
    from abnf2lark.mutants.fixed import Fixed, Row
    from abnf2lark.mutants.stepping import Stepping

Pair: TypeAlias = tuple[int, int]

MAX_PAIRS = 400_000


class Difference(NamedTuple):
    """The shortest texts of one language that are not in another; ``None`` where there is none."""

    lost: str | None  # in the first, not in the second
    gained: str | None  # in the second, not in the first
    decided: bool = True  # whether all was walked that could tell


def difference(
    one: Fixed | Stepping, other: Stepping, classes: Classes, *, may_lose: bool, may_gain: bool
) -> Difference:
    """Walk both at once until each way that there may be is told, or nothing is left to walk."""
    start = (one.start, other.start)
    parents: dict[Pair, tuple[Pair, int] | None] = {start: None}
    pending = deque([start])
    lost: str | None = None
    gained: str | None = None
    while pending:
        here = pending.popleft()
        left, right = here
        if (left == NOWHERE and not may_gain) or (right == NOWHERE and not may_lose):
            continue
        belongs = left in one.final, right in other.final
        if belongs == (True, False) and may_lose:
            lost = _word(parents, here, classes)
            may_lose = False
        elif belongs == (False, True) and may_gain:
            gained = _word(parents, here, classes)
            may_gain = False
        if not may_lose and not may_gain:
            break
        rows = (
            one.row(left) if left != NOWHERE else (),
            other.row(right) if right != NOWHERE else (),
        )
        for bits, target in _joined(*rows):
            if target not in parents:
                parents[target] = (here, bits)
                pending.append(target)
                if len(parents) > MAX_PAIRS:
                    return Difference(lost, gained, decided=False)
    return Difference(lost, gained)


def _joined(left: Row, right: Row) -> list[tuple[int, Pair]]:
    """Return the steps of two rows taken together, the most readable first."""
    found: list[tuple[int, Pair]] = []
    taken = 0
    for bits, target in left:
        rest = bits
        for others, other in right:
            if both := rest & others:
                found.append((both, (target, other)))
                rest &= ~both
        taken |= bits
        if rest:
            found.append((rest, (target, NOWHERE)))
    for bits, target in right:
        if rest := bits & ~taken:
            found.append((rest, (NOWHERE, target)))
    found.sort(key=lambda step: step[0] & -step[0])
    return found


def _word(parents: dict[Pair, tuple[Pair, int] | None], end: Pair, classes: Classes) -> str:
    word: list[str] = []
    step = parents[end]
    while step is not None:
        word.append(classes.sample(step[1]))
        step = parents[step[0]]
    return "".join(reversed(word))
