"""Write rules as loops that lead back to themselves at their ends only, or beginnings only.

    digits = DIGIT / DIGIT digits        is        digits = 1*DIGIT

Such rules match what a finite automaton does, though they are recursive.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.elimination import END, START, Arrows, expression
from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Grammar,
    Node,
    Ref,
    Rep,
    Seq,
    alt,
    children,
    rebuild,
    references,
    seq,
    walk,
)
from abnf2lark.reading.loops import components, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TOGETHER = 30  # rules that lead to each other; of more, nobody would know the expression again
MAX_NODES = 4_000  # of an expression, beyond twice those that the rules have themselves
MAX_STEPS = 2_000_000  # nodes looked at, for all rules of a grammar; about a second

# What an expression is, by the rule that it ends with (or begins with); None: with no such rule.
Ways: TypeAlias = "dict[str | None, Node]"


def with_loops(grammar: Grammar, only: Iterable[str] | None = None) -> Grammar:
    """Return the grammar with loops for its rules of linear recursion, or for some of them.

    Rules whose loops would be long stay as they are.
    """
    steps = steps_of(grammar, grammar.rules)
    wanted = set(grammar.rules if only is None else only)
    rules = dict(grammar.rules)
    work = _Work()
    for group in components(steps):
        recursive = len(group) > 1 or group[0] in steps[group[0]]
        if recursive and len(group) <= MAX_TOGETHER and wanted.issuperset(group):
            with suppress(_TooLongError):
                for name, body in _solved(grammar, group, work).items():
                    rules[name] = replace(rules[name], body=body)
    return Grammar(grammar.name, rules, grammar.own)


class _TooLongError(Exception):
    pass


class _Work:
    """The steps that are left, and the length that an expression may have."""

    def __init__(self) -> None:
        self.left = MAX_STEPS
        self.longest = MAX_NODES

    def allow(self, bodies: Iterable[Node]) -> None:
        """Let expressions be as long as what is made of such bodies may be."""
        self.longest = MAX_NODES + 2 * sum(1 for body in bodies for _ in walk(body))

    def check(self, arrows: Arrows) -> None:
        """Raise where an expression becomes too long, or no step is left."""
        most = min(self.longest, self.left)
        nodes = (part for row in arrows.values() for node in row.values() for part in walk(node))
        size = sum(1 for _ in islice(nodes, most + 1))
        self.left -= size
        if size > most:
            raise _TooLongError


def _solved(grammar: Grammar, group: list[str], work: _Work) -> dict[str, Node]:
    """Return bodies without recursion for rules that lead to each other; none if there are none."""
    among = frozenset(group)
    work.allow(grammar.rules[name].body for name in group)
    for last in (True, False):
        ways = {name: _ways(grammar.rules[name].body, among, last=last) for name in group}
        known = {name: way for name, way in ways.items() if way is not None}
        if len(known) == len(group):
            found = {name: _body(name, known, work, last=last) for name in group}
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


def _body(name: str, ways: dict[str, Ways], work: _Work, *, last: bool) -> Node | None:
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
    found = expression(arrows, work.check)
    return None if found is None else _counted(found)


def _counted(node: Node) -> Node:
    """Write a loop beside one more turn of it, ``*a a`` or ``a *a``, as ``1*a``."""
    parts = children(node)
    node = rebuild(node, [_counted(part) for part in parts]) if parts else node
    if not isinstance(node, Seq):
        return node
    items: list[Node] = []
    rest = node.items
    while rest:
        one, rest = rest[0], rest[1:]
        if isinstance(one, Rep) and (one.low, one.high) == (0, None):
            turn = one.item.items if isinstance(one.item, Seq) else (one.item,)
            if rest[: len(turn)] == turn:
                rest = rest[len(turn) :]
                one = Rep(one.item, 1, None)
            elif tuple(items[-len(turn) :]) == turn:
                del items[-len(turn) :]
                one = Rep(one.item, 1, None)
        items.append(one)
    return seq(items)
