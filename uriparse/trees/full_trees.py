"""Trees of every rule of a shipped grammar, derived by the compiler's engine.

`abnf2lark` is loaded when one of these functions is called, and not before.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from uriparse.grammar import rule_expressions
from uriparse.grammar.rule_sources import as_grammar
from uriparse.trees.lark_parser import ParseTree

if TYPE_CHECKING:
    from abnf2lark.charts import States
    from abnf2lark.library.parse_trees import DerivedTree


def full_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Return the tree of every rule, down to characters; None if the text does not match.

    `rule` is in the RFC's spelling. Takes linear time, since no shipped rule is recursive.
    """
    from abnf2lark.charts import read  # noqa: PLC0415 - see above
    from abnf2lark.library.parse_trees import grown  # noqa: PLC0415 - see above

    states = _states(grammar)
    found = read(states, rule, text, kept=states.grammar.rules).derivation
    return None if found is None else cast("ParseTree", grown(found, _kind()))


@cache
def _states(grammar: str) -> States:
    from abnf2lark.charts import States  # noqa: PLC0415 - see above

    return States(as_grammar(rule_expressions(grammar)))


@cache
def _kind() -> type[DerivedTree]:
    from abnf2lark.library.parse_trees import DerivedTree  # noqa: PLC0415 - see above

    class FullTree(DerivedTree, ParseTree):
        """A tree of every rule, whose children are made when they are first looked at."""

        __repr__ = ParseTree.__repr__

        def __reduce__(self) -> tuple[object, ...]:  # type: ignore[override]  # with the text
            kept = {"text": self.text, "grammar": self.grammar}
            return ParseTree, (self.data, self.children, self.meta), kept

    return FullTree
