"""The terminals of a component grammar: the order in which rules come to them, and their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Nfa
from abnf2lark.reading.ir import references

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet, Language
    from abnf2lark.lark_grammars.components import Components


def written_order(components: Components, start: str) -> list[str]:
    """Return the terminals in the order in which the rules first come to them."""
    seen: dict[str, None] = {}
    visited: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name in components.terminals:
            seen.setdefault(name)
        elif name not in visited:
            visited.add(name)
            inner = [ref.name for ref in references(components.rules[name])]
            pending.extend(reversed(inner))
    return list(seen)


def terminal_languages(components: Components, alphabet: Alphabet) -> dict[str, Language]:
    """Return the words of every terminal."""
    found: dict[str, Language] = {}
    for name, terminal in components.terminals.items():
        nfa = Nfa()
        start = nfa.state()
        end = nfa.add(terminal.node, start, {}, alphabet)
        found[name] = nfa.language(start, {end}, alphabet.size)
    return found
