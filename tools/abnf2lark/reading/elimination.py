"""Make an expression of arrows between states, by removing the states one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import EMPTY, Node, Rep, alt, seq

if TYPE_CHECKING:
    from collections.abc import Callable

START, END = -1, -2

Arrows: TypeAlias = dict[int, dict[int, Node]]  # from a state to others, by an expression each


def expression(arrows: Arrows, check: Callable[[Arrows], None] | None = None) -> Node | None:
    """Return an expression for all ways from ``START`` to ``END``; ``None`` if there is no way.

    ``check`` is called after each step, and may raise.
    """
    while len(arrows) > 1:
        _eliminate(arrows, min((n for n in arrows if n != START), key=_cost(arrows)))
        if check is not None:
            check(arrows)
    return arrows[START].get(END)


def _cost(arrows: Arrows) -> Callable[[int], tuple[int, int]]:
    """Return the measure by which states are removed: the fewest new arrows first."""
    into: dict[int, int] = {}
    for row in arrows.values():
        for target in row:
            into[target] = into.get(target, 0) + 1
    return lambda number: (into.get(number, 0) * len(arrows[number]), -number)


def _eliminate(arrows: Arrows, number: int) -> None:
    """Remove a state: every way through it becomes an arrow past it."""
    row = arrows.pop(number)
    loop = row.pop(number, None)
    around = EMPTY if loop is None else Rep(loop, 0, None)
    for other in arrows.values():
        into = other.pop(number, None)
        if into is None:
            continue
        for target, out in row.items():
            way = seq([into, around, out])
            other[target] = alt([other[target], way]) if target in other else way
