"""Orders of names: which of them have to come before which others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.loops import shortest_loop

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


def circle(before: Mapping[str, AbstractSet[str]]) -> tuple[str, ...] | None:
    """Return names of which each has to come before the next, in a circle."""
    return shortest_loop({name: sorted(after) for name, after in before.items()})[:-1] or None


def ranks(before: Mapping[str, AbstractSet[str]]) -> dict[str, int]:
    """Return numbers, from 1 up: each name's above those that it has to come before."""
    found: dict[str, int] = {}
    pending = list(before)
    while pending:
        name = pending[-1]
        missing = [other for other in before[name] if other not in found]
        if missing:
            pending += missing
        else:
            found[pending.pop()] = 1 + max((found[other] for other in before[name]), default=0)
    return found
