"""Find the rules that lead back to themselves, and the ways on which they do."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import (
    Alt,
    Ref,
    Rep,
    Seq,
    is_nullable,
    nullable_rules,
    reachable,
    references,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from abnf2lark.reading.ir import Grammar, Node

    Steps: TypeAlias = Mapping[str, Sequence[str]]  # from each rule to those that it refers to

MAX_SHOWN = 12  # rules of a loop; of longer ones nobody asks for the shortest


def recursion(grammar: Grammar, starts: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest loop among the rules that the given ones lead to; empty if none.

    The first rule stands at the end again: ``("comment", "ccontent", "comment")``. Where no loop
    has fewer than ``MAX_SHOWN`` rules, it is some loop.
    """
    return shortest_loop(steps_of(grammar, reachable(grammar, starts)))


def cycle(grammar: Grammar, starts: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest loop of rules that stand for each other alone; empty if none.

    A text of such rules has derivations without end.
    """
    nullable = nullable_rules(grammar)
    return shortest_loop(
        {
            name: tuple(dict.fromkeys(_alone(grammar.rules[name].body, nullable)))
            for name in reachable(grammar, starts)
        }
    )


def _alone(node: Node, nullable: AbstractSet[str]) -> Iterator[str]:
    """Yield the rules that can be all there is of an expression."""
    match node:
        case Ref(name):
            yield name
        case Alt(items):
            for item in items:
                yield from _alone(item, nullable)
        case Seq(items):
            filled = [item for item in items if not is_nullable(item, nullable)]
            for item in items:
                if filled in ([], [item]):
                    yield from _alone(item, nullable)
        case Rep(item, low):
            if low < 2 or is_nullable(item, nullable):
                yield from _alone(item, nullable)


def recursive_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules that lead back to themselves."""
    return frozenset(looping(steps_of(grammar, grammar.rules)))


def innermost_first(grammar: Grammar, recursive: AbstractSet[str]) -> Iterator[str]:
    """Yield the rules that are not recursive, each after those that it refers to."""
    done: set[str] = set(recursive)
    pending = [(name, False) for name in reversed(grammar.rules)]
    while pending:
        name, expanded = pending.pop()
        if name in done:
            continue
        if expanded:
            done.add(name)
            yield name
            continue
        pending.append((name, True))
        inside = dict.fromkeys(ref.name for ref in references(grammar.rules[name].body))
        pending.extend((one, False) for one in inside if one not in done)


def steps_of(grammar: Grammar, names: Iterable[str]) -> Steps:
    """Return for each of the rules those that it refers to."""
    return {
        name: tuple(dict.fromkeys(ref.name for ref in references(grammar.rules[name].body)))
        for name in names
    }


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
    """Write a loop for people.

    >>> shown(("a", "b", "a"))
    'a → b → a'
    """
    names = loop if len(loop) <= MAX_SHOWN else (*loop[: MAX_SHOWN - 2], "…", loop[-1])
    return " → ".join(names)
