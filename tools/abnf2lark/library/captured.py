"""Which rules are worth a field of a record, where nobody says which are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from abnf2lark import ir


def captured_rules(grammar: ir.Grammar, nodes: AbstractSet[str]) -> frozenset[str]:
    """Return the rules that are nodes of trees, with operators and without punctuation.

    An operator is a rule of one of several signs that stands in a sequence, punctuation one that
    has the same signs in each of its texts, but for blanks.
    """
    fixed = _fixed(grammar)
    punctuation = {name for name, text in fixed.items() if text and _are_signs(text)}
    return frozenset(nodes - punctuation) | _operators(grammar)


def _operators(grammar: ir.Grammar) -> frozenset[str]:
    in_sequence = {
        item.name
        for rule in grammar.rules.values()
        for part in ir.walk(rule.body)
        if isinstance(part, ir.Seq)
        for item in part.items
        if isinstance(item, ir.Ref)
    }
    return frozenset(name for name in in_sequence if _is_one_of_signs(grammar.rules[name].body))


def _is_one_of_signs(node: ir.Node) -> bool:
    ways = ir.children(node) if isinstance(node, ir.Alt) else (node,)
    chars = [span for one in ways if isinstance(one, ir.Chars) for span in one.ranges]
    return (
        all(isinstance(one, ir.Chars) for one in ways)
        and len(chars) > 1
        and all(low == high for low, high in chars)
        and _are_signs(chr(low) for low, _ in chars)
    )


def _are_signs(chars: Iterable[str]) -> bool:
    return all(char.isprintable() and not char.isalnum() for char in chars)


def _fixed(grammar: ir.Grammar) -> dict[str, str]:
    """Return the rules all texts of which are one, blanks aside, and that text."""
    blank = ir.blank_rules(grammar)
    found = dict.fromkeys(blank, "")
    grown = True
    while grown:
        grown = False
        for name, rule in grammar.rules.items():
            if name not in found and (text := _text(rule.body, found)) is not None:
                found[name] = text
                grown = True
    return found


def _text(node: ir.Node, known: dict[str, str]) -> str | None:
    match node:
        case ir.Chars(((low, high),)) if low == high:
            return chr(low).strip()
        case ir.Text(value):
            return value.strip()
        case ir.Ref(name):
            return known.get(name)
        case ir.Seq(items):
            parts = [_text(item, known) for item in items]
            return "".join(filter(None, parts)) if None not in parts else None
        case ir.Rep(item):
            return "" if _text(item, known) == "" else None
        case _:
            return None
