"""Minimize deterministic automata, and number their states in one way only."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

Label = TypeVar("Label", int, str)


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
    """Merge the states that accept the same words, and number the rest breadth-first."""
    alive = _alive(edges, final)
    if 0 not in alive:
        return [{}], frozenset()
    reached = [state for state in breadth_first(edges, 0) if state in alive]
    rows = {
        state: {label: t for label, t in edges[state].items() if t in alive} for state in reached
    }
    block = blocks(rows, final)
    quotient: dict[int, dict[int, int]] = {}
    for state in reached:
        if block[state] not in quotient:
            quotient[block[state]] = {label: block[t] for label, t in rows[state].items()}
    accepting = {block[state] for state in reached if state in final}
    order = {block[0]: 0}
    pending = deque([block[0]])
    numbered: list[dict[int, int]] = []
    while pending:
        row = quotient[pending.popleft()]
        for label in sorted(row):
            if row[label] not in order:
                order[row[label]] = len(order)
                pending.append(row[label])
        numbered.append({label: order[t] for label, t in row.items()})
    return numbered, frozenset(order[number] for number in accepting)


def blocks(rows: Mapping[int, Mapping[Label, int]], final: AbstractSet[int]) -> dict[int, int]:
    """Return the block of states that each state goes on like, by Hopcroft's refinement.

    A missing step leads nowhere, so both first blocks have to be tried as splitters.
    """
    sources: dict[int, dict[Label, list[int]]] = {state: {} for state in rows}
    for label, column in _columns(rows):
        for state, target in column:
            sources[target].setdefault(label, []).append(state)
    parts = [part for part in (rows.keys() & final, rows.keys() - final) if part]
    block = {state: number for number, part in enumerate(parts) for state in part}
    waiting = set(range(len(parts)))
    while waiting:
        splitter = parts[waiting.pop()]
        into: dict[Label, list[int]] = {}
        for target in splitter:
            for label, states in sources[target].items():
                into.setdefault(label, []).extend(states)
        for states in into.values():
            touched: dict[int, set[int]] = {}
            for state in states:
                touched.setdefault(block[state], set()).add(state)
            for number, inside in touched.items():
                if len(inside) == len(parts[number]):
                    continue
                outside = parts[number] - inside
                small, large = sorted((inside, outside), key=len)
                new = len(parts)
                parts[number] = large
                parts.append(small)
                for state in small:
                    block[state] = new
                waiting.add(new)
    return block


def _columns(
    rows: Mapping[int, Mapping[Label, int]],
) -> list[tuple[Label, tuple[tuple[int, int], ...]]]:
    """Return the steps by label; of labels that lead the same way everywhere, only one."""
    columns: dict[Label, list[tuple[int, int]]] = {}
    for state, row in rows.items():
        for label, target in row.items():
            columns.setdefault(label, []).append((state, target))
    distinct = {tuple(steps): label for label, steps in columns.items()}
    return [(label, steps) for steps, label in distinct.items()]
