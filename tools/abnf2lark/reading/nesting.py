"""Recursive rules to a depth: copies of them, one for each level, so that none is recursive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from abnf2lark import ir
from abnf2lark.reading.recursion import components, steps_of

MARK = "~"
"""Stands between a rule's name and its level in the name of a copy; no name of ABNF has it."""


def to_depth(grammar: ir.Grammar, start: str, depth: int) -> ir.Grammar | None:
    """Return the rules that one leads to, with a copy of the recursive ones for each level.

    A reference back to a rule that is under way leads to the copy of the next level; at the last
    one, what would lead back is left out. So the texts are those of the rule that have a
    derivation of no more levels. None if there are none.

    >>> from abnf2lark.problems import Source
    >>> from abnf2lark.reading import load
    >>> grammar, _ = load(Source("nest.abnf", 'nest = "(" [ nest ] ")"'), "nest", {})
    >>> [*to_depth(grammar, "nest", 1).rules]
    ['nest', 'nest~1']
    """
    steps = steps_of(grammar, ir.reachable(grammar, (start,)))
    group_of: dict[str, int] = {}
    for number, group in enumerate(components(steps)):
        if len(group) > 1 or group[0] in steps[group[0]]:
            group_of |= dict.fromkeys(group, number)
    # Every loop has a step to a rule that is under way when a search reaches it: that counts.
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

        body = _without(grammar.rules[name].body, reference)
        if body is None:
            return None
        rules[copy] = replace(grammar.rules[name], name=copy, body=body)
        return copy

    if copied(start, 0) is None:
        return None
    return ir.Grammar(grammar.name, dict(sorted(rules.items())), grammar.own)


def _spans(steps: Mapping[str, Sequence[str]], start: str) -> dict[str, tuple[int, int]]:
    """Return for each rule when a search, depth first, comes to it and when it has done with it."""
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


def _without(node: ir.Node, reference: Callable[[str], str | None]) -> ir.Node | None:
    """Rewrite the references of an expression, without what refers to nothing."""
    match node:
        case ir.Ref(name):
            found = reference(name)
            return None if found is None else replace(node, name=found)
        case ir.Alt(items):
            kept = [part for item in items if (part := _without(item, reference)) is not None]
            return ir.alt(kept) if kept else None
        case ir.Rep(item, 0, _):
            part = _without(item, reference)
            return ir.EMPTY if part is None else replace(node, item=part)
    parts = [_without(item, reference) for item in ir.children(node)]
    whole = [part for part in parts if part is not None]
    return ir.rebuild(node, whole) if len(whole) == len(parts) else None
