"""Words of a rule, uniformly by length; and the rules of a grammar as the compiler has them."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from uriparse._base.coerce import refusal
from uriparse.conformance.suites import subject
from uriparse.grammar.rule_sources import Source, as_grammar

if TYPE_CHECKING:
    from abnf2lark.ir import RuleSet
    from uriparse.grammar.automata import Automaton, Spans


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


@lru_cache(maxsize=64)
def compiled(source: Source) -> RuleSet:
    """Return the expressions of a grammar as the compiler has them."""
    return as_grammar(source.expressions)
