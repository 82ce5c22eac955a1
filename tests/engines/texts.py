"""Texts to hold engines to: words of a rule, spoiled words, and what engines stumble over."""

import json
import random
from functools import cache, lru_cache

from oracle.deriving import mutate
from paths import VECTORS

from uriparse import is_valid
from uriparse.conformance import suite

ENDINGS = ("\n", "\r\n", "\r", "\0", " ", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\u3002")
LONG = 1_000_000  # characters


@cache
def stored():
    """All texts of the vectors, at any depth, that could be references."""
    found = {}
    pending = [json.loads(path.read_text(encoding="utf-8")) for path in VECTORS.glob("*.json")]
    while pending:
        match pending.pop():
            case str() as text:
                found[text] = None
            case list() as items:
                pending += items
            case dict() as items:
                pending += items.values()
    return tuple(found)


@lru_cache(maxsize=1)
def texts(rule, grammar, *, corruptions, seed=0):
    """Texts of a rule and texts that nearly are, each once, with their verdicts."""
    chance = random.Random(seed)
    right = [row.text for row in suite(rule, grammar=grammar, method="transition")]
    right += [word for word in stored() if len(word) < 200]
    found = dict.fromkeys(["", *right])
    for word in chance.sample(right, min(len(right), 200)):
        for ending in (*ENDINGS, "é", "例", "\U0001f600", "\ud800", "\udc00\ud800", "\ue000"):
            found |= dict.fromkeys([word + ending, ending + word, word + ending + word])
    while corruptions:
        word = mutate(chance.choice(right), chance, grammar)
        corruptions -= word not in found
        found[word] = None
    return verdicts(rule, grammar, found)


def verdicts(rule, grammar, among):
    """Texts with what is to be said of them."""
    return {text: is_valid(text, rule, grammar=grammar) for text in among}


@lru_cache(maxsize=1)
def long_texts(rule, grammar, *, kinds, at_least=LONG, seed=0):
    """Texts as long as that, each a word with a part of it said again and again; and such a one
    with a line break behind it.

    kinds: how many parts are taken at most, each with other punctuation than those before.
    """
    chance = random.Random(seed)
    right = [row.text for row in suite(rule, grammar=grammar, method="transition") if row.valid]
    spots = [
        (word[:start], word[start:end], word[end:])
        for word in chance.sample(right, min(len(right), 200))
        for start in range(len(word))
        for end in range(start + 1, min(start + 6, len(word)) + 1)
    ]
    spots.sort(key=lambda spot: len(_punctuation(spot[1])))
    found = {}
    for before, part, after in spots:
        kind = _punctuation(part)
        if kind not in found and len(found) < kinds:
            text = before + part * (at_least // len(part) + 1) + after
            if is_valid(text, rule, grammar=grammar):
                found[kind] = text
    assert found
    return verdicts(rule, grammar, [text + end for text in found.values() for end in ("", "\n")])


def _punctuation(part):
    """What is not a letter or digit in a part."""
    return "".join(char for char in part if not char.isalnum())
