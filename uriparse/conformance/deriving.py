"""Words of a rule, derived at random from its grammar: by any choices, or through one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from uriparse.conformance.sources import source_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

    from uriparse.conformance.sources import Source
    from uriparse.conformance.spots import Spot
    from uriparse.grammar.derivation import Expression

SHORT: Final = 40
"""Characters from which on a derivation takes the shortest way out."""

_MORE: Final = 0.6
"""The chance of one more repetition where there is no bound."""


class Deriver:
    """Derives words of the rules of one grammar.

    Attributes:
        at: where in the last word the spot is that it was aimed at.

    """

    def __init__(self, grammar: str | Source, chance: random.Random) -> None:
        self._source = source_of(grammar)
        self._rules: Mapping[str, Expression] = self._source.expressions
        self._chance = chance
        self._shortest: dict[str, int] = {}
        self.at = self._written = self._choice = 0

    def word(self, rule: str, aim: Spot | None = None) -> str:
        """Derive a word of a rule, through a spot if one is given."""
        self.at = self._written = 0
        self._choice = aim.choice if aim is not None else 0
        way = aim.way if aim is not None else None
        return "".join(self._write(self._rules[self._source.rule_name(rule)], way))

    def _write(self, expression: Expression, way: tuple[int, ...] | None) -> Iterator[str]:
        """Derive an expression; `way` leads from it to the spot, None leads to none."""
        here = way == ()
        if here:
            self.at = self._written
        rest = way[1:] if way else None
        match expression:
            case ("chars", tuple(ranges)):
                self._written += 1
                yield chr(self._choice) if here else self._character(ranges)
            case ("text", str(value)):
                self._written += len(value)
                yield value
            case ("ref", str(name)):
                yield from self._write(self._rules[name], rest)
            case ("seq", tuple(items)):
                for number, item in enumerate(items):
                    yield from self._write(item, rest if way and way[0] == number else None)
            case ("alt", tuple(items)):
                number = self._alternative(items)
                if way is not None:
                    number = self._choice if here else way[0]
                yield from self._write(items[number], rest)
            case ("rep", tuple(item), int(low), int(high)):
                count = self._choice if here else self._count(max(low, 1) if way else low, high)
                bearer = self._chance.randrange(count) if way else None
                for number in range(count):
                    yield from self._write(item, rest if number == bearer else None)

    def _character(self, ranges: tuple[tuple[int, int], ...]) -> str:
        low, high = self._chance.choice(ranges)
        return chr(self._chance.choice((low, high, self._chance.randint(low, high))))

    def _alternative(self, items: tuple[Expression, ...]) -> int:
        if self._written < SHORT:
            return self._chance.randrange(len(items))
        return min(range(len(items)), key=lambda number: self._least(items[number]))

    def _count(self, least: int, high: int) -> int:
        if self._written >= SHORT:
            return least
        if high >= 0:
            return self._chance.randint(least, high)
        count = least
        while self._chance.random() < _MORE:
            count += 1
        return count

    def _least(self, expression: Expression) -> int:
        """Give the length of the shortest word of an expression."""
        match expression:
            case ("chars", _):
                return 1
            case ("text", str(value)):
                return len(value)
            case ("ref", str(name)):
                if name not in self._shortest:
                    self._shortest[name] = self._least(self._rules[name])
                return self._shortest[name]
            case ("alt", tuple(items)):
                return min(map(self._least, items))
            case ("rep", tuple(item), int(low), _):
                return low * self._least(item) if low else 0
            case _:
                return sum(map(self._least, cast("tuple[Expression, ...]", expression[1])))
