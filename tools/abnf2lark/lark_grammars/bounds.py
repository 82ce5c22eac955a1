"""Refuse grammars that are so large that Lark would not load what they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, TooLargeError
from abnf2lark.charts import LimitError
from abnf2lark.reading.ir import Chars, walk
from abnf2lark.reading.large_parts import elements

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar

MAX_RULES = 3_000
MAX_ELEMENTS = 60_000
"""Of all rules as they are written; Lark takes about ten seconds to load so many."""

MAX_SETS = 3_000
"""Sets of characters that differ, each of which may become a terminal."""


class GrammarTooLargeError(LimitError):
    """A grammar is too large for Lark; the message says by which rule, and what to do."""


def refuse_large(grammar: Grammar) -> None:
    """Raise :class:`GrammarTooLargeError` for a grammar with too many rules, elements or sets."""
    total, counted = elements(grammar, grammar.rules)
    if (rules := len(grammar.rules)) > MAX_RULES:
        told = f"{rules:,} rules; {MAX_RULES:,} can be compiled"
    elif total > MAX_ELEMENTS:
        told = f"{counted}; {MAX_ELEMENTS:,} can be compiled"
    elif (sets := _sets(grammar)) > MAX_SETS:
        told = f"{sets:,} sets of characters; {MAX_SETS:,} can be compiled"
    elif _is_in_pieces(grammar):
        told = f"{sets:,} sets of characters, of which too many overlap"
    else:
        return
    raise GrammarTooLargeError(
        f"{grammar.name} is too large for Lark: the start rules lead to {told}: "
        "start from a rule that leads to fewer"
    )


def _sets(grammar: Grammar) -> int:
    parts = (part for rule in grammar.rules.values() for part in walk(rule.body))
    return len({part for part in parts if isinstance(part, Chars)})


def _is_in_pieces(grammar: Grammar) -> bool:
    """Tell whether sets of characters cut each other to so many pieces that nothing is proved."""
    try:
        Alphabet(rule.body for rule in grammar.rules.values())
    except TooLargeError:
        return True
    return False
