r"""Compile ABNF grammars (RFC 5234, RFC 7405): matchers, trees, records, messages, Lark parsers.

`load` reads a grammar, whose methods are all else. Names are loaded from their modules when they
are first asked for; Lark is loaded for trees and parsers alone.

>>> import abnf2lark
>>> grammar = abnf2lark.load('sum = term *( "+" term )\nterm = 1*DIGIT / "(" sum ")"')
>>> grammar.matches("1+(2+3)")
True
>>> print(grammar.explain("1+(2+)"))
no sum: expected DIGIT or "(" at offset 5, found ")"
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would take a third of the time
if TYPE_CHECKING:
    from abnf2lark.automata import UndecidedError
    from abnf2lark.charts import Expected, LimitError
    from abnf2lark.library.explanations import Explanation, NoMatchError
    from abnf2lark.library.grammar import Grammar, load
    from abnf2lark.library.parse_trees import Ambiguity, DerivedTree, Parser, UnexpectedTextError
    from abnf2lark.library.records import Leaf, Record, Records
    from abnf2lark.patterns.rule_expression import FlavourError, NoExpressionError, NotRegularError
    from abnf2lark.problems import AbnfError, GrammarError, InputError, Problem

__all__ = [
    "AbnfError", "Ambiguity", "DerivedTree", "Expected", "Explanation", "FlavourError", "Grammar",
    "GrammarError", "InputError",
    "Leaf", "LimitError", "NoExpressionError", "NoMatchError", "NotRegularError", "Parser",
    "Problem", "Record", "Records", "UndecidedError", "UnexpectedTextError", "load",
]  # fmt: skip

# Where the names are held, by module. Such a name also is in __all__ and, for type checkers,
# among the imports above.
_HOMES = {
    "automata": "UndecidedError",
    "charts": "Expected LimitError",
    "library.grammar": "Grammar load",
    "library.records": "Leaf Record Records",
    "library.explanations": "Explanation NoMatchError",
    "library.parse_trees": "Ambiguity DerivedTree Parser UnexpectedTextError",
    "patterns.rule_expression": "FlavourError NoExpressionError NotRegularError",
    "problems": "AbnfError GrammarError InputError Problem",
}
_LAZY = {name: f"abnf2lark.{home}" for home, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:  # who would take any name for one that is there, and no slip for a slip

    def __getattr__(name: str) -> object:
        """Load a public name on first use (PEP 562)."""
        from importlib import import_module  # noqa: PLC0415 - so that importing stays quick

        if name not in _LAZY:
            from abnf2lark.hints import FRONT, advice  # noqa: PLC0415 - same

            hint = advice(name, FRONT)
            raise AttributeError(f"module 'abnf2lark' has no attribute {name!r}{hint}", name=name)
        return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
