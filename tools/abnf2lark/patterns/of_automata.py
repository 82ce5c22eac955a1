"""Read an automaton as an expression.

Every text takes one way through a deterministic automaton, and one through the expression too: so
that expression does not backtrack much, whatever the grammar's own one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Nfa, TooLargeError, spend
from abnf2lark.reading.elimination import END, START, Arrows, expression
from abnf2lark.reading.ir import EMPTY, walk

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet, Language
    from abnf2lark.reading.ir import Node

MAX_STATES = 200
MAX_NODES = 4_000


def of_language(language: Language, alphabet: Alphabet) -> Node:
    """Return an expression for a language.

    Raises :class:`TooLargeError` where it would be too long to be of use, or there is none.
    """
    if len(language) > MAX_STATES:
        raise TooLargeError
    arrows: Arrows = {START: {0: EMPTY}}
    for state, row in enumerate(language.edges):
        goals: dict[int, set[int]] = {}
        for label, target in row.items():
            goals.setdefault(target, set()).add(label)
        arrows[state] = {target: alphabet.chars(labels) for target, labels in goals.items()}
        if state in language.final:
            arrows[state][END] = EMPTY
    found = expression(arrows, _small)
    if found is None:
        raise TooLargeError
    return found


def read_anew(node: Node, alphabet: Alphabet) -> Node:
    """Return the expression that the automaton of another one is read as.

    Raises :class:`TooLargeError` as :func:`of_language` does.
    """
    nfa = Nfa()
    start = nfa.state()
    end = nfa.add(node, start, {}, alphabet)
    return of_language(nfa.language(start, {end}, alphabet.size), alphabet)


def _small(arrows: Arrows) -> None:
    size = sum(1 for row in arrows.values() for node in row.values() for _ in walk(node))
    spend(size)
    if size > MAX_NODES:
        raise TooLargeError
