"""Strategies for Hypothesis: words of a rule, and texts that just fail to be.

The only module of the wing that loads Hypothesis; the front does not load it. Examples shrink to a
shortest word.
"""

from typing import Final

from uriparse.conformance.generation import compiled
from uriparse.conformance.rule_automata import SUSPECTS, borders, sample
from uriparse.conformance.suites import first_refused, subject
from uriparse.errors import MissingExtraError
from uriparse.grammar.rule_sources import Source, source_of

__all__ = ["from_rule", "near_miss"]

try:
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtraError("hypothesis", "drawing examples") from None

from abnf2lark.library.generating import Deriver
from abnf2lark.library.strategies import derived, refused

LONGEST: Final = 80
"""Characters of a word, unless the shortest has more."""


def from_rule(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw words of a rule, recursive or not.

    longest: characters that a word has at most, unless the shortest has more.

    UnknownRuleError for an unknown rule.

    >>> from hypothesis import find
    >>> find(from_rule("URI"), lambda text: True)
    'a:'
    """
    source = source_of(grammar)
    return derived(Deriver(compiled(source)), source.rule_name(rule), longest)


def near_miss(
    rule: str = "URI", *, grammar: str | Source = "rfc3986", longest: int = LONGEST
) -> st.SearchStrategy[str]:
    """Draw texts that do not belong to a rule: words with one change.

    A word is cut short, or a character is put in, left out, replaced, doubled or swapped. A new
    character is at a border of the rule's sets of characters, or a suspect: a line end, a control,
    or a digit or letter of another script.

    UnknownRuleError for an unknown rule, ValueError if it refuses no text.

    >>> from hypothesis import find
    >>> find(near_miss("IPv4address"), lambda text: True)
    ''
    """
    found = subject(rule, grammar)
    if first_refused(found) is None and len(found.automaton.final) == len(found.automaton):
        raise ValueError(f"{found.rule} refuses no text")
    classes = found.automaton.classes
    ends = "".join(end for spans in classes for end in borders(spans))
    strangers = ("".join(map(sample, classes)), ends, SUSPECTS)
    return refused(
        from_rule(rule, grammar=grammar, longest=longest), found.automaton.accepts, strangers
    )
