"""A rule under test: its automata, and the ways through them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from uriparse.conformance.minimal import Minimal, merged, minimal
from uriparse.conformance.sources import source_of
from uriparse.conformance.ways import Ways

if TYPE_CHECKING:
    from uriparse.conformance.automata import Automaton
    from uriparse.conformance.sources import Source


class Subject:
    """A rule of a grammar, and what is known of it; each thing is computed when first asked for.

    Attributes:
        rule: its name, in the spelling of its grammar.
        source: its grammar.

    """

    def __init__(self, rule: str, source: Source) -> None:
        self.rule = rule
        self.source = source

    @cached_property
    def telling(self) -> Automaton:
        """The automaton whose states say what is under way and what is expected."""
        return merged(self.source.automaton(self.rule))

    @cached_property
    def minimized(self) -> Minimal:
        """The smallest automaton, and where in it the states of `telling` are."""
        return minimal(self.telling)

    @property
    def automaton(self) -> Automaton:
        """The smallest automaton."""
        return self.minimized.automaton

    @cached_property
    def ways(self) -> Ways:
        """How to come to each state of the smallest automaton, and from there to an end."""
        return Ways(self.automaton)


def subject(rule: str = "URI", grammar: str | Source = "rfc3986") -> Subject:
    """Give a rule of a shipped grammar, by name, or of one that `read_abnf` has read.

    UnknownRuleError if there is no such rule.

    >>> found = subject("URI")
    >>> len(found.telling), len(found.automaton), len(found.automaton.classes)
    (247, 179, 21)
    """
    source = source_of(grammar)
    return _subject(source.rule_name(rule), source)


@lru_cache(maxsize=64)
def _subject(rule: str, source: Source) -> Subject:
    return Subject(rule, source)
