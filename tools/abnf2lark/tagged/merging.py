"""Tagged automata of fewer states: constants noted early, states that go on alike merged."""

from __future__ import annotations

from collections import deque

from abnf2lark.automata.language import blocks
from abnf2lark.tagged.machine import Act, Notes, Row, Step, Tagged


def merged(made: Tagged) -> Tagged:
    """Merge the states that go on alike, and number the rest as they are come to."""
    ways: dict[tuple[int, Act], int] = {}
    ends: dict[Act, int] = {}
    sink = len(made.rows)
    rows: dict[int, dict[int, int]] = {sink: {}}
    for state, (row, end) in enumerate(zip(made.rows, made.ends, strict=True)):
        plain = {
            ways.setdefault((label, step.act), len(ways)): step.target
            for label, step in row.items()
        }
        if end is not None:  # a way of its own for each end, which keeps ends apart
            plain[-1 - ends.setdefault(end, len(ends))] = sink
        rows[state] = plain
    block = blocks(rows, {sink})
    order: dict[int, int] = {}
    pending: deque[int] = deque()

    def number(state: int) -> int:
        if block[state] not in order:
            order[block[state]] = len(order)
            pending.append(state)
        return order[block[state]]

    found = Tagged({name: number(start) for name, start in made.starts.items()})
    while pending:
        state = pending.popleft()
        found.ends.append(made.ends[state])
        row = made.rows[state]
        found.rows.append(
            {label: row[label]._replace(target=number(row[label].target)) for label in sorted(row)}
        )
    return found


def earlier(made: Tagged) -> Tagged:
    """Let edges note a constant that only ends have noted, as soon as it can be no other.

    What follows is then the same whatever the constant is, and its states can be merged.
    """
    within = {
        constant for row in made.rows for s in row.values() for constant, _ in s.act.notes.values
    }
    ending = {constant for end in made.ends if end for constant, _ in end.notes.values}
    for constant in sorted(ending - within):
        made = _earlier(made, constant)
    return made


def _earlier(made: Tagged, constant: int) -> Tagged:
    coming = _coming(made, constant)
    starts = {*made.starts.values()}
    rows: list[Row] = []
    for state, row in enumerate(made.rows):
        settled = len(coming[state]) == 1 and state not in starts
        rows.append({})
        for label, step in row.items():
            values = coming[step.target]
            (value,) = values if len(values) == 1 and not settled else (None,)
            act = step.act if value is None else _noting(step.act, constant, value)
            rows[-1][label] = Step(step.target, act)
    ends = [
        _without(end, constant) if end and len(coming[state]) == 1 and state not in starts else end
        for state, end in enumerate(made.ends)
    ]
    return Tagged(made.starts, rows, ends)


def _coming(made: Tagged, constant: int) -> list[set[int | None]]:
    """Return for each state the values that a constant can have at the ends it leads to."""
    back: list[set[int]] = [set() for _ in made.rows]
    for state, row in enumerate(made.rows):
        for step in row.values():
            back[step.target].add(state)
    coming: list[set[int | None]] = [
        set() if end is None else {dict(end.notes.values).get(constant)} for end in made.ends
    ]
    pending = [state for state, values in enumerate(coming) if values]
    while pending:
        here = pending.pop()
        for state in back[here]:
            if not coming[here] <= coming[state]:
                coming[state] |= coming[here]
                pending.append(state)
    return coming


def _noting(act: Act, constant: int, value: int) -> Act:
    values = tuple(sorted({**dict(act.notes.values), constant: value}.items()))
    return act._replace(notes=Notes(act.notes.places, values))


def _without(end: Act, constant: int) -> Act:
    values = tuple(one for one in end.notes.values if one[0] != constant)
    return end._replace(notes=Notes(end.notes.places, values))
