"""Words of a grammar, derived at random from its rules, and ways to spoil them by one character.

A derivation can be aimed at a spot: one alternative, one number of repetitions, or one end of a
character range. `words` aims at every spot that a rule leads to, each in its turn, so that nothing
in a grammar is left to chance; what lies off the way to the spot is random.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from abnf2lark.config import Bundle, load_bundles
from abnf2lark.ir import (
    Alt,
    Chars,
    Grammar,
    Node,
    Ref,
    Rep,
    Seq,
    Text,
    children,
    reachable,
    references,
    walk,
)

SHORT = 40  # characters, from which on a derivation takes the shortest way out
MORE = 0.6  # chance of one more repetition where there is no bound

CONTROLS = "\x00\t\n\v\f\r\x1b\x1f\x7f\x85\x9f"
DELIMITERS = "%[]@:/?#&=+;,.-~!$'()* \\^`{|}<>\""
# Digits, letters and slashes of other scripts; long s and the Kelvin sign, which fold to ASCII;
# invisible characters; private use, noncharacters, a lone surrogate; the first and last of planes.
FOREIGN = (
    "\xa0\xadé٣³Ａａ／．：\u017f\u212aßİı\u200b\u200e\u202e\u2028\ufeff"
    "\ue000\uf8ff\ufdd0\ufffe\uffff\ud800\udfff\U00010000\U000e0001\U000f0000\U0010ffff"
)
HOSTILE = CONTROLS + DELIMITERS + FOREIGN


@cache
def bundles() -> dict[str, Bundle]:
    """Read all grammars as the compiler does."""
    return load_bundles(Path(__file__).parents[2] / "grammar")


def grammar(name: str) -> Grammar:
    """Give the rules of a grammar."""
    return bundles()[name].grammar


@cache
def reach(name: str) -> dict[str, frozenset[str]]:
    """Tell which rules each rule of a grammar leads to, itself included."""
    rules = grammar(name)
    return {rule: frozenset(reachable(rules, [rule])) for rule in rules.rules}


@dataclass(frozen=True)
class Spot:
    """A choice: alternative, number of repetitions or code point, taken at a place in a rule."""

    rule: str
    path: tuple[int, ...]  # which child, from the rule's body downwards
    choice: int


class Deriver:
    """Derives words of the rules of one grammar."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.rules = grammar(name).rules
        self.reach = reach(name)
        self.chance = chance
        self.shortest: dict[str, int] = {}
        self.left = 0

    def word(self, rule: str, aim: Spot | None = None) -> str:
        """Derive a word of a rule, through a spot if one is given."""
        self.left = SHORT
        return "".join(self._write(self.rules[rule].body, rule, (), aim))

    def spots(self, rule: str) -> Iterator[Spot]:
        """Name all choices that derivations of a rule can come to."""
        for name in sorted(self.reach[rule]):
            for path, node in places(self.rules[name].body):
                for choice in choices(node):
                    yield Spot(name, path, choice)

    def _write(
        self, node: Node, rule: str, path: tuple[int, ...], aim: Spot | None
    ) -> Iterator[str]:
        here = aim.choice if aim is not None and (aim.rule, aim.path) == (rule, path) else None
        if here is not None:
            aim = None
        match node:
            case Chars(ranges):
                self.left -= 1
                yield self._char(ranges) if here is None else chr(here)
            case Text(value):
                self.left -= len(value)
                yield value
            case Ref(name):
                yield from self._write(self.rules[name].body, name, (), aim)
            case Seq(items):
                bearer = self._bearer(items, rule, path, aim)
                for number, item in enumerate(items):
                    carried = aim if number == bearer else None
                    yield from self._write(item, rule, (*path, number), carried)
            case Alt(items):
                bearer = self._bearer(items, rule, path, aim) if here is None else here
                number = self._alternative(items) if bearer is None else bearer
                yield from self._write(items[number], rule, (*path, number), aim)
            case Rep(item, low, high):
                count = self._count(low, high, aim) if here is None else here
                bearer = self.chance.randrange(count) if aim is not None else None
                for number in range(count):
                    carried = aim if number == bearer else None
                    yield from self._write(item, rule, (*path, 0), carried)

    def _bearer(
        self, items: tuple[Node, ...], rule: str, path: tuple[int, ...], aim: Spot | None
    ) -> int | None:
        """Choose which of several parts leads on to the spot."""
        if aim is None:
            return None
        able = [
            number
            for number, item in enumerate(items)
            if (aim.rule == rule and aim.path[: len(path) + 1] == (*path, number))
            or any(aim.rule in self.reach[ref.name] for ref in references(item))
        ]
        return self.chance.choice(able)

    def _char(self, ranges: tuple[tuple[int, int], ...]) -> str:
        low, high = self.chance.choice(ranges)
        return chr(self.chance.choice((low, high, self.chance.randint(low, high))))

    def _alternative(self, items: tuple[Node, ...]) -> int:
        if self.left > 0:
            return self.chance.randrange(len(items))
        return min(range(len(items)), key=lambda number: self._least(items[number]))

    def _count(self, low: int, high: int | None, aim: Spot | None) -> int:
        least = max(low, 1) if aim is not None else low
        if self.left <= 0:
            return least
        if high is not None:
            return self.chance.randint(least, high)
        count = least
        while self.chance.random() < MORE:
            count += 1
        return count

    def _least(self, node: Node) -> int:
        """Give the length of the shortest word of an expression."""
        match node:
            case Chars():
                return 1
            case Text(value):
                return len(value)
            case Ref(name):
                if name not in self.shortest:
                    self.shortest[name] = self._least(self.rules[name].body)
                return self.shortest[name]
            case Alt(items):
                return min(map(self._least, items))
            case Rep(item, low):
                return low * self._least(item) if low else 0
            case _:
                return sum(map(self._least, children(node)))


