"""Choose expressions whose time is linear: the grammar's own, or such as automata are read as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import TooLargeError
from abnf2lark.patterns.backtracking import backtracking
from abnf2lark.patterns.of_automata import read_anew
from abnf2lark.patterns.passes import has_capture, optimize
from abnf2lark.reading.ir import children, rebuild

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.patterns.backtracking import Backtracking
    from abnf2lark.reading.ir import Node


class NotLinearError(Exception):
    """No expression is known that matches in linear time; ``why`` says what is wrong with one."""

    def __init__(self, why: Backtracking) -> None:
        super().__init__(str(why))
        self.why = why


def linear(node: Node, alphabet: Alphabet) -> Node:
    """Return an expression of linear time with the same words and captures.

    Raises :class:`NotLinearError` where none is found.
    """
    found = _mended(node, alphabet)
    why = backtracking(found)
    if why is not None:
        raise NotLinearError(why)
    return found


def _mended(node: Node, alphabet: Alphabet) -> Node:
    """Put what an automaton is read as for the smallest parts that backtrack."""
    parts = children(node)
    if not parts or backtracking(node) is None:
        return node
    node = rebuild(node, [_mended(part, alphabet) for part in parts])
    why = backtracking(node)
    if has_capture(node) or why is None or not why.text:
        return node
    try:
        made = read_anew(node, alphabet)
    except TooLargeError:
        return node
    return next((way for way in (optimize(made), made) if backtracking(way) is None), node)
