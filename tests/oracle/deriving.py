"""Words of a rule, derived at random or through one of its choices; and words with one mutation."""

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from abnf2lark.library.generating import Aim, beside, mutated
from abnf2lark.library.generating import Deriver as Compiled
from uriparse.conformance.generation import compiled
from uriparse.conformance.rule_automata import SUSPECTS
from uriparse.grammar import Expression
from uriparse.grammar.rule_sources import Source, source_of

# The choices of a grammar: alternatives, numbers of repetitions, ends of ranges; and where.
#
# A rule with all its references unfolded is a tree; a choice point is a choice at one place of it.


class ChoicePoint(NamedTuple):
    """A choice: alternative, number of repetitions or code point, taken at a place in a rule.

    path: which part, from the expression of the start rule downwards; a reference has one part.
    choice: what to choose there.
    home: the rule that the place is in, and the path from that rule's expression.
    """

    path: tuple[int, ...]
    choice: int
    home: tuple[str, tuple[int, ...]]


def choice_points(rule: str = "URI", grammar: str | Source = "rfc3986") -> tuple[ChoicePoint, ...]:
    """List all choices that derivations of a rule can reach."""
    source = source_of(grammar)
    return _choice_points(source, source.rule_name(rule))


@lru_cache(maxsize=256)
def _choice_points(source: Source, rule: str) -> tuple[ChoicePoint, ...]:
    known = source.expressions
    source.automaton(rule)  # which refuses endless recursion

    def unfold(
        expression: Expression, path: tuple[int, ...], home: str, start: int
    ) -> Iterator[ChoicePoint]:
        for choice in choices(expression):
            yield ChoicePoint(path, choice, (home, path[start:]))
        match expression:
            case ("ref", str(name)):
                yield from unfold(known[name], (*path, 0), name, len(path) + 1)
            case _:
                for number, part in enumerate(parts(expression)):
                    yield from unfold(part, (*path, number), home, start)

    return tuple(unfold(known[rule], (), rule, 0))


def parts(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression; a reference has none."""
    match expression:
        case ("seq" | "alt", tuple(items)):
            return items
        case ("rep", tuple(item), _, _):
            return (item,)
        case _:
            return ()


def choices(expression: Expression) -> list[int]:
    """List what can be chosen at an expression: bounds, and what lies beside them."""
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


# Words of a rule, derived at random from its grammar: by any choices, or through one of them.

SHORT: Final = 40
"""Characters of a word, unless the point that it is aimed at needs more."""


class Deriver:
    """Derives words of the rules of one grammar.

    at: where in the last word the point is that it was aimed at.
    """

    def __init__(self, grammar: str | Source, chance: random.Random) -> None:
        self._source = source_of(grammar)
        self._chance = chance
        self._deriver = Compiled(compiled(self._source))
        self.at = 0

    def word(self, rule: str, aim: ChoicePoint | None = None) -> str:
        """Derive a word of a rule, through a choice point if one is named."""
        where = Aim(aim.path, aim.choice) if aim is not None else None
        name = self._source.rule_name(rule)
        made = self._deriver.derive(name, self._chance.randrange, SHORT, where)
        self.at = made.at
        return made.text


# Words spoiled by one character, and the characters that mutate most.

DELIMITERS: Final = "%[]@:/?#&=+;,.-~!$'()* \\^`{|}<>\""

HOSTILE: Final = "".join(dict.fromkeys(SUSPECTS + DELIMITERS))
"""Suspects, and what URIs and other notations are punctuated with."""


def characters(grammar: str | Source = "rfc3986") -> str:
    """Return the ends of all the ranges in a grammar, and what lies just beyond."""
    return beside(compiled(source_of(grammar)))


def mutate(
    word: str, chance: random.Random, grammar: str | Source = "rfc3986", place: int | None = None
) -> str:
    """Change a word by one character, or cut it short; the result may still be a word.

    place: the offset of the mutation; any by default.
    """
    sets = (HOSTILE, characters(grammar))
    return mutated(word, chance.randrange, sets, place)
