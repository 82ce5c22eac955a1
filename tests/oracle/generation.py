"""Words of a grammar, derived at random from its rules, and ways to spoil them by one character.

A derivation can be aimed at a spot: one alternative, one number of repetitions, or one end of a
character range, at one of the places that a rule has when all its references are unfolded. What
lies off the way to the spot is random.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bundles import BUNDLES

from abnf2lark.reading.ir import (
    MAX_CODE_POINT,
    Alt,
    Chars,
    Grammar,
    Node,
    Ref,
    Rep,
    Seq,
    Text,
    children,
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


def grammar(name: str) -> Grammar:
    """Give the rules of a grammar."""
    return BUNDLES[name].grammar


@dataclass(frozen=True)
class Spot:
    """A choice: alternative, number of repetitions or code point, taken at a place in a rule.

    Attributes:
        way: which child, from the body of the start rule downwards; a reference has one child.
        choice: what to choose there.
        home: the rule that the place is in, and the way from that rule's body.

    """

    way: tuple[int, ...]
    choice: int
    home: tuple[str, tuple[int, ...]]


@cache
def spots(name: str, rule: str) -> tuple[Spot, ...]:
    """Name all choices that derivations of a rule can come to."""
    rules = grammar(name).rules

    def unfold(node: Node, way: tuple[int, ...], home: str, start: int) -> Iterator[Spot]:
        for choice in choices(node):
            yield Spot(way, choice, (home, way[start:]))
        if isinstance(node, Ref):
            yield from unfold(rules[node.name].body, (*way, 0), node.name, len(way) + 1)
        for number, child in enumerate(children(node)):
            yield from unfold(child, (*way, number), home, start)

    return tuple(unfold(rules[rule].body, (), rule, 0))


class Deriver:
    """Derives words of the rules of one grammar.

    Attributes:
        at: where in the last word the spot is that it was aimed at.

    """

    def __init__(self, name: str, chance: random.Random) -> None:
        self.rules = grammar(name).rules
        self.chance = chance
        self.shortest: dict[str, int] = {}
        self.at = self.written = self.choice = 0

    def word(self, rule: str, aim: Spot | None = None) -> str:
        """Derive a word of a rule, through a spot if one is given."""
        self.at = self.written = 0
        self.choice = aim.choice if aim is not None else 0
        way = aim.way if aim is not None else None
        return "".join(self._write(self.rules[rule].body, way))

    def _write(self, node: Node, way: tuple[int, ...] | None) -> Iterator[str]:
        """Derive a node; `way` leads from it to the spot, None leads to none."""
        here = way == ()
        if here:
            self.at = self.written
        rest = way[1:] if way else None
        match node:
            case Chars(ranges):
                self.written += 1
                yield chr(self.choice) if here else self._char(ranges)
            case Text(value):
                self.written += len(value)
                yield value
            case Ref(name):
                yield from self._write(self.rules[name].body, rest)
            case Seq(items):
                for number, item in enumerate(items):
                    yield from self._write(item, rest if way and way[0] == number else None)
            case Alt(items):
                number = self._alternative(items)
                if way is not None:
                    number = self.choice if here else way[0]
                yield from self._write(items[number], rest)
            case Rep(item, low, high):
                count = self.choice if here else self._count(max(low, 1) if way else low, high)
                bearer = self.chance.randrange(count) if way else None
                for number in range(count):
                    yield from self._write(item, rest if number == bearer else None)

    def _char(self, ranges: tuple[tuple[int, int], ...]) -> str:
        low, high = self.chance.choice(ranges)
        return chr(self.chance.choice((low, high, self.chance.randint(low, high))))

    def _alternative(self, items: tuple[Node, ...]) -> int:
        if self.written < SHORT:
            return self.chance.randrange(len(items))
        return min(range(len(items)), key=lambda number: self._least(items[number]))

    def _count(self, least: int, high: int | None) -> int:
        if self.written >= SHORT:
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
    """Derive words of a rule without end.

    First through each choice of the grammar that the rule leads to, at one of its places; then
    through any spot and none by turns.
    """
    chance = random.Random(f"{name} {rule} {seed}")
    deriver = Deriver(name, chance)
    groups: dict[object, list[Spot]] = {}
    for spot in spots(name, rule):
        groups.setdefault((spot.home, spot.choice), []).append(spot)
    order = list(groups.values())
    chance.shuffle(order)
    for group in order:
        yield deriver.word(rule, chance.choice(group))
    while True:
        yield deriver.word(rule)
        if order:
            yield deriver.word(rule, chance.choice(chance.choice(order)))


def thorough(name: str, rule: str, spoilt: int, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Derive a word through every single spot, each with some that are spoiled just there."""
    chance = random.Random(f"thorough {name} {rule} {seed}")
    deriver = Deriver(name, chance)
    for spot in spots(name, rule):
        word = deriver.word(rule, spot)
        near = range(max(deriver.at - 1, 0), min(deriver.at + 2, len(word)) + 1)
        yield word, [spoil(word, name, chance, chance.choice(near)) for _ in range(spoilt)]


@cache
def characters(name: str) -> str:
    """Give the ends of all the ranges in a grammar, and what lies just beyond."""
    codes: set[int] = set()
    for rule in grammar(name).rules.values():
        for node in walk(rule.body):
            if isinstance(node, Chars):
                codes.update(end for span in node.ranges for end in span)
            elif isinstance(node, Text):
                codes.update(map(ord, node.value))
    beyond = {code + step for code in codes for step in (-1, 1)}
    return "".join(map(chr, sorted(code for code in codes | beyond if 0 <= code <= MAX_CODE_POINT)))


def spoil(word: str, name: str, chance: random.Random, place: int | None = None) -> str:
    """Change a word by one character, or cut it short; the result may still be a word."""
    if place is None:
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
