"""The rules that a grammar is for, where nobody has said: those that no others lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.config import core_grammar
from abnf2lark.reading.loops import components, steps_of

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar


def roots(grammar: Grammar) -> tuple[str, ...]:
    """Return rules of a file that lead to all its rules, in its order.

    Of rules that lead to each other and that nothing else leads to, it is the first. Core rules
    that a file repeats without need are none, unless it has no others.
    """
    steps = steps_of(grammar, grammar.own)
    groups = list(components(steps))
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    below = {
        group_of[step]
        for name, inner in steps.items()
        for step in inner
        if step in group_of and group_of[step] != group_of[name]
    }
    first: dict[int, str] = {}
    for name in grammar.own:
        if group_of[name] not in below:
            first.setdefault(group_of[name], name)
    found = tuple(first.values())
    core = core_grammar()
    return tuple(name for name in found if core.find(name) is None) or found
