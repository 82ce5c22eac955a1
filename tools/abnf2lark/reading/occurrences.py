"""How often rules come in others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import Alt, Ref, Rep, Seq
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from abnf2lark.reading.ir import Grammar, Node

Times: TypeAlias = tuple[int, int]
"""The least and the most; 2 stands for any number above 1."""

MANY = 2


def occurrences(grammar: Grammar, wanted: AbstractSet[str]) -> dict[str, dict[str, Times]]:
    """Return for each wanted rule how often wanted rules come in it, those inside of them aside.

    Rules that lead back to themselves are wanted in any case where a wanted one leads to them.
    """
    recursive = recursive_rules(grammar)
    names = {name: name for name in wanted | recursive}
    known = _known(grammar, names, recursive)
    found: dict[str, dict[str, Times]] = {}
    pending = [name for name in grammar.rules if name in wanted]
    while pending:
        name = pending.pop(0)
        if name not in found:
            found[name] = _inside(grammar.rules[name].body, names, known)
            pending.extend(found[name])
    return {name: found[name] for name in grammar.rules if name in found}


def fillings(grammar: Grammar, rule: str, fields: Mapping[str, str]) -> dict[str, Times]:
    """Return how often fields are filled by a rule that is not recursive, in their order.

    fields: the field that each rule fills; more than one may fill the same.
    """
    filling = {name: field for name, field in fields.items() if name != rule}
    known = _known(grammar, filling, recursive_rules(grammar))
    return _inside(grammar.rules[rule].body, filling, known)


def _known(
    grammar: Grammar, names: Mapping[str, str], recursive: AbstractSet[str]
) -> dict[str, dict[str, Times]]:
    known: dict[str, dict[str, Times]] = {}
    for name in innermost_first(grammar, recursive):
        if name not in names:
            known[name] = _inside(grammar.rules[name].body, names, known)
    return known


def _inside(
    node: Node, names: Mapping[str, str], known: Mapping[str, dict[str, Times]]
) -> dict[str, Times]:
    match node:
        case Ref(name):
            return {names[name]: (1, 1)} if name in names else known[name]
        case Seq(items):
            return _together(_inside(item, names, known) for item in items)
        case Alt(items):
            return _either([_inside(item, names, known) for item in items])
        case Rep(item, low, high):
            inside = _inside(item, names, known).items()
            most = MANY if high is None else high
            return {name: (min(a * low, MANY), min(b * most, MANY)) for name, (a, b) in inside}
        case _:
            return {}


def _together(parts: Iterable[Mapping[str, Times]]) -> dict[str, Times]:
    found: dict[str, Times] = {}
    for part in parts:
        for name, (low, high) in part.items():
            a, b = found.get(name, (0, 0))
            found[name] = min(a + low, MANY), min(b + high, MANY)
    return found


def _either(ways: Sequence[Mapping[str, Times]]) -> dict[str, Times]:
    """Return what is in any of the ways; what is not in all of them may be there no time."""
    found: dict[str, Times] = {}
    holding: Counter[str] = Counter()
    for way in ways:
        holding.update(way.keys())
        for name, (low, high) in way.items():
            a, b = found.get(name, (low, high))
            found[name] = min(a, low), max(b, high)
    return {
        name: (low if holding[name] == len(ways) else 0, high)
        for name, (low, high) in found.items()
    }
