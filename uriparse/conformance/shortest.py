"""A short text for each choice of a rule: one whose first derivation comes to it.

Some choices no text comes to, since an earlier one always takes its place. What is not easily found
is searched for by walking all that derivations can do: first from the end backwards, to all rows;
then from the beginning of any text to each position that is come to with each row before it.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance.likely import likely_texts
from uriparse.conformance.unfolding import BEGIN, END

MOST_ROWS: Final = 2_000
"""Rows from which the search goes out; those of a URI are 510."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.derivations import Derivations, Row


class _Node(NamedTuple):
    """A derivation under way; those of the shortest texts come first.

    length: of the whole text.
    number: makes nodes comparable.
    text: what has been read.
    position: what has been come to.
    row: the row of the rest.
    choices: those made on the last step, as bits.
    """

    length: int
    number: int
    text: str
    position: int
    row: Row
    choices: int


def shortest_texts(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Give a short text for each of some choices, given as bits, by its number.

    Those that no text comes to are not there; nor are those for which none is found, where there
    are more than `MOST_ROWS` rows. What the derivations have touched is not changed.
    """
    found = likely_texts(derivations, wanted)
    left = wanted & ~sum(1 << number for number in found)
    return found | _searched(derivations, left) if left else found


def _searched(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Walk all that derivations can do until each choice is found, or the walk is at its end."""
    rests, before = _rows(derivations)
    samples, alike = derivations.alphabet.samples, _alike(derivations)
    found: dict[int, str] = {}
    possible = derivations.unfolding.choices_by_reading
    starts = [row for row in rests if derivations.can_follow(BEGIN, row)]
    pending = [
        _Node(len(rests[row]), number, "", BEGIN, row, 0) for number, row in enumerate(starts)
    ]
    heapify(pending)
    count = len(pending)
    least: dict[tuple[int, Row], int] = {}
    done: set[tuple[int, Row]] = set()
    while pending and wanted:
        _, _, text, position, row, choices = heappop(pending)
        follower = derivations.next(position, row)
        gained = (choices | follower.choices) & wanted
        for number in _bits(gained):
            found[number] = text + rests[row]
        wanted &= ~gained
        here = follower.position
        if here == END or (here, row) in done:
            continue
        done.add((here, row))
        told = wanted & possible[here]
        for first, rest in before.get(row, ()):
            if not derivations.can_follow(here, rest):
                continue
            length = len(text) + 1 + len(rests[rest])
            for label in alike[first] if told else (first,):
                made = derivations.reads(here, label)
                if made is None:
                    break
                if made & told or length < least.get((here, rest), length + 1):
                    least[here, rest] = min(length, least.get((here, rest), length))
                    count += 1
                    longer = text + samples[label]
                    heappush(pending, _Node(length, count, longer, here, rest, made))
    return found


def _bits(choices: int) -> Iterator[int]:
    while choices:
        lowest = choices & -choices
        choices ^= lowest
        yield lowest.bit_length() - 1


def _rows(
    derivations: Derivations,
) -> tuple[dict[Row, str], dict[Row, list[tuple[str, Row]]]]:
    """Give all rows with a shortest rest of a text each, and what can be read to come from them.

    Of the labels that the same positions read, it is the first that is given.
    """
    rests = {derivations.last: ""}
    before: dict[Row, list[tuple[str, Row]]] = {derivations.last: []}
    order = [derivations.last]
    firsts = _alike(derivations)
    for row in order:
        if len(order) > MOST_ROWS:
            break
        for label in firsts:
            longer = row[label]
            if not longer.live:
                continue
            before.setdefault(longer, []).append((label, row))
            if longer not in rests:
                rests[longer] = derivations.alphabet.samples[label] + rests[row]
                order.append(longer)
    return rests, before


def _alike(derivations: Derivations) -> dict[str, list[str]]:
    """Give the labels that the same positions read by the first of them, readable ones first."""
    samples = derivations.alphabet.samples
    order = sorted(samples, key=lambda label: (not samples[label].islower(), samples[label]))
    together: dict[str, list[str]] = {}
    for label in order:
        together.setdefault(derivations.alike[label], []).append(label)
    return {labels[0]: labels for labels in together.values()}
