"""The shortest texts around a rule: what a start rule needs before and behind it."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Alt, Ref, Rep, Seq

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.lark_grammars.derivations import Derivations
    from abnf2lark.reading.ir import Node


def surroundings(derivations: Derivations, start: str) -> dict[str, tuple[str, str]]:
    """Return for each rule that a start leads to what stands around it in a shortest text."""
    found: dict[str, tuple[str, str]] = {}
    pending = [(0, start, "", "")]
    while pending:
        _, rule, before, behind = heapq.heappop(pending)
        if rule in found:
            continue
        found[rule] = before, behind
        for name, left, right in _inside(derivations, derivations.rules[rule]):
            if name not in found:
                around = before + left, right + behind
                heapq.heappush(pending, (sum(map(len, around)), name, *around))
    return found


def _inside(derivations: Derivations, node: Node) -> Iterator[tuple[str, str, str]]:
    """Yield the rules in an expression, with what it needs before and behind each."""
    match node:
        case Ref(name):
            if name in derivations.rules:
                yield name, "", ""
        case Seq(items):
            for place, item in enumerate(items):
                before = derivations.shortest(Seq(items[:place]))
                behind = derivations.shortest(Seq(items[place + 1 :]))
                if before is not None and behind is not None:
                    for name, left, right in _inside(derivations, item):
                        yield name, before + left, right + behind
        case Alt(items):
            for item in items:
                yield from _inside(derivations, item)
        case Rep(item, low):
            more = derivations.shortest(Rep(item, max(low - 1, 0), None))
            if more is not None:
                for name, left, right in _inside(derivations, item):
                    yield name, left, right + more
        case _:
            raise TypeError(node)
