"""Grammars that rules are taken from: those that are shipped, and those of users."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from uriparse.coerce import as_str, refusal
from uriparse.conformance.automata import Automaton
from uriparse.conformance.searching import Searching
from uriparse.grammar import rule_name, rules
from uriparse.grammar.automata import kept_witnesses, states
from uriparse.grammar.derivation import expressions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.grammar.automata import Witnesses
    from uriparse.grammar.derivation import Expression


@runtime_checkable
class Source(Hashable, Protocol):
    """A grammar, as the suites see it; the same one is equal to itself alone."""

    @property
    def name(self) -> str:
        """What the grammar is called."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it offers, in its own order."""

    @property
    def expressions(self) -> Mapping[str, Expression]:
        """All its rules as nested tuples, as `uriparse.grammar.derivation.expressions` has them."""

    def rule_name(self, rule: str) -> str:
        """Give the grammar's spelling of a rule; UnknownRuleError if it has none of the name."""

    def automaton(self, rule: str) -> Automaton:
        """Give the automaton of a rule, with what its states say."""

    def witnesses(self, rule: str) -> Witnesses:
        """Give the texts that tell the rule from all that differ from it by one edit."""


class Shipped(Searching):
    """A grammar that comes with this package: all but some witnesses is there without its compiler.

    Attributes:
        name: what it is called.

    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        rules(name)
        self.name = name

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it offers, in the RFC's order."""
        return rules(self.name)

    @property
    def expressions(self) -> Mapping[str, Expression]:
        """All its rules as nested tuples."""
        return expressions(self.name)

    def rule_name(self, rule: str) -> str:
        """Give the RFC's spelling of a rule; UnknownRuleError if there is none of the name."""
        return rule_name(rule, self.name)

    def automaton(self, rule: str) -> Automaton:
        """Give the automaton of a rule."""
        found = states(rule, self.name)
        final = {state for state, ends in enumerate(found.endings) if ends}
        return Automaton(found.classes, found.edges, final, found.groups)

    def knows(self, rule: str) -> bool:
        """Whether witnesses were found when the grammar was compiled, or since."""
        return super().knows(rule) or kept_witnesses(rule, self.name) is not None

    def _searched(self, rule: str) -> Witnesses:
        """Give what was found when the grammar was compiled, or look now."""
        found = kept_witnesses(rule, self.name)
        if found is None:
            from uriparse.conformance.own_grammars import (  # noqa: PLC0415 - loads the compiler
                compiled_anew,
            )

            found = compiled_anew(self.name).witnesses(self.rule_name(rule))
        return found


def source_of(grammar: str | Source) -> Source:
    """Give a grammar: a shipped one by its name, or one that was read, as it is.

    TypeError for anything else, UnknownRuleError for a name that no grammar has.
    """
    if isinstance(grammar, str):
        return _shipped(as_str(grammar, "grammar"))
    if not isinstance(grammar, Source):
        raise refusal(grammar, "grammar", "the name of one, or what read_abnf gives")
    return grammar


@cache
def _shipped(grammar: str) -> Shipped:
    return Shipped(grammar)
