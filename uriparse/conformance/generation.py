"""Words of a rule: uniformly by length, or derived at random; and words with one mutation."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse._base.coerce import as_str, refusal
from uriparse.conformance.derivations import too_large
from uriparse.conformance.rule_automata import SUSPECTS
from uriparse.conformance.suites import subject
from uriparse.grammar.rule_sources import Automaton, Source, Spans, as_grammar, source_of

# The compiler is loaded for derivations and mutations alone: suites do without.
# ruff: noqa: PLC0415

if TYPE_CHECKING:
    from abnf2lark.ir import RuleSet
    from uriparse.grammar import Expression


# Words of a length, each as likely as any other: the automaton is counted through.


def count_words(rule: str = "URI", length: int = 0, *, grammar: str | Source = "rfc3986") -> int:
    """Count the words of a rule that have so many characters.

    UnknownRuleError for an unknown rule, ValueError for a negative length.

    >>> [count_words("dec-octet", length) for length in range(5)]
    [0, 10, 90, 156, 0]
    """
    return _counts(subject(rule, grammar).automaton, length)[length][0]


def words(
    rule: str = "URI", *, length: int, grammar: str | Source = "rfc3986", seed: int = 0
) -> Iterator[str]:
    """Draw words of a length without end, uniformly, the same ones for the same seed.

    Every character counts: of words of an IRI nearly all are of the scripts with most letters.

    UnknownRuleError for an unknown rule, ValueError if it has no word of the length.

    >>> from itertools import islice
    >>> all(len(word) == 3 and int(word) < 256 for word in islice(words("dec-octet", length=3), 9))
    True
    """
    found = subject(rule, grammar)
    counts = _counts(found.automaton, length)
    if not counts[length][0]:
        raise ValueError(f"{found.rule} has no word of {length} characters")
    chance = random.Random(f"{found.rule} {length} {seed}")  # noqa: S311 - no secret is drawn
    return _drawn(found.automaton, counts, length, chance)


def _drawn(
    automaton: Automaton, counts: list[list[int]], length: int, chance: random.Random
) -> Iterator[str]:
    sizes = [_size(spans) for spans in automaton.classes]
    while True:
        word = []
        state = 0
        for left in range(length - 1, -1, -1):
            steps = list(automaton.edges[state].items())
            ends = list(accumulate(sizes[label] * counts[left][after] for label, after in steps))
            label, state = steps[bisect_right(ends, chance.randrange(ends[-1]))]
            word.append(_character(automaton.classes[label], chance.randrange(sizes[label])))
        yield "".join(word)


def _counts(automaton: Automaton, length: int) -> list[list[int]]:
    """Count for each length up to the given one the words that lead from each state to an end."""
    if type(length) is not int:
        raise refusal(length, "length", "an int")
    if length < 0:
        raise ValueError(f"no word has {length} characters")
    sizes = [_size(spans) for spans in automaton.classes]
    counts = [[int(state in automaton.final) for state in range(len(automaton))]]
    for _ in range(length):
        last = counts[-1]
        counts.append(
            [
                sum(sizes[label] * last[after] for label, after in row.items())
                for row in automaton.edges
            ]
        )
    return counts


def _size(spans: Spans) -> int:
    return sum(high - low + 1 for low, high in spans)


def _character(spans: Spans, number: int) -> str:
    for low, high in spans:
        if number <= high - low:
            return chr(low + number)
        number -= high - low + 1
    raise IndexError(number)


# The choices of a grammar: alternatives, numbers of repetitions, ends of ranges; and where.
#
# A rule with all its references unfolded is a tree; a choice point is a choice at one place of it.

MAX_CHOICE_POINTS: Final = 1_000_000
"""Choices beyond which a rule is refused; the shipped rules have 23,000 at most."""


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
    """List all choices that derivations of a rule can reach.

    UnknownRuleError for an unknown rule; NotRegularError for one that leads back to itself,
    RuleTooLargeError for one that reaches more than `MAX_CHOICE_POINTS`.

    >>> [point.choice for point in choice_points("h16")][:4]
    [1, 2, 3, 4]
    """
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

    found = tuple(islice(unfold(known[rule], (), rule, 0), MAX_CHOICE_POINTS + 1))
    if len(found) > MAX_CHOICE_POINTS:
        raise too_large(f"{rule} has more than {MAX_CHOICE_POINTS:,} choices", rule, source)
    return found


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


# Words of a rule, derived at random from its grammar: by any choices, or through one of them.

SHORT: Final = 40
"""Characters of a word, unless the point that it is aimed at needs more."""


class Deriver:
    """Derives words of the rules of one grammar.

    at: where in the last word the point is that it was aimed at.
    """

    def __init__(self, grammar: str | Source, chance: random.Random) -> None:
        from abnf2lark.library.generating import Deriver as Compiled

        self._source = source_of(grammar)
        self._chance = chance
        self._deriver = Compiled(compiled(self._source))
        self.at = 0

    def word(self, rule: str, aim: ChoicePoint | None = None) -> str:
        """Derive a word of a rule, through a choice point if one is named."""
        from abnf2lark.library.generating import Aim

        where = Aim(aim.path, aim.choice) if aim is not None else None
        name = self._source.rule_name(rule)
        made = self._deriver.derive(name, self._chance.randrange, SHORT, where)
        self.at = made.at
        return made.text


@lru_cache(maxsize=64)
def compiled(source: Source) -> RuleSet:
    """Return the expressions of a grammar as the compiler has them."""
    return as_grammar(source.expressions)


# Words spoiled by one character, and the characters that mutate most.

DELIMITERS: Final = "%[]@:/?#&=+;,.-~!$'()* \\^`{|}<>\""

HOSTILE: Final = "".join(dict.fromkeys(SUSPECTS + DELIMITERS))
"""Suspects, and what URIs and other notations are punctuated with."""


def characters(grammar: str | Source = "rfc3986") -> str:
    """Return the ends of all the ranges in a grammar, and what lies just beyond."""
    from abnf2lark.library.generating import beside

    return beside(compiled(source_of(grammar)))


def mutate(
    word: str, chance: random.Random, grammar: str | Source = "rfc3986", place: int | None = None
) -> str:
    """Change a word by one character, or cut it short; the result may still be a word.

    place: the offset of the mutation; any by default.

    TypeError for a word that is not a string, UnknownRuleError for a grammar that is not known.
    """
    from abnf2lark.library.generating import mutated

    sets = (HOSTILE, characters(grammar))
    return mutated(as_str(word, "word"), chance.randrange, sets, place)
