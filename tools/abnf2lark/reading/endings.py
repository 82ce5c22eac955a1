"""Find the rules that no text can match, since they lead back to themselves whatever is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Alt, Ref, Rep, Seq, references, rules_that
from abnf2lark.reading.loops import shown
from abnf2lark.reading.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from abnf2lark.reading.ir import Grammar, Node
    from abnf2lark.reading.problems import Source


def endless(source: Source, grammar: Grammar) -> Iterator[Problem]:
    """Report own rules that no text can match, since they never come to an end."""
    ending = rules_that(grammar, _ends)
    toward = {
        name: next(ref.name for ref in references(rule.body) if ref.name not in ending)
        for name, rule in grammar.rules.items()
        if name not in ending
    }
    loops = _loops_ahead(toward)
    for rule in (grammar.rules[name] for name in grammar.own):
        if rule.name in loops:
            loop = shown(loops[rule.name])
            text = f'"{rule.name}" matches nothing: it never ends, {loop}'
            yield Problem(source, rule.position, "endless", text)


def _ends(node: Node, ending: AbstractSet[str]) -> bool:
    """Tell whether some text matches ``node``, given the rules that some text matches."""
    match node:
        case Ref(name):
            return name in ending
        case Seq(items):
            return all(_ends(item, ending) for item in items)
        case Alt(items):
            return any(_ends(item, ending) for item in items)
        case Rep(item, low):
            return low == 0 or _ends(item, ending)
        case _:
            return True


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
