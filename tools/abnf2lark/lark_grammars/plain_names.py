"""Give start rules the names that a user knows them by.

A start rule that is a leaf inside other rules, too, has been cut in two: it is the one that stands
for a whole text that users name, and whose tokens they see as such.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.components import ALONE, INSIDE, Components
from abnf2lark.reading.ir import Node, Ref, children, rebuild

if TYPE_CHECKING:
    from collections.abc import Container, Mapping


def with_plain_names(found: Components) -> Components:
    """Return the components with the plain name for a start, another for what is inside."""
    names: dict[str, str] = {}
    for lark in found.starts.values():
        if lark.endswith(ALONE):
            plain = lark.removesuffix(ALONE)
            names |= {lark: plain, plain: plain + INSIDE}
            names[plain.upper()] = _free(plain.upper(), found.terminals)
            names[lark.upper()] = plain.upper()
    return renamed(found, names) if names else found


def renamed(found: Components, names: Mapping[str, str]) -> Components:
    """Return the components with other names for some of their rules and terminals."""
    return Components(
        {names.get(name, name): renamed_node(body, names) for name, body in found.rules.items()},
        {
            names.get(name, name): replace(terminal, name=names.get(name, name))
            for name, terminal in found.terminals.items()
        },
        {names.get(name, name): abnf for name, abnf in found.abnf_names.items()},
        {abnf: names.get(name, name) for abnf, name in found.starts.items()},
        {names.get(name, name): number for name, number in found.priorities.items()},
    )


def _free(name: str, taken: Container[str]) -> str:
    number = 2
    while f"{name}__{number}" in taken:
        number += 1
    return f"{name}__{number}"


def renamed_node(node: Node, names: Mapping[str, str]) -> Node:
    """Return an expression with other names for what it refers to."""
    if isinstance(node, Ref):
        return Ref(names.get(node.name, node.name))
    parts = children(node)
    return rebuild(node, [renamed_node(part, names) for part in parts]) if parts else node
