"""Trees of every rule of a shipped grammar, derived by the compiler's engine.

`abnf2lark` is loaded when one of these functions is called, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from uriparse.grammar.matchers import Expression, expressions

if TYPE_CHECKING:
    from lark import Token, Tree

    from abnf2lark.charts import States
    from abnf2lark.ir import Grammar, Node


def full_tree(text: str, rule: str, grammar: str) -> Tree[Token] | None:
    """Return the tree of every rule, down to characters; None if the text does not match.

    `rule` is in the RFC's spelling. Takes linear time, since no shipped rule is recursive.
    """
    from abnf2lark.charts import read  # noqa: PLC0415 - see above
    from abnf2lark.library.parse_trees import grown  # noqa: PLC0415 - see above

    states = _states(grammar)
    found = read(states, rule, text, kept=states.grammar.rules).derivation
    return None if found is None else grown(found)


@cache
def _states(grammar: str) -> States:
    from abnf2lark.charts import States  # noqa: PLC0415 - see above

    return States(as_grammar(expressions(grammar)))


def as_grammar(rules: Mapping[str, Expression]) -> Grammar:
    """Return rules as the compiler has them."""
    from abnf2lark import ir  # noqa: PLC0415 - see above

    def node(expression: Expression) -> Node:
        match expression:
            case ("chars", tuple(ranges)):
                return ir.Chars(ranges)
            case ("text", str(value)):
                return ir.Text(value)
            case ("ref", str(name)):
                return ir.Ref(name)
            case ("seq", tuple(items)):
                return ir.Seq(tuple(map(node, items)))
            case ("alt", tuple(items)):
                return ir.Alt(tuple(map(node, items)))
            case ("rep", tuple(item), int(low), int(high)):
                return ir.Rep(node(item), low, high if high >= 0 else None)
            case _:
                raise TypeError(expression)

    nowhere = ir.Position(0, 0)
    known = {name: ir.Rule(name, node(body), "", nowhere) for name, body in rules.items()}
    return ir.Grammar("", known, tuple(known))
