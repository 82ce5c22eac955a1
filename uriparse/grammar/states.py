"""The automaton of a rule as a whole, for whoever walks all of it.

`automata` reads one text and decodes the rows that it enters; here all that the generated tables
hold about one rule is decoded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.grammar.automata import NONE, Group, shipped_automaton
from uriparse.grammar.matchers import rule_name

if TYPE_CHECKING:
    from collections.abc import Mapping

Spans: TypeAlias = "tuple[tuple[int, int], ...]"

_LAST = 0x10FFFF


class States(NamedTuple):
    """The states of a rule's automaton, by number; 0 is the first.

    classes: characters that the grammar never tells apart, as ranges of code points in order.
    edges: for each state the next one by the number of the class; a class that cannot follow is
        not there.
    endings: for each state whether a text may end there.
    groups: for each state what the rules under way expect, the outermost first.
    """

    classes: tuple[Spans, ...]
    edges: tuple[Mapping[int, int], ...]
    endings: tuple[bool, ...]
    groups: tuple[tuple[Group, ...], ...]


@cache
def states(rule: str, grammar: str = "rfc3986") -> States:
    """Decode the automaton of a rule, its states in the order in which a walk comes to them.

    UnknownRuleError if there is no such rule.

    >>> found = states("dec-octet")
    >>> len(found.edges), found.endings[0], found.groups[0][0].words
    (6, False, ('dec-octet',))
    """
    automaton = shipped_automaton(grammar)
    first = automaton.starts[rule_name(rule, grammar)]
    numbers = {first: 0}
    edges: list[dict[int, int]] = []
    order = [first]
    for state in order:
        row: dict[int, int] = {}
        for label, after in enumerate(automaton.row(state)):
            if after == NONE:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                order.append(after)
            row[label] = numbers[after]
        edges.append(row)
    stops = [automaton.stop(0, state) for state in order]
    return States(
        _classes(grammar),
        tuple(edges),
        tuple(stop.may_end for stop in stops),
        tuple(stop.groups for stop in stops),
    )


@cache
def _classes(grammar: str) -> tuple[Spans, ...]:
    automaton = shipped_automaton(grammar)
    found: dict[int, list[tuple[int, int]]] = {}
    for first, last, label in automaton.spans():
        spans = found.setdefault(label, [])
        if spans and spans[-1][1] == first - 1:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return tuple(tuple(found.get(label, ())) for label in range(max(found) + 1))
