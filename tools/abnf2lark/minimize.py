"""Minimize deterministic automata, and number their states in one way only."""

from __future__ import annotations

from collections import deque


def breadth_first(edges: list[dict[int, int]], start: int) -> list[int]:
    """Return the states that can be reached, in the order in which a breadth-first walk does."""
    seen = {start: None}
    pending = deque([start])
    while pending:
        row = edges[pending.popleft()]
        for label in sorted(row):
            if row[label] not in seen:
                seen[row[label]] = None
                pending.append(row[label])
    return list(seen)


def _alive(edges: list[dict[int, int]], final: frozenset[int]) -> set[int]:
    """Return the states from which acceptance can be reached."""
    back: list[list[int]] = [[] for _ in edges]
    for state, row in enumerate(edges):
        for target in row.values():
            back[target].append(state)
    alive = set(final)
    pending = list(final)
    while pending:
        for state in back[pending.pop()]:
            if state not in alive:
                alive.add(state)
                pending.append(state)
    return alive


def minimal(
    edges: list[dict[int, int]], final: frozenset[int]
) -> tuple[list[dict[int, int]], frozenset[int]]:
    """Minimize (Moore: refine the blocks until nothing changes) and number breadth-first."""
    alive = _alive(edges, final)
    if 0 not in alive:
        return [{}], frozenset()
    reached = [state for state in breadth_first(edges, 0) if state in alive]
    rows = {
        state: [(label, t) for label, t in sorted(edges[state].items()) if t in alive]
        for state in reached
    }
    block = {state: int(state in final) for state in reached}
    count = len(set(block.values()))
    while True:
        numbers: dict[tuple[object, ...], int] = {}
        refined = {
            state: numbers.setdefault(
                (block[state], tuple((label, block[t]) for label, t in rows[state])), len(numbers)
            )
            for state in reached
        }
        block = refined
        if len(numbers) == count:
            break
        count = len(numbers)
    quotient: list[dict[int, int]] = [{} for _ in range(count)]
    accepting: set[int] = set()
    for state in reached:
        quotient[block[state]] = {label: block[t] for label, t in rows[state]}
        if state in final:
            accepting.add(block[state])
    order = breadth_first(quotient, block[0])
    new = {old: number for number, old in enumerate(order)}
    return (
        [{label: new[t] for label, t in quotient[old].items()} for old in order],
        frozenset(new[s] for s in accepting),
    )
