"""Find the way on which a rule leads back to itself."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import reachable, references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from abnf2lark.reading.ir import Grammar


def recursion(grammar: Grammar, starts: Sequence[str]) -> tuple[str, ...]:
    """Return the shortest loop among the rules that the given ones lead to; empty if none.

    The first rule stands at the end again: ``("comment", "ccontent", "comment")``.
    """
    steps = {
        name: [ref.name for ref in references(grammar.rules[name].body)]
        for name in reachable(grammar, list(starts))
    }
    return shortest_loop(steps, lambda name: steps.get(name, ()))


def shortest_loop(
    names: Iterable[str], following: Callable[[str], Iterable[str]]
) -> tuple[str, ...]:
    """Return the shortest loop of steps, the first of several; empty if there is none."""
    found: tuple[str, ...] = ()
    for name in names:
        loop = _loop(name, following)
        if loop and (not found or len(loop) < len(found)):
            found = loop
    return found


def _loop(name: str, following: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    paths: dict[str, tuple[str, ...]] = {}
    pending: deque[tuple[str, ...]] = deque([(name,)])
    while pending:
        path = pending.popleft()
        for step in following(path[-1]):
            if step == name:
                return (*path, name)
            if step not in paths:
                paths[step] = (*path, step)
                pending.append(paths[step])
    return ()
