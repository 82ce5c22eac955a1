"""What a grammar can do without wherever it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import spend
from abnf2lark.reading.ir import Alt, Ref, Rep, children, references

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.reading.ir import Node


def optional_names(rules: Mapping[str, Node], starts: Iterable[str]) -> frozenset[str]:
    """Return the rules and tokens that can be left out of a text, each where it stands."""
    found = rules.keys() | {ref.name for body in rules.values() for ref in references(body)}
    found -= {*starts}
    while True:
        needed: set[str] = set()
        spend(len(rules))
        for name, body in rules.items():
            _find_needed(body, needed, without=name in found)
        if found.isdisjoint(needed):
            return frozenset(found)
        found -= needed


def _find_needed(node: Node, needed: set[str], *, without: bool) -> None:
    """Find what cannot be left out of an expression; ``without``: it can be, as a whole."""
    match node:
        case Ref(name):
            if not without:
                needed.add(name)
        case Rep(item, low):
            _find_needed(item, needed, without=low == 0 or (without and low == 1))
        case Alt(items):
            for item in items:
                _find_needed(item, needed, without=without)
        case _:
            for item in children(node):
                _find_needed(item, needed, without=False)