def places(node: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    """Walk an expression, with the way down to each of its parts."""
    yield path, node
    for number, child in enumerate(children(node)):
        yield from places(child, (*path, number))


def choices(node: Node) -> list[int]:
    """List what can be chosen at a node: bounds, and what lies beside them."""
    match node:
        case Chars(ranges):
            return sorted({end for span in ranges for end in span})
        case Alt(items):
            return list(range(len(items)))
        case Rep(_, low, None):
            return [low, low + 1, low + 2, low + 7]
        case Rep(_, low, high):
            return sorted({low, min(low + 1, high), max(high - 1, low), high})
        case _:
            return []


def words(name: str, rule: str, seed: int = 0) -> Iterator[str]:
    """Derive words of a rule without end: through each spot once, then through any, or none."""
    chance = random.Random(f"{name} {rule} {seed}")
    deriver = Deriver(name, chance)
    spots = list(deriver.spots(rule))
    chance.shuffle(spots)
    for spot in spots:
        yield deriver.word(rule, spot)
    while True:
        yield deriver.word(rule)
        if spots:
            yield deriver.word(rule, chance.choice(spots))


@cache
def characters(name: str) -> str:
    """Give the characters that the rules of a grammar speak of: the ends of all their ranges."""
    codes: set[int] = set()
    for rule in grammar(name).rules.values():
        for node in walk(rule.body):
            if isinstance(node, Chars):
                codes.update(end for span in node.ranges for end in span)
            elif isinstance(node, Text):
                codes.update(map(ord, node.value))
    return "".join(map(chr, sorted(codes)))


def spoil(word: str, name: str, chance: random.Random) -> str:
    """Change a word by one character, or cut it short; the result may still be a word."""
    place = chance.randrange(len(word) + 1)
    stranger = chance.choice(chance.choice((HOSTILE, characters(name))))
    before, after = word[:place], word[place:]
    kinds = {
        "replace": before + stranger + after[1:],
        "insert": before + stranger + after,
        "delete": before + after[1:],
        "duplicate": before + after[:1] + after,
        "swap": before + after[1:2] + after[:1] + after[2:],
        "truncate": before,
        "newline": word + chance.choice(("\n", "\r\n", "\r", "\u2028")),
    }
    weights = (6, 6, 4, 2, 2, 1, 1)
    (kind,) = chance.choices(list(kinds), weights)
    return kinds[kind] if kinds[kind] != word else before + stranger + after


def spoiled(name: str, rule: str, seed: int = 0) -> Iterator[str]:
    """Spoil derived words, without end."""
    chance = random.Random(f"spoil {name} {rule} {seed}")
    for word in words(name, rule, seed + 1):
        yield spoil(word, name, chance)


def distinct(source: Iterator[str], count: int) -> list[str]:
    """Take so many different strings, or as many as come in ten times as many tries."""
    found: dict[str, None] = {}
    for word in itertools.islice(source, count * 10):
        found[word] = None
        if len(found) == count:
            break
    return list(found)
