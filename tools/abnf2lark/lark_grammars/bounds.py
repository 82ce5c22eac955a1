"""Refuse grammars that are so large that Lark would not load what they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.charts import LimitError
from abnf2lark.reading.ir import walk

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar

MAX_RULES = 3_000
MAX_ELEMENTS = 60_000
"""Of all rules as they are written; Lark takes about ten seconds to load so many."""


class GrammarTooLargeError(LimitError):
    """A grammar is too large for Lark; the message says by which rule, and what to do."""


def refuse_large(grammar: Grammar) -> None:
    """Raise :class:`GrammarTooLargeError` for a grammar that has too many rules or elements."""
    elements = {name: sum(1 for _ in walk(rule.body)) for name, rule in grammar.rules.items()}
    total, rules = sum(elements.values()), len(elements)
    remedy = "start from a rule that leads to fewer"
    if rules > MAX_RULES:
        told = f"the start rules lead to {rules:,} rules; {MAX_RULES:,} can be compiled"
    elif total > MAX_ELEMENTS:
        name = max(elements, key=elements.__getitem__)
        place = grammar.rules[name].place
        where = f" ({place})" if place else ""
        told = (
            f"the start rules lead to {total:,} elements, {elements[name]:,} of them in "
            f"{name}{where}; {MAX_ELEMENTS:,} can be compiled"
        )
    else:
        return
    raise GrammarTooLargeError(f"{grammar.name} is too large for Lark: {told}: {remedy}")
