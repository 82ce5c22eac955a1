"""Let a rule that ends with itself take in what comes behind it.

    array  = "[" values ws "]"               array   = "[" _values "]"
    values = ws val ws "," values      is    _values = ws val ws "," _values
           / ws val ws [ "," ]                       / ws val ws [ "," ] ws

A parser that sees white space behind a comma need not know yet whether another value comes, or the
end. What the rule stood for is no node then: its parts stand in the node around it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import (
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
)

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Rule

HIDDEN = "_"  # begins the names of rules that make no node


def absorbed(grammar: Grammar, name: str) -> Grammar | None:
    """Return the grammar in which a rule takes in what comes behind it; ``None`` if it cannot."""
    following: set[Node] = set()
    rules: dict[str, Rule] = {}
    own = grammar.rules[name]
    hidden = HIDDEN + name
    if name.startswith(HIDDEN) or hidden in grammar.rules or not _ends_with_itself(own.body, name):
        return None
    for rule in grammar.rules.values():
        if rule is not own:
            body = _taken_in(rule.body, name, hidden, following)
            if any(ref.name == name for ref in references(body)):
                return None
            rules[rule.name] = replace(rule, body=body)
    if len(following) != 1:
        return None
    body = _with_end(own.body, name, hidden, following.pop())
    if any(ref.name == name for ref in references(body)):
        return None
    rules[hidden] = replace(own, name=hidden, body=body)
    return Grammar(grammar.name, rules, grammar.own)


def _ends_with_itself(node: Node, name: str) -> bool:
    match node:
        case Ref(other):
            return other == name
        case Seq((*_, last)):
            return _ends_with_itself(last, name)
        case Alt(items):
            return any(_ends_with_itself(item, name) for item in items)
        case Rep(item, _, 1):
            return _ends_with_itself(item, name)
        case _:
            return False


def _taken_in(node: Node, name: str, hidden: str, following: set[Node]) -> Node:
    """Put the new rule in the place of the old one and what comes behind it there."""
    if not isinstance(node, Seq):
        parts = [_taken_in(part, name, hidden, following) for part in children(node)]
        return rebuild(node, parts) if parts else node
    made: list[Node] = []
    items = list(node.items)
    while items:
        item = items.pop(0)
        if items and item in (Ref(name), Rep(Ref(name), 0, 1)):
            behind = items.pop(0)
            following.add(behind)
            made.append(Ref(hidden) if item == Ref(name) else alt([Ref(hidden), behind]))
        else:
            made.append(_taken_in(item, name, hidden, following))
    return seq(made)


def _with_end(node: Node, name: str, hidden: str, end: Node) -> Node:
    """Return an expression for what there is with an end behind it."""
    match node:
        case Ref(other) if other == name:
            return Ref(hidden)
        case Alt(items):
            return alt([_with_end(item, name, hidden, end) for item in items])
        case Seq((*before, last)) if _ends_with_itself(last, name):
            return seq([*before, _with_end(last, name, hidden, end)])
        case Rep(item, 0, 1) if _ends_with_itself(item, name):
            return alt([_with_end(item, name, hidden, end), end])
        case _:
            return seq([node, end])
