"""Find coarser trees for which a grammar is LALR, as advice to who wants the faster parser.

Where the proof fails at some rules, the nodes right above them are made leaves, which hold text
and no structure; so step by step until a proof is found or there is nothing to coarsen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import TooLargeError, limited, spend
from abnf2lark.lark_grammars.component_grammar import NotLalrError, lalr_grammar
from abnf2lark.reading.ir import references

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar

MAX_STEPS = 3_000_000  # of automata; about 3 seconds
MAX_TRIES = 12


def coarser_leaves(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    culprits: Iterable[str],
) -> tuple[str, ...]:
    """Return rules that, as leaves, make the grammar LALR, in its order; empty if none are found.

    ``culprits`` are the rules at which the proof has failed with the given nodes and leaves.
    """
    added: frozenset[str] = frozenset()
    try:
        with limited(MAX_STEPS):
            for _ in range(MAX_TRIES):
                more = _above(grammar, frozenset(starts), nodes | leaves, leaves | added, culprits)
                if not more:
                    return ()
                added |= more
                failed = _failed(grammar, starts, nodes, leaves | added)
                if failed is None:
                    added = _fewest(grammar, starts, nodes, leaves, added)
                    return tuple(name for name in grammar.rules if name in added)
                culprits = failed
    except (RecursionError, TooLargeError):  # an expression that is nested too deeply, or long
        pass
    return ()


def _fewest(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    added: frozenset[str],
) -> frozenset[str]:
    """Take back what is not needed, one rule after the other."""
    for name in grammar.rules:
        fewer = added - {name}
        if name in added and fewer and _failed(grammar, starts, nodes, leaves | fewer) is None:
            added = fewer
    return added


def _failed(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> tuple[str, ...] | None:
    """Return the rules at which the proof fails; ``None`` if it does not."""
    try:
        lalr_grammar(grammar, starts, nodes - leaves, leaves)
    except NotLalrError as error:
        return error.rules
    return None


def _above(
    grammar: Grammar,
    starts: frozenset[str],
    kept: frozenset[str],
    leaves: frozenset[str],
    culprits: Iterable[str],
) -> frozenset[str]:
    """Return the nodes to make leaves of: culprits with nodes inside, else the nodes above them."""
    inside: dict[str, set[str]] = {}
    found: set[str] = set()
    for name in culprits:
        if not inside:  # it takes long in large grammars
            inside = {name: _nodes_inside(grammar, name, kept) for name in grammar.rules}
        if name in kept and name not in leaves and inside.get(name):
            found.add(name)
        else:
            found |= {other for other in kept if name in inside[other]}
    return frozenset(found - starts - leaves)


def _nodes_inside(grammar: Grammar, name: str, kept: frozenset[str]) -> set[str]:
    """Return the nodes right below a rule: those reached without passing through another."""
    found: set[str] = set()
    seen: set[str] = set()
    pending = [name]
    while pending:
        spend(1)
        for ref in references(grammar.rules[pending.pop()].body):
            if ref.name in kept:
                found.add(ref.name)
            elif ref.name not in seen:
                seen.add(ref.name)
                pending.append(ref.name)
    return found
