"""Whether a text belongs to a rule: of a shipped grammar, or of ABNF that a user has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.conformance.own_grammars import OwnGrammar
from uriparse.conformance.sources import source_of

if TYPE_CHECKING:
    from uriparse.conformance.automata import Automaton
    from uriparse.conformance.sources import Source


class Verdict(NamedTuple):
    """What a rule says to a text.

    matches: whether the text belongs to the rule.
    offset: how many characters some text of the rule begins with.
    """

    matches: bool
    offset: int


class Membership:
    """Judges texts by one rule.

    Attributes:
        rule: its name, in the spelling of its grammar.

    """

    def __init__(self, rule: str, judge: Automaton | OwnGrammar) -> None:
        self.rule = rule
        self._judge = judge

    def judge(self, text: str) -> Verdict:
        """Judge a text. No rule takes surrogates, which are no characters.

        Linear in the text's length where the rule is not recursive. TextLimitError for a text that
        a recursive one can be read by in too many ways.
        """
        if isinstance(self._judge, OwnGrammar):
            found = self._judge.explain(text, self.rule)
            return Verdict(found.matches, found.offset)
        offset, state = self._judge.read(text)
        return Verdict(offset == len(text) and state in self._judge.final, offset)


def membership(rule: str = "URI", grammar: str | Source = "rfc3986") -> Membership:
    """Judge by a rule of a shipped grammar, by name, or of one that `read_abnf` has read.

    UnknownRuleError if there is no such rule.

    >>> scheme = membership("scheme")
    >>> scheme.judge("http"), scheme.judge("a/b")
    (Verdict(matches=True, offset=4), Verdict(matches=False, offset=1))
    >>> from uriparse.conformance import read_abnf
    >>> own = membership("n", read_abnf('n = "(" [ n ] ")"'))
    >>> own.judge("(())"), own.judge("(()!")
    (Verdict(matches=True, offset=4), Verdict(matches=False, offset=3))
    """
    source = source_of(grammar)
    name = source.rule_name(rule)
    return Membership(name, source if isinstance(source, OwnGrammar) else source.automaton(name))
