"""Words of a rule: uniformly by length, or derived at random; and words with one mutation."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from uriparse.coerce import as_str, refusal
from uriparse.conformance.derivations import too_large
from uriparse.conformance.rule_automata import SUSPECTS
from uriparse.conformance.suites import subject
from uriparse.rule_sources import Automaton, Source, Spans, source_of

if TYPE_CHECKING:
    from uriparse.grammar.derivation import Expression


# Words of a length, each as likely as any other: the automaton is counted through.


def count_words(rule: str = "URI", length: int = 0, *, grammar: str | Source = "rfc3986") -> int:
    """Count the words of a rule that have so many characters.

    UnknownRuleError if there is no such rule, ValueError for a negative length.

    >>> [count_words("dec-octet", length) for length in range(5)]
    [0, 10, 90, 156, 0]
    """
    return _counts(subject(rule, grammar).automaton, length)[length][0]


def words(
    rule: str = "URI", *, length: int, grammar: str | Source = "rfc3986", seed: int = 0
) -> Iterator[str]:
    """Draw words of a length without end, uniformly, the same ones for the same seed.

    Every character counts: of words of an IRI nearly all are of the scripts with most letters.

    UnknownRuleError if there is no such rule, ValueError if it has no word of the length.

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

    UnknownRuleError if there is no such rule; NotRegularError for one that leads back to itself,
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
"""Characters from which on a derivation takes the shortest path out."""

_MORE: Final = 0.6
"""The chance of one more repetition where there is no bound."""


class Deriver:
    """Derives words of the rules of one grammar.

    at: where in the last word the point is that it was aimed at.
    """

    def __init__(self, grammar: str | Source, chance: random.Random) -> None:
        self._source = source_of(grammar)
        self._rules: Mapping[str, Expression] = self._source.expressions
        self._chance = chance
        self._shortest: dict[str, int] = {}
        self.at = self._written = self._choice = 0

    def word(self, rule: str, aim: ChoicePoint | None = None) -> str:
        """Derive a word of a rule, through a choice point if one is named."""
        self.at = self._written = 0
        self._choice = aim.choice if aim is not None else 0
        path = aim.path if aim is not None else None
        return "".join(self._write(self._rules[self._source.rule_name(rule)], path))

    def _write(self, expression: Expression, path: tuple[int, ...] | None) -> Iterator[str]:
        """Derive an expression; `path` leads from it to the point, None leads to none."""
        here = path == ()
        if here:
            self.at = self._written
        rest = path[1:] if path else None
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
                    yield from self._write(item, rest if path and path[0] == number else None)
            case ("alt", tuple(items)):
                number = self._alternative(items)
                if path is not None:
                    number = self._choice if here else path[0]
                yield from self._write(items[number], rest)
            case ("rep", tuple(item), int(low), int(high)):
                count = self._choice if here else self._count(max(low, 1) if path else low, high)
                bearer = self._chance.randrange(count) if path else None
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
        """Return the length of the shortest word of an expression."""
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


# Words spoiled by one character, and the characters that mutate most.

DELIMITERS: Final = "%[]@:/?#&=+;,.-~!$'()* \\^`{|}<>\""

HOSTILE: Final = "".join(dict.fromkeys(SUSPECTS + DELIMITERS))
"""Suspects, and what URIs and other notations are punctuated with."""

_LAST: Final = 0x10FFFF


def characters(grammar: str | Source = "rfc3986") -> str:
    """Return the ends of all the ranges in a grammar, and what lies just beyond."""
    return _characters(source_of(grammar))


@lru_cache(maxsize=64)
def _characters(source: Source) -> str:
    codes: set[int] = set()
    pending: list[Expression] = list(source.expressions.values())
    while pending:
        match expression := pending.pop():
            case ("chars", tuple(ranges)):
                codes.update(end for span in ranges for end in span)
            case ("text", str(value)):
                codes.update(map(ord, value))
        pending.extend(parts(expression))
    beyond = {code + step for code in codes for step in (-1, 1)}
    return "".join(chr(code) for code in sorted(codes | beyond) if 0 <= code <= _LAST)


def mutate(
    word: str,
    chance: random.Random,
    grammar: str | Source = "rfc3986",
    place: int | None = None,
) -> str:
    """Change a word by one character, or cut it short; the result may still be a word.

    place: the offset of the mutation; any by default.

    TypeError for a word that is not a string, UnknownRuleError for a grammar that is not known.
    """
    word = as_str(word, "word")
    if place is None:
        place = chance.randrange(len(word) + 1)
    stranger = chance.choice(chance.choice((HOSTILE, characters(grammar))))
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
    (kind,) = chance.choices(list(kinds), (6, 6, 4, 2, 2, 1, 1))
    return kinds[kind] if kinds[kind] != word else before + stranger + after
