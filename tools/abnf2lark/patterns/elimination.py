"""Make an expression of an automaton, by removing its states one after the other.

Every text takes one way through a deterministic automaton, and one through the expression too: so
that expression does not backtrack much, whatever the grammar's own one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import TooLargeError, spend
from abnf2lark.reading.ir import EMPTY, Node, Rep, alt, seq, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from abnf2lark.automata import Alphabet, Language

START, END = -1, -2
MAX_STATES = 200
MAX_NODES = 4_000

Arrows: TypeAlias = dict[int, dict[int, Node]]  # from a state to others, by an expression each


def expression(arrows: Arrows, limit: int | None = None) -> Node:
    """Return an expression for all ways from ``START`` to ``END``.

    Raises :class:`TooLargeError` if it comes to have more nodes than a limit.
    """
    while len(arrows) > 1:
        _eliminate(arrows, min((n for n in arrows if n != START), key=_cost(arrows)))
        if limit is not None:
            nodes = [node for row in arrows.values() for node in row.values()]
            size = sum(1 for node in nodes for _ in walk(node))
            spend(size)
            if size > limit:
                raise TooLargeError
    return arrows[START].get(END, EMPTY)


def of_language(language: Language, alphabet: Alphabet) -> Node:
    """Return an expression for a language that has words.

    Raises :class:`TooLargeError` where it would be too long to be of use.
    """
    if len(language) > MAX_STATES:
        raise TooLargeError
    arrows: Arrows = {START: {0: EMPTY}}
    for state, row in enumerate(language.edges):
        goals: dict[int, set[int]] = {}
        for label, target in row.items():
            goals.setdefault(target, set()).add(label)
        arrows[state] = {target: alphabet.chars(labels) for target, labels in goals.items()}
        if state in language.final:
            arrows[state][END] = EMPTY
    return expression(arrows, MAX_NODES)


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
