"""Recursion among rules: find it, report endless rules, rewrite linear recursion as loops."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import TypeAlias

from abnf2lark import ir
from abnf2lark.problems import Problem, Source

Steps: TypeAlias = Mapping[str, Sequence[str]]  # from each rule to those that it refers to

MAX_SHOWN = 12  # rules of a loop in a message; of longer loops the shortest is not searched


def recursion(grammar: ir.RuleSet, starts: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest loop of rules, closed: ``('a', 'b', 'a')``; empty if none."""
    return shortest_loop(steps_of(grammar, ir.reachable(grammar, starts)))


def cycle(grammar: ir.RuleSet, starts: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest loop of rules that derive each other alone; empty if there is none."""
    return shortest_loop(alone(grammar, ir.reachable(grammar, starts)))


def steps_by(
    grammar: ir.RuleSet, names: Iterable[str], inside: Callable[[ir.Node], Iterable[str]]
) -> Steps:
    """Return for each of the rules those that a function finds in its expression, each once."""
    return {name: tuple(dict.fromkeys(inside(grammar.rules[name].body))) for name in names}


def alone(grammar: ir.RuleSet, names: Iterable[str]) -> Steps:
    """Return for each of the rules those that can be all that it derives."""
    nullable = ir.nullable_rules(grammar)
    return steps_by(grammar, names, lambda body: _alone(body, nullable))


def _alone(node: ir.Node, nullable: AbstractSet[str]) -> Iterator[str]:
    """Yield the rules that can be all there is of an expression."""

    def parts(node: ir.Node) -> list[ir.Node]:
        inside = ir.children(node)
        filled = [one for one in inside if not ir.is_nullable(one, nullable)]
        if isinstance(node, ir.Rep) and node.low > 1 and filled:
            return []
        return [one for one in inside if not isinstance(node, ir.Seq) or filled in ([], [one])]

    return ir.names_among(node, parts)


def recursive_rules(grammar: ir.RuleSet) -> frozenset[str]:
    """Return the rules that lead back to themselves."""
    return frozenset(looping(steps_of(grammar, grammar.rules)))


def innermost_first(grammar: ir.RuleSet) -> Iterator[str]:
    """Yield the rules that are not recursive, each after those that it refers to."""
    return inside_out(grammar.rules, grammar.rules, recursive_rules(grammar))


class RecursiveError(Exception):
    """A rule leads back to itself, so that it has no automaton; the message is its name."""


def inside_out(
    rules: Mapping[str, ir.Rule], names: Iterable[str], done: Iterable[str]
) -> Iterator[str]:
    """Yield rules after those that they refer to; :class:`RecursiveError` for a loop."""
    finished = set(done)
    begun: set[str] = set()
    pending = [(name, False) for name in reversed([*names])]
    while pending:
        name, expanded = pending.pop()
        if name in finished:
            continue
        if expanded:
            finished.add(name)
            yield name
            continue
        if name in begun:
            raise RecursiveError(name)
        begun.add(name)
        pending.append((name, True))
        inside = dict.fromkeys(ref.name for ref in ir.references(rules[name].body))
        pending.extend((one, False) for one in inside if one not in finished)


def steps_of(grammar: ir.RuleSet, names: Iterable[str]) -> Steps:
    """Return for each of the rules those that it refers to."""
    return steps_by(grammar, names, lambda body: (ref.name for ref in ir.references(body)))


def shortest_loop(steps: Steps) -> tuple[str, ...]:
    """Return the shortest loop of steps, the first of several; empty if there is none."""
    found: tuple[str, ...] = ()
    for name in looping(steps):
        limit = min(len(found), MAX_SHOWN + 1) if found else len(steps) + 2
        found = loop_through(name, steps, limit) or found
    return found


def loop_through(name: str, steps: Steps, limit: int) -> tuple[str, ...]:
    """Return the shortest loop through a name, if it is shorter than a limit; else nothing."""
    before: dict[str, str] = {}
    depths = {name: 1}
    pending = deque([name])
    while pending:
        here = pending.popleft()
        if depths[here] + 1 >= limit:
            break
        for step in steps[here]:
            if step == name:
                way = [name]
                while here != name:
                    way.append(here)
                    here = before[here]
                return (name, *reversed(way))
            if step not in depths:
                before[step] = here
                depths[step] = depths[here] + 1
                pending.append(step)
    return ()


def looping(steps: Steps) -> list[str]:
    """Return the names from which steps lead back to them, in the order given."""
    found: set[str] = set()
    for together in components(steps):
        if len(together) > 1 or together[0] in steps[together[0]]:
            found.update(together)
    return [name for name in steps if name in found]


def components(steps: Steps) -> Iterator[list[str]]:
    """Yield the names by groups that lead to each other: Tarjan's algorithm, without recursion."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}  # the first name, by number, that a name is known to lead back to
    unfinished: dict[str, None] = {}
    for root in steps:
        pending = [] if root in number else [(root, iter((root,)))]
        while pending:
            above, rest = pending[-1]
            for name in rest:
                if name not in number:
                    number[name] = lowest[name] = len(number)
                    unfinished[name] = None
                    pending.append((name, iter(steps.get(name, ()))))
                    break
                if name in unfinished:
                    lowest[above] = min(lowest[above], number[name])
            else:
                pending.pop()
                if not pending:
                    break
                outer = pending[-1][0]
                lowest[outer] = min(lowest[outer], lowest[above])
                if lowest[above] == number[above]:
                    together = [above]
                    while (name := unfinished.popitem()[0]) != above:
                        together.append(name)
                    yield together


def shown(loop: tuple[str, ...]) -> str:
    """Write a loop for people, with arrows."""
    names = loop if len(loop) <= MAX_SHOWN else (*loop[: MAX_SHOWN - 2], "…", loop[-1])
    return " → ".join(names)


def endless(source: Source, grammar: ir.RuleSet) -> Iterator[Problem]:
    """Report own rules that no text can match, since they never end."""
    ending = ir.rules_that(grammar, partial(ir.is_nullable, leaf=True))  # which match some text
    toward = {
        name: next(ref.name for ref in ir.references(rule.body) if ref.name not in ending)
        for name, rule in grammar.rules.items()
        if name not in ending
    }
    loops = _loops_ahead(toward)
    for rule in (grammar.rules[name] for name in grammar.own):
        if rule.name in loops:
            loop = shown(loops[rule.name])
            text = f'"{rule.name}" matches nothing: it never ends, {loop}'
            yield Problem(source, rule.position, "endless", text)


def _loops_ahead(toward: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return for each rule the loop that it runs into; ``toward`` says where each goes."""
    found: dict[str, tuple[str, ...]] = {}
    for name in toward:
        way: dict[str, int] = {}
        here = name
        while here not in way and here not in found:
            way[here] = len(way)
            here = toward[here]
        loop = found[here] if here in found else (*list(way)[way[here] :], here)
        found.update(dict.fromkeys(way, loop))
    return found


START, END = -1, -2

Arrows: TypeAlias = dict[int, dict[int, ir.Node]]  # from a state to others, by an expression each


def expression(arrows: Arrows, check: Callable[[Arrows], None] | None = None) -> ir.Node | None:
    """Return an expression for all ways from ``START`` to ``END``, or ``None``.

    The other states are removed, one after the other.
    """
    while len(arrows) > 1:
        # The state with the fewest new arrows goes first.
        into = Counter(target for row in arrows.values() for target in row)
        states = (number for number in arrows if number != START)
        _eliminate(arrows, min(states, key=lambda one: (into[one] * len(arrows[one]), -one)))
        if check is not None:
            check(arrows)
    return arrows[START].get(END)


def _eliminate(arrows: Arrows, number: int) -> None:
    """Remove a state: every way through it becomes an arrow past it."""
    row = arrows.pop(number)
    loop = row.pop(number, None)
    around = ir.EMPTY if loop is None else ir.Rep(loop, 0, None)
    for other in arrows.values():
        into = other.pop(number, None)
        if into is None:
            continue
        for target, out in row.items():
            way = ir.seq([into, around, out])
            other[target] = ir.alt([other[target], way]) if target in other else way


# Write rules as loops that lead back to themselves at their ends only, or beginnings only.
#
#     digits = DIGIT / DIGIT digits        is        digits = 1*DIGIT
#
# Such rules match what a finite automaton does, though they are recursive.

MAX_TOGETHER = 30  # rules that lead to each other; the expression of more could not be recognized
MAX_NODES = 4_000  # of an expression, beyond twice those that the rules have themselves
MAX_STEPS = 2_000_000  # nodes looked at, for all rules of a grammar; about a second

# What an expression is, by the rule that it ends with (or begins with); None: with no such rule.
Ways: TypeAlias = dict[str | None, ir.Node]


def with_loops(grammar: ir.RuleSet, only: Iterable[str] | None = None) -> ir.RuleSet:
    """Return the grammar with loops for its rules of linear recursion, unless they are long."""
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
    return ir.RuleSet(grammar.name, rules, grammar.own)


class _TooLongError(Exception):
    pass


class _Work:
    """The steps that are left, and the length that an expression may have."""

    def __init__(self) -> None:
        self.left, self.longest = MAX_STEPS, MAX_NODES

    def check(self, arrows: Arrows) -> None:
        """Raise where an expression becomes too long, or no step is left."""
        most = min(self.longest, self.left)
        nodes = (part for row in arrows.values() for node in row.values() for part in ir.walk(node))
        size = sum(1 for _ in islice(nodes, most + 1))
        self.left -= size
        if size > most:
            raise _TooLongError


def _solved(grammar: ir.RuleSet, group: list[str], work: _Work) -> dict[str, ir.Node]:
    """Return bodies without recursion for rules that lead to each other, if they have some."""
    among = frozenset(group)
    bodies = [grammar.rules[name].body for name in group]
    work.longest = MAX_NODES + 2 * sum(1 for body in bodies for _ in ir.walk(body))
    for last in (True, False):
        ways = {name: _ways(grammar.rules[name].body, among, last=last) for name in group}
        known = {name: way for name, way in ways.items() if way is not None}
        if len(known) == len(group):
            found = {name: _body(name, known, work, last=last) for name in group}
            return {name: body for name, body in found.items() if body is not None}
    return {}


def _ways(node: ir.Node, among: frozenset[str], *, last: bool) -> Ways | None:
    """Cut an expression by the rule that is last in it, or first; ``None`` if one is inside."""
    if not any(ref.name in among for ref in ir.references(node)):
        return {None: node}
    match node:
        case ir.Ref(name):
            return {name: ir.EMPTY}
        case ir.Seq(items):
            end, rest = (items[-1], items[:-1]) if last else (items[0], items[1:])
            found = _ways(end, among, last=last)
            if found is None or any(ref.name in among for ref in ir.references(ir.Seq(rest))):
                return None
            return {
                name: ir.seq([*rest, part] if last else [part, *rest])
                for name, part in found.items()
            }
        case ir.Alt(items):
            return _joined([_ways(item, among, last=last) for item in items])
        case ir.Rep(item, 0, 1):
            return _joined([_ways(item, among, last=last), {None: ir.EMPTY}])
        case _:
            return None


def _joined(found: list[Ways | None]) -> Ways | None:
    ways: dict[str | None, list[ir.Node]] = {}
    for one in found:
        if one is None:
            return None
        for name, part in one.items():
            ways.setdefault(name, []).append(part)
    return {name: ir.alt(parts) for name, parts in ways.items()}


def _body(name: str, ways: dict[str, Ways], work: _Work, *, last: bool) -> ir.Node | None:
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
        arrows[START][numbers[name]] = ir.EMPTY
    else:
        arrows[numbers[name]][END] = ir.EMPTY
    found = expression(arrows, work.check)
    return None if found is None else _counted(found)


def _counted(node: ir.Node) -> ir.Node:
    """Write a loop beside one more turn of it, ``*a a`` or ``a *a``, as ``1*a``."""
    node = ir.changed(node, _counted)
    if not isinstance(node, ir.Seq):
        return node
    items: list[ir.Node] = []
    rest = node.items
    while rest:
        one, rest = rest[0], rest[1:]
        if isinstance(one, ir.Rep) and (one.low, one.high) == (0, None):
            turn = one.item.items if isinstance(one.item, ir.Seq) else (one.item,)
            if rest[: len(turn)] == turn:
                rest = rest[len(turn) :]
                one = ir.Rep(one.item, 1, None)
            elif tuple(items[-len(turn) :]) == turn:
                del items[-len(turn) :]
                one = ir.Rep(one.item, 1, None)
        items.append(one)
    return ir.seq(items)


MARK = "~"  # separates a rule's name and its level in the name of a copy; ABNF has no such names


def to_depth(grammar: ir.RuleSet, start: str, depth: int) -> ir.RuleSet | None:
    """Return the rules that one leads to, with a copy of the recursive ones for each level.

    A reference back to a rule that is in progress leads to the copy of the next level; at the last
    one, what would lead back is left out. So the texts are those of the rule that have a
    derivation of no more levels. None if there are none.
    """
    steps = steps_of(grammar, ir.reachable(grammar, (start,)))
    group_of: dict[str, int] = {}
    for number, group in enumerate(components(steps)):
        if len(group) > 1 or group[0] in steps[group[0]]:
            group_of |= dict.fromkeys(group, number)
    # Every loop has a step to a rule that is in progress when a search reaches it: that counts.
    spans = _spans(steps, start)
    rules: dict[str, ir.Rule] = {}

    @cache
    def copied(name: str, level: int) -> str | None:
        """Make a copy of a rule and return its name; None if it has no text."""
        copy = f"{name}{MARK}{level}" if level else name
        group = group_of.get(name)

        def reference(inner: str) -> str | None:
            if group is None or group_of.get(inner) != group:
                return copied(inner, 0)
            (outer_from, outer_to), (begins, ends) = spans[inner], spans[name]
            here = level + (outer_from <= begins and ends <= outer_to)
            return copied(inner, here) if here <= depth else None

        def leaf(node: ir.Node) -> ir.Node | None:
            if not isinstance(node, ir.Ref):
                return node
            inner = reference(node.name)
            return None if inner is None else replace(node, name=inner)

        body = ir.pruned(grammar.rules[name].body, leaf)
        if body is None:
            return None
        rules[copy] = replace(grammar.rules[name], name=copy, body=body)
        return copy

    if copied(start, 0) is None:
        return None
    return ir.RuleSet(grammar.name, dict(sorted(rules.items())), grammar.own)


def _spans(steps: Mapping[str, Sequence[str]], start: str) -> dict[str, tuple[int, int]]:
    """Return for each rule when a depth-first search enters it and leaves it."""
    begins: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    pending = [(start, False)]
    while pending:
        name, is_done = pending.pop()
        now = len(begins) + len(found)
        if is_done:
            found[name] = begins[name], now
        elif name not in begins:
            begins[name] = now
            pending.append((name, True))
            pending += ((inner, False) for inner in reversed(steps[name]))
    return found
