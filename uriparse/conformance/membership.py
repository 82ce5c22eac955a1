"""Whether a text belongs to a rule: of a shipped grammar, or of ABNF that a user has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.conformance.automata import Automaton
from uriparse.conformance.sources import shipped
from uriparse.errors import UnknownRuleError, URIError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from abnf2lark.reading.ir import Grammar

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


def shipped_membership(rule: str, grammar: str = "rfc3986") -> Membership:
    """Judge by a rule of a shipped grammar; UnknownRuleError if there is none of the name.

    >>> scheme = shipped_membership("scheme")
    >>> scheme.judge("http"), scheme.judge("a/b")
    (Verdict(matches=True, offset=4), Verdict(matches=False, offset=1))
    """
    source = shipped(grammar)
    name = source.rule_name(rule)
    return Membership(name, source.automaton(name))


def written_membership(
    rule: str | None, text: str, name: str = "grammar.abnf", imports: Sequence[str] = ()
) -> Membership:
    """Judge by a rule of ABNF, by the first one if none is named; the compiler is loaded for that.

    A rule that leads back to itself, or has too many states, is judged by Lark.

    Args:
        rule: its name in any letter case.
        text: the grammar; the core rules are at hand.
        name: what to call the text in messages: that of its file.
        imports: shipped grammars, or files, from which rules that are not defined are taken.

    URIError with all problems if the text cannot be read, UnknownRuleError if it has no such rule.

    >>> own = written_membership(None, 'nested = "(" [ nested ] ")"')
    >>> own.irregular, own.judge("(())").matches, own.judge("(()").matches
    ('it is recursive, nested → nested', True, False)
    """
    from abnf2lark.reading.near_misses import no_rule  # noqa: PLC0415 - the compiler is seldom used

    grammar = _read(text, name, imports)
    found = grammar.find(grammar.own[0] if rule is None else rule)
    if found is None:
        raise UnknownRuleError(no_rule(rule or "", grammar))
    return _membership(grammar, found.name)


def _read(text: str, name: str, imports: Sequence[str]) -> Grammar:
    from abnf2lark.reading.binding import load  # noqa: PLC0415 - the compiler is seldom used
    from abnf2lark.reading.imports import import_grammars, origin_of  # noqa: PLC0415 - same
    from abnf2lark.reading.problems import (  # noqa: PLC0415 - same
        GrammarError,
        InputError,
        Source,
        has_errors,
    )

    try:
        known = import_grammars(imports)
        source = Source(name, text)
        grammar, problems = load(source, origin_of(source, known), known)
    except (GrammarError, InputError) as error:
        raise URIError(str(error)) from None
    if has_errors(problems):
        raise URIError("\n".join(problem.show() for problem in problems))
    return grammar


def _membership(grammar: Grammar, rule: str) -> Membership:
    from abnf2lark.automata import Alphabet, TooLargeError, languages  # noqa: PLC0415 - see above
    from abnf2lark.lark_grammars.membership import lark_membership  # noqa: PLC0415 - see above
    from abnf2lark.reading.ir import reachable  # noqa: PLC0415 - see above
    from abnf2lark.reading.loops import recursion, shown  # noqa: PLC0415 - see above

    loop = recursion(grammar, (rule,))
    if loop:
        return Membership(rule, lark_membership(grammar, rule), f"it is recursive, {shown(loop)}")
    alphabet = Alphabet(grammar.rules[name].body for name in reachable(grammar, (rule,)))
    try:
        language = languages(grammar.rules, alphabet, [rule])[rule]
    except TooLargeError:
        return Membership(rule, lark_membership(grammar, rule), "it has too many states")
    classes = [alphabet.chars([label]).ranges for label in range(alphabet.size)]
    return Membership(rule, Automaton(classes, language.edges, language.final))
