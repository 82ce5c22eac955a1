"""Texts of any size, each a short word with one or two of its parts written over and over again.

What makes a program slow on a long text can nearly always be told in a few characters: a start, a
part that is repeated, what is repeated after it, an end. Parts are taken from words of the
grammars, and from what people, delimiters and other notations put around them.
"""

import random
from dataclasses import dataclass, replace
from functools import cache

from cases import tables
from oracle.deriving import HOSTILE, Deriver, characters

import uriparse
from uriparse.schemes import RFC1738
from uriparse.text.patterns import KNOWN

TABLES = tables(__file__)

MARKS = TABLES["marks"]
"""What texts around URIs, and URIs themselves, are punctuated with."""

CLOSING = str.maketrans("([{<", ")]}>")


@dataclass(frozen=True)
class Shape:
    """A start, a unit and another so many times each, and an end; each may be empty but `unit`."""

    start: str
    unit: str
    other: str
    end: str

    def text(self, size):
        """Write it in about so many characters."""
        room = size - len(self.start) - len(self.end)
        times = max(1, room // len(self.unit + self.other))
        return self.start + self.unit * times + self.other * times + self.end

    def simpler(self):
        """Give the shapes that lack something of this one."""
        for name in ("start", "other", "end", "unit"):
            value = getattr(self, name)
            halves = {value[: len(value) // 2], value[len(value) // 2 :], value[1:], value[:-1]}
            for less in sorted({"", *halves} - {value}, key=len):
                if less or name != "unit":
                    yield replace(self, **{name: less})

    def __str__(self):
        parts = [ascii(self.start), f"{self.unit!a} * n", f"{self.other!a} * n"]
        shown = [part for part in (*parts, ascii(self.end)) if not part.startswith("''")]
        return " + ".join(shown)


class Shapes:
    """Draws shapes, some of them by pumping a word of a rule."""

    def __init__(self, chance: random.Random, grammar: str, rule: str) -> None:
        self.chance = chance
        self.rule = rule
        self.deriver = Deriver(grammar, chance)

    def draw(self):
        """Draw a shape."""
        return self._pumped_word() if self.chance.random() < 0.4 else self._fragments()

    def _pumped_word(self):
        """Write a part of a word, or what may stand at its place, many times."""
        word = self.deriver.word(self.rule) or "a"
        first, last = sorted(self.chance.choices(range(len(word) + 1), k=2))
        last = min(last, first + 12)
        unit = word[first:last] if self.chance.random() < 0.6 else self._some(1, 3)
        end = word[last:] if self.chance.random() < 0.6 else self._some(0, 2)
        return Shape(word[:first], unit or self._fragment(), self._other(unit), end)

    def _fragments(self):
        start = self.chance.choice(("", scheme(self.chance), self._some(1, 3), self._word()))
        unit = self._some(1, 4)
        end = self.chance.choice(("", self.chance.choice(HOSTILE), self._some(1, 2)))
        return Shape(start, unit, self._other(unit), end)

    def _other(self, unit):
        """Draw what is written after the units, as often: most often nothing."""
        kind = self.chance.random()
        if kind < 0.5:
            return ""
        if kind < 0.6:  # what closes the unit
            return unit[::-1].translate(CLOSING)
        return self._some(1, 2)

    def _some(self, least, most):
        return "".join(self._fragment() for _ in range(self.chance.randint(least, most)))

    def _fragment(self):
        kind = self.chance.random()
        if kind < 0.55:
            return self.chance.choice(MARKS)
        if kind < 0.7:
            return self.chance.choice(HOSTILE + characters("rfc3986"))
        return scheme(self.chance) if kind < 0.82 else self._word()

    def _word(self):
        """Derive a short word of any rule."""
        grammar, rule = self.chance.choice(rules())
        return Deriver(grammar, self.chance).word(rule)[:12] or "a"


def scheme(chance):
    """Choose a scheme that something is known about, and what comes after it."""
    return chance.choice((*KNOWN, *RFC1738)) + chance.choice((":", "://", "://h/", ":///", ":a"))


@cache
def rules():
    return [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
