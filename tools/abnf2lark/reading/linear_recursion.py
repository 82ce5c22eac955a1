"""Write rules as loops that lead back to themselves at their ends only, or beginnings only.

    digits = DIGIT / DIGIT digits        is        digits = 1*DIGIT

Such rules match what a finite automaton does, though they are recursive.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.elimination import END, START, Arrows, expression
from abnf2lark.reading.ir import EMPTY, Alt, Grammar, Node, Ref, Rep, Seq, alt, references, seq
from abnf2lark.reading.loops import components, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TOGETHER = 30  # rules that lead to each other; of more, nobody would know the expression again

# What an expression is, by the rule that it ends with (or begins with); None: with no such rule.
Ways: TypeAlias = "dict[str | None, Node]"


def with_loops(grammar: Grammar, only: Iterable[str] | None = None) -> Grammar:
    """Return the grammar with loops for its rules of linear recursion, or for some of them."""
    steps = steps_of(grammar, grammar.rules)
    wanted = set(grammar.rules if only is None else only)
    rules = dict(grammar.rules)
    for group in components(steps):
        recursive = len(group) > 1 or group[0] in steps[group[0]]
        if recursive and len(group) <= MAX_TOGETHER and wanted.issuperset(group):
            for name, body in _solved(grammar, group).items():
                rules[name] = replace(rules[name], body=body)
    return Grammar(grammar.name, rules, grammar.own)


def _solved(grammar: Grammar, group: list[str]) -> dict[str, Node]:
    """Return bodies without recursion for rules that lead to each other; none if there are none."""
    among = frozenset(group)
    for last in (True, False):
        ways = {name: _ways(grammar.rules[name].body, among, last=last) for name in group}
        known = {name: way for name, way in ways.items() if way is not None}
        if len(known) == len(group):
            found = {name: _body(name, known, last=last) for name in group}
            return {name: body for name, body in found.items() if body is not None}
    return {}


def _ways(node: Node, among: frozenset[str], *, last: bool) -> Ways | None:
    """Cut an expression by the rule that stands last in it, or first; ``None`` if one is inside."""
    if not any(ref.name in among for ref in references(node)):
        return {None: node}
    match node:
        case Ref(name):
            return {name: EMPTY}
        case Seq(items):
            end, rest = (items[-1], items[:-1]) if last else (items[0], items[1:])
            found = _ways(end, among, last=last)
            if found is None or any(ref.name in among for ref in references(Seq(rest))):
                return None
            return {
                name: seq([*rest, part] if last else [part, *rest]) for name, part in found.items()
            }
        case Alt(items):
            return _joined([_ways(item, among, last=last) for item in items])
        case Rep(item, 0, 1):
            return _joined([_ways(item, among, last=last), {None: EMPTY}])
        case _:
            return None


def _joined(found: list[Ways | None]) -> Ways | None:
    ways: dict[str | None, list[Node]] = {}
    for one in found:
        if one is None:
            return None
        for name, part in one.items():
            ways.setdefault(name, []).append(part)
    return {name: alt(parts) for name, parts in ways.items()}


def _body(name: str, ways: dict[str, Ways], *, last: bool) -> Node | None:
    """Solve for one rule: its texts are the ways from it to an end, or from a beginning to it."""
    numbers = {rule: number for number, rule in enumerate(ways)}
    arrows: Arrows = {START: {}, **{number: {} for number in numbers.values()}}
    for rule, parts in ways.items():
        for target, part in parts.items():
            if last:
                arrows[numbers[rule]][END if target is None else numbers[target]] = part
            else:
                arrows[START if target is None else numbers[target]][numbers[rule]] = part
    if last:
        arrows[START][numbers[name]] = EMPTY
    else:
        arrows[numbers[name]][END] = EMPTY
    return expression(arrows)
