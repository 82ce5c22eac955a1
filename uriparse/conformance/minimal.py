"""Automata without what they never tell apart: characters first, then states."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.conformance.automata import Automaton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse.conformance.automata import Spans


class Minimal(NamedTuple):
    """The smallest automaton of a language.

    automaton: it; its states are numbered in the order of a breadth-first walk, its classes by
        their first character, so that equal languages have equal automata.
    state_of: for each state of the automaton that it was made of, its state here.
    """

    automaton: Automaton
    state_of: tuple[int, ...]


def merged(automaton: Automaton) -> Automaton:
    """Merge the characters that an automaton never tells apart; its states stay what they are."""
    columns: dict[tuple[int | None, ...], list[int]] = {}
    for label, spans in enumerate(automaton.classes):
        if spans:
            column = tuple(row.get(label) for row in automaton.edges)
            columns.setdefault(column, []).append(label)
    together = {
        _joined([span for label in labels for span in automaton.classes[label]]): labels[0]
        for labels in columns.values()
    }
    classes = sorted(together)
    shown = {together[spans]: number for number, spans in enumerate(classes)}
    edges = [
        {shown[label]: target for label, target in sorted(row.items()) if label in shown}
        for row in automaton.edges
    ]
    return Automaton(classes, edges, automaton.final, automaton.groups)


def minimal(automaton: Automaton) -> Minimal:
    """Merge the states that the same texts lead on from (Moore 1956), and the characters."""
    automaton = merged(automaton)  # the fewer characters, the less is to be done
    block = [int(state in automaton.final) for state in range(len(automaton))]
    count = len(set(block))
    while True:
        numbers: dict[object, int] = {}
        signatures = (
            (block[state], tuple(sorted((label, block[target]) for label, target in row.items())))
            for state, row in enumerate(automaton.edges)
        )
        block = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == count:
            break
        count = len(numbers)
    first = {number: state for state, number in reversed([*enumerate(block)])}
    rows = [
        {label: block[target] for label, target in automaton.edges[first[number]].items()}
        for number in range(count)
    ]
    quotient = merged(Automaton(automaton.classes, rows, {block[s] for s in automaton.final}))
    order = {block[0]: 0}
    for here in (walk := [block[0]]):
        for _, target in sorted(quotient.edges[here].items()):
            if target not in order:
                order[target] = len(order)
                walk.append(target)
    edges = [{label: order[t] for label, t in quotient.edges[here].items()} for here in walk]
    final = {order[number] for number in quotient.final}
    return Minimal(
        Automaton(quotient.classes, edges, final), tuple(order[number] for number in block)
    )


def _joined(spans: Sequence[tuple[int, int]]) -> Spans:
    found: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if found and found[-1][1] == low - 1:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return tuple(found)
