"""The shortest texts of rules, recursive or not, and how long those of any expression are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from abnf2lark import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDLESS = 1 << 60
"""The length of what derives no text."""


def shortest_lengths(grammar: ir.Grammar) -> dict[str, int]:
    """Return how many characters the shortest text of each rule has.

    Rules are looked at again as long as one of them becomes shorter; each can do so no more often
    than there are rules.
    """
    found: dict[str, int] = dict.fromkeys(grammar.rules, ENDLESS)
    users: dict[str, set[str]] = {name: set() for name in grammar.rules}
    for name, rule in grammar.rules.items():
        for ref in ir.references(rule.body):
            users[ref.name].add(name)
    pending = dict.fromkeys(reversed(grammar.rules))
    while pending:
        name, _ = pending.popitem()
        length = least(grammar.rules[name].body, found)
        if length < found[name]:
            found[name] = length
            pending.update(dict.fromkeys(users[name]))
    return found


def least(node: ir.Node, known: Mapping[str, int]) -> int:
    """Return how many characters the shortest text of an expression has."""
    match node:
        case ir.Chars():
            return 1
        case ir.Text(value):
            return len(value)
        case ir.Ref(name):
            return known[name]
        case ir.Alt(items):
            return min(least(item, known) for item in items)
        case ir.Rep(item, low):
            return min(least(item, known) * low, ENDLESS) if low else 0
        case _:
            return min(sum(least(part, known) for part in ir.children(node)), ENDLESS)


def written(chars: ir.Chars) -> str:
    """Return the character that a person would write for a set: as the grammar does, if it does."""
    if chars.literal is not None:
        return chars.literal.value[chars.literal.place]
    codes = [low for low, _ in chars.ranges]
    letters = [code for code in codes if chr(code).isascii() and chr(code).islower()]
    visible = [code for code in codes if chr(code).isprintable()]
    return chr(next(iter([*letters, *visible, *codes])))


def shortest_text(grammar: ir.Grammar, rule: str, known: Mapping[str, int]) -> str:
    """Return a shortest text of a rule; the first of the alternatives that are equally short."""
    return "".join(_parts(grammar, grammar.rules[rule].body, known))


def _parts(grammar: ir.Grammar, node: ir.Node, known: Mapping[str, int]) -> Iterator[str]:
    pending = [node]
    while pending:
        match pending.pop():
            case ir.Chars() as chars:
                yield written(chars)
            case ir.Text(value):
                yield value
            case ir.Ref(name):
                pending.append(grammar.rules[name].body)
            case ir.Alt(items):
                pending.append(min(items, key=lambda item: least(item, known)))
            case ir.Rep(item, low):
                pending += [item] * low
            case other:
                pending += reversed(ir.children(other))
