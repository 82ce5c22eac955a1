"""Streams of words of a grammar and of spoiled ones."""

import itertools
import random
from collections.abc import Iterator

from bundles import BUNDLES
from oracle.deriving import ChoicePoint, Deriver, choice_points, mutate

from abnf2lark.ir import RuleSet


def grammar(name: str) -> RuleSet:
    """Give the rules of a grammar."""
    return BUNDLES[name].grammar


def words(name: str, rule: str, seed: int = 0) -> Iterator[str]:
    """Derive words of a rule without end.

    First through each choice of the grammar that the rule leads to, at one of its places; then
    through any point and none by turns.
    """
    chance = random.Random(f"{name} {rule} {seed}")
    deriver = Deriver(name, chance)
    groups: dict[object, list[ChoicePoint]] = {}
    for point in choice_points(rule, name):
        groups.setdefault((point.home, point.choice), []).append(point)
    order = list(groups.values())
    chance.shuffle(order)
    for group in order:
        yield deriver.word(rule, chance.choice(group))
    while True:
        yield deriver.word(rule)
        if order:
            yield deriver.word(rule, chance.choice(chance.choice(order)))


def thorough(name: str, rule: str, spoilt: int, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Derive a word through every single point, each with some that are spoiled just there."""
    chance = random.Random(f"thorough {name} {rule} {seed}")
    deriver = Deriver(name, chance)
    for point in choice_points(rule, name):
        word = deriver.word(rule, point)
        near = range(max(deriver.at - 1, 0), min(deriver.at + 2, len(word)) + 1)
        yield word, [mutate(word, chance, name, chance.choice(near)) for _ in range(spoilt)]


def spoiled(name: str, rule: str, seed: int = 0) -> Iterator[str]:
    """Spoil derived words, without end."""
    chance = random.Random(f"mutate {name} {rule} {seed}")
    for word in words(name, rule, seed + 1):
        yield mutate(word, chance, name)


def distinct(source: Iterator[str], count: int) -> list[str]:
    """Take so many different strings, or as many as come in ten times as many tries."""
    found: dict[str, None] = {}
    for word in itertools.islice(source, count * 10):
        found[word] = None
        if len(found) == count:
            break
    return list(found)
