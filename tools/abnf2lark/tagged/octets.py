"""Carry an automaton over from characters to the octets of UTF-8.

A character of several octets is read by as many edges; the last of them acts, as many octets back
as lead up to it, since before it the character may still be one of several.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import SURROGATES
from abnf2lark.tagged.machine import IDLE, Act, Row, Step, Tagged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.automata import Alphabet

Octets: TypeAlias = "tuple[tuple[int, int], ...]"  # the first and last of each octet
_Way: TypeAlias = "tuple[Octets, tuple[int, Act]]"  # what is left to read, and its end
_LENGTHS = (
    (0, 0x7F),
    (0x80, 0x7FF),
    (0x800, SURROGATES.start - 1),
    (SURROGATES.stop, 0xFFFF),
    (0x10000, 0x10FFFF),
)


def over_octets(made: Tagged, alphabet: Alphabet) -> Tagged:
    """Return the same automaton over octets; its first states are the same."""
    spans = [
        [octets for low, high in alphabet.chars([label]).ranges for octets in spelled(low, high)]
        for label in range(alphabet.size)
    ]
    rows: list[Row] = [{} for _ in made.rows]
    between: dict[tuple[frozenset[_Way], int], int] = {}

    def row_of(ways: frozenset[_Way], depth: int) -> Row:
        rests: dict[int, set[_Way]] = {}
        row: Row = {}
        for (here, *rest), leaf in ways:
            for octet in range(here[0], here[1] + 1):
                if rest:
                    rests.setdefault(octet, set()).add((tuple(rest), leaf))
                else:
                    target, act = leaf
                    row[octet] = Step(target, act._replace(back=depth * bool(act.notes.places)))
        for octet, following in rests.items():
            row[octet] = Step(state_of(frozenset(following), depth + 1), IDLE)
        return row

    def state_of(ways: frozenset[_Way], depth: int) -> int:
        key = ways, depth  # how far an act goes back hangs on the depth
        if key not in between:
            between[key] = len(rows)
            rows.append({})
            rows[between[key]] = row_of(ways, depth)
        return between[key]

    for state, row in enumerate(made.rows):
        steps = [(spans[label], (step.target, step.act)) for label, step in row.items()]
        ways = frozenset((octets, leaf) for boxes, leaf in steps for octets in boxes)
        rows[state] = row_of(ways, 0)
    ends = made.ends + [None] * (len(rows) - len(made.rows))
    return Tagged(made.starts, rows, ends)


@cache
def spelled(low: int, high: int) -> tuple[Octets, ...]:
    """Return how UTF-8 spells a range of characters; surrogates, which it cannot spell, left out.

    >>> [[f"{a:X}-{b:X}" for a, b in octets] for octets in spelled(0xC0, 0x17F)]
    [['C3-C5', '80-BF']]
    """
    found: list[Octets] = []
    for least, most in _LENGTHS:
        if low <= most and high >= least:
            found += _split(chr(max(low, least)).encode(), chr(min(high, most)).encode())
    return tuple(found)


def _split(first: bytes, last: bytes) -> Iterator[Octets]:
    """Yield the boxes of octets that make up a range of words of one length."""
    if len(first) == 1:
        yield ((first[0], last[0]),)
        return
    rest = len(first) - 1
    least, most = b"\x80" * rest, b"\xbf" * rest
    if first[0] == last[0]:
        for octets in _split(first[1:], last[1:]):
            yield ((first[0], first[0]), *octets)
        return
    low, high = first[0], last[0]
    if first[1:] != least:
        for octets in _split(first[1:], most):
            yield ((low, low), *octets)
        low += 1
    if last[1:] != most:
        high -= 1
    if low <= high:
        yield ((low, high), *[(0x80, 0xBF)] * rest)
    if last[1:] != most:
        for octets in _split(least, last[1:]):
            yield ((last[0], last[0]), *octets)
