"""Texts that tell a rule from its mutants: the rules that one edit of the grammar makes of it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, cast

from uriparse._compiled._packed import load
from uriparse._compiled.index import WITNESSED
from uriparse.grammar.matchers import rule_name

_Kept: TypeAlias = "tuple[list[tuple[str, str]], int, int, int]"


class Witnesses(NamedTuple):
    """What has become of the edits of all rules that a rule leads to.

    texts: few texts, each with the first of the edits, in words, that it tells from the rule; any
        edit that changes anything is told by one.
    mutants: how many edits there are.
    equal: how many of them change nothing: no text tells them.
    undecided: how many of them were given up, as it takes too long to find what they change.
    """

    texts: tuple[tuple[str, str], ...]
    mutants: int
    equal: int
    undecided: int


def kept_witnesses(rule: str, grammar: str = "rfc3986") -> Witnesses | None:
    """Give those that were found when a grammar was compiled; None where nobody looked for any.

    UnknownRuleError if there is no such rule.

    >>> found = kept_witnesses("URI")
    >>> found.mutants, found.equal, found.texts[0][1]
    (934, 149, 'URI: scheme and ":" swapped')
    >>> kept_witnesses("port")
    """
    name = rule_name(rule, grammar)
    if name not in WITNESSED[grammar]:
        return None
    texts, mutants, equal, undecided = cast("_Kept", load(grammar, "witnesses").json(name))
    return Witnesses(tuple((text, edit) for text, edit in texts), mutants, equal, undecided)
