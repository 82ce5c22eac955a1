"""Whether a text belongs to a rule: of a shipped grammar, or of ABNF that a user has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.conformance.automata import Automaton
from uriparse.conformance.own_grammars import NotRegularError, OwnGrammar
from uriparse.conformance.sources import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.conformance.sources import Source

_NO_TEXT = range(0xD800, 0xE000)


class Verdict(NamedTuple):
    """What a rule says to a text.

    matches: whether the text belongs to the rule.
    offset: how many characters some text of the rule begins with; None where that is not known.
    """

    matches: bool
    offset: int | None


class Membership:
    """Judges texts by one rule.

    Attributes:
        rule: its name, in the spelling of its grammar.
        irregular: why no automaton can judge and Lark does; empty where an automaton judges.

    """

    def __init__(
        self, rule: str, judge: Automaton | Callable[[str], bool], irregular: str = ""
    ) -> None:
        self.rule = rule
        self.irregular = irregular
        self._judge = judge

    def judge(self, text: str) -> Verdict:
        """Judge a text; surrogates are no characters, so no rule takes them.

        Linear in the text's length where an automaton judges.
        """
        end = next((at for at, char in enumerate(text) if ord(char) in _NO_TEXT), len(text))
        if not isinstance(self._judge, Automaton):
            return Verdict(end == len(text) and self._judge(text), None)
        offset, state = self._judge.read(text[:end])
        return Verdict(offset == len(text) and state in self._judge.final, offset)


def membership(rule: str = "URI", grammar: str | Source = "rfc3986") -> Membership:
    """Judge by a rule of a shipped grammar, by name, or of one that `read_abnf` has read.

    A rule that leads back to itself, or has too many states, is judged by Lark.

    UnknownRuleError if there is no such rule.

    >>> scheme = membership("scheme")
    >>> scheme.judge("http"), scheme.judge("a/b")
    (Verdict(matches=True, offset=4), Verdict(matches=False, offset=1))
    >>> from uriparse.conformance import read_abnf
    >>> own = membership("n", read_abnf('n = "(" [ n ] ")"'))
    >>> own.irregular, own.judge("(())").matches, own.judge("(()").matches
    ('n is not regular: it is recursive, n → n', True, False)
    """
    source = source_of(grammar)
    name = source.rule_name(rule)
    try:
        return Membership(name, source.automaton(name))
    except NotRegularError as error:
        if not isinstance(source, OwnGrammar):
            raise
        return Membership(name, source.by_lark(name), str(error))
