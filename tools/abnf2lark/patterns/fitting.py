"""Make an expression one that an engine can take, exactly and however long a text is.

What stands in the way is changed where that keeps the language: lone surrogates, which stand in no
text and which most engines cannot even name, are left out, and loops that would have to give back
are read from an automaton anew. What cannot be changed is refused, with the reason and what to do
about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Language, TooLargeError
from abnf2lark.patterns.determinism import NO_CHARS, before, deterministic, inside
from abnf2lark.patterns.of_automata import read_anew
from abnf2lark.patterns.passes import optimize
from abnf2lark.reading.ir import (
    EMPTY,
    SURROGATES,
    Alt,
    Capture,
    Chars,
    Node,
    Rep,
    Seq,
    Text,
    alt,
    children,
    rebuild,
    seq,
)

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.patterns.flavours import Flavour

HALVES = Chars(((SURROGATES.start, SURROGATES.stop - 1),))
"""Lone surrogates, as a set."""


class UnfitError(Exception):
    """An engine cannot take an expression: why not, and what to do about it."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason}; {remedy}")
        self.reason = reason
        self.remedy = remedy


def fitted(node: Node, flavour: Flavour, alphabet: Alphabet) -> Node:
    """Return an expression for the same texts, those with lone surrogates left out.

    Raises :class:`UnfitError` for one that it could not take.
    """
    held = _without_surrogates(node)
    if held is None:
        raise UnfitError(
            "all its texts hold surrogates (U+D800 to U+DFFF), which stand in no text",
            "write code points, such as %x1F600",
        )
    node = held
    count = _highest_count(node, multiplied=flavour.multiplies_counts)
    if flavour.highest_count is not None and count > flavour.highest_count:
        nested = ", repetitions within repetitions multiplied" if flavour.multiplies_counts else ""
        most = f"{flavour.engine} to {flavour.highest_count} at most"
        raise UnfitError(
            f"it counts to {count}{nested}, and {most}",
            "write the repetition in parts, one behind the other",
        )
    if flavour.takes_stack:
        node = _possessive(node, NO_CHARS, alphabet)
        if _gives_back(node, NO_CHARS):
            raise UnfitError(
                f"a loop in it may have to give back what it took, for which {flavour.engine} keeps"
                " every turn, so that a long text would be more than it can hold",
                f"take the expression for {flavour.otherwise}",
            )
    return node


def without_surrogates(language: Language, alphabet: Alphabet) -> Language:
    """Leave out of a language the words with surrogates, which the alphabet has to tell apart."""
    halves = alphabet.classes(HALVES)
    edges = [
        {label: target for label, target in row.items() if label not in halves}
        for row in language.edges
    ]
    return Language(edges, language.final, language.size)


def _without_surrogates(node: Node) -> Node | None:
    """Leave out the words with surrogates; ``None`` if no word is left."""
    (low, high) = HALVES.ranges[0]
    match node:
        case Chars(ranges):
            kept = [(a, min(b, low - 1)) for a, b in ranges if a < low]
            kept += [(max(a, high + 1), b) for a, b in ranges if b > high]
            return Chars.of(kept) if kept else None
        case Text(value):
            return None if any(low <= ord(char) <= high for char in value) else node
        case Seq(items):
            parts = [_without_surrogates(item) for item in items]
            full = [part for part in parts if part is not None]
            return seq(full) if len(full) == len(parts) else None
        case Alt(items):
            ways = [part for item in items if (part := _without_surrogates(item)) is not None]
            return alt(ways) if ways else None
        case Rep(item, least, most):
            part = _without_surrogates(item)
            if part is None:
                return None if least else EMPTY
            return Rep(part, least, most)
        case Capture(rule, item):
            part = _without_surrogates(item)
            return None if part is None else Capture(rule, part)
        case _:
            raise TypeError(node)


_UNCOUNTED = {(0, None), (1, None), (0, 1)}


def _highest_count(node: Node, *, multiplied: bool) -> int:
    """Return the highest number that stands in a repetition."""
    below = max((_highest_count(part, multiplied=multiplied) for part in children(node)), default=1)
    if not isinstance(node, Rep) or (node.low, node.high) in _UNCOUNTED:
        return below
    count = node.low if node.high is None else node.high
    return max(count, 1) * below if multiplied else max(count, below)


def _gives_back(node: Node, follow: Chars) -> bool:
    """Tell whether a loop without end, over more than a set, is not decided by what comes next."""
    match node:
        case Seq(items):
            for item in reversed(items):
                if _gives_back(item, follow):
                    return True
                follow = before(item, follow)
            return False
        case Alt(items):
            return any(_gives_back(item, follow) for item in items)
        case Rep(item, _, high):
            endless = high is None and not isinstance(item, Chars)
            if endless and not deterministic(node, follow):
                return True
            return _gives_back(item, inside(node, follow))
        case _:
            return False


def _possessive(node: Node, follow: Chars, alphabet: Alphabet) -> Node:
    """Put what an automaton is read as for the smallest parts with loops that give back."""
    if not _gives_back(node, follow):
        return node
    found: list[Node] = []
    behind = inside(node, follow) if isinstance(node, Rep) else follow
    for part in reversed(children(node)):
        found.append(_possessive(part, behind, alphabet))
        if isinstance(node, Seq):
            behind = before(part, behind)
    node = rebuild(node, found[::-1])
    if not _gives_back(node, follow):
        return node
    try:
        made = read_anew(node, alphabet)
    except TooLargeError:
        return node
    return next((way for way in (optimize(made), made) if not _gives_back(way, follow)), node)
