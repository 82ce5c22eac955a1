"""The choices of a grammar: alternatives, numbers of repetitions, ends of ranges; and where.

A rule with all its references unfolded is a tree; a spot is a choice at one place of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance.sources import source_of
from uriparse.conformance.too_large import too_large

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.sources import Source
    from uriparse.grammar.derivation import Expression

MAX_SPOTS: Final = 1_000_000
"""Choices beyond which a rule is refused; those that are shipped come to 23,000 at most."""


class Spot(NamedTuple):
    """A choice: alternative, number of repetitions or code point, taken at a place in a rule.

    way: which part, from the expression of the start rule downwards; a reference has one part.
    choice: what to choose there.
    home: the rule that the place is in, and the way from that rule's expression.
    """

    way: tuple[int, ...]
    choice: int
    home: tuple[str, tuple[int, ...]]


def spots(rule: str = "URI", grammar: str | Source = "rfc3986") -> tuple[Spot, ...]:
    """Name all choices that derivations of a rule can come to.

    UnknownRuleError if there is no such rule; NotRegularError for one that leads back to itself,
    RuleTooLargeError for one that comes to more than `MAX_SPOTS`.

    >>> [spot.choice for spot in spots("h16")][:4]
    [1, 2, 3, 4]
    """
    source = source_of(grammar)
    return _spots(source, source.rule_name(rule))


@lru_cache(maxsize=256)
def _spots(source: Source, rule: str) -> tuple[Spot, ...]:
    known = source.expressions
    source.automaton(rule)  # which refuses what would never come to an end

    def unfold(
        expression: Expression, way: tuple[int, ...], home: str, start: int
    ) -> Iterator[Spot]:
        for choice in choices(expression):
            yield Spot(way, choice, (home, way[start:]))
        match expression:
            case ("ref", str(name)):
                yield from unfold(known[name], (*way, 0), name, len(way) + 1)
            case _:
                for number, part in enumerate(parts(expression)):
                    yield from unfold(part, (*way, number), home, start)

    found = tuple(islice(unfold(known[rule], (), rule, 0), MAX_SPOTS + 1))
    if len(found) > MAX_SPOTS:
        raise too_large(f"{rule} comes to more than {MAX_SPOTS:,} choices", rule, source)
    return found


def parts(expression: Expression) -> tuple[Expression, ...]:
    """Give the direct parts of an expression; a reference has none."""
    match expression:
        case ("seq" | "alt", tuple(items)):
            return items
        case ("rep", tuple(item), _, _):
            return (item,)
        case _:
            return ()


def choices(expression: Expression) -> list[int]:
    """List what can be chosen at an expression: bounds, and what lies beside them.

    >>> choices(("rep", ("ref", "HEXDIG"), 1, -1))
    [1, 2, 3, 8]
    """
    match expression:
        case ("chars", tuple(ranges)):
            return sorted({end for span in ranges for end in span})
        case ("alt", tuple(items)):
            return list(range(len(items)))
        case ("rep", _, int(low), -1):
            return [low, low + 1, low + 2, low + 7]
        case ("rep", _, int(low), int(high)):
            return sorted({low, min(low + 1, high), max(high - 1, low), high})
        case _:
            return []
