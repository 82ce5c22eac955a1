"""Tell by Lark whether texts belong to a rule: for rules that no automaton can be made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.compiling import compile_grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from abnf2lark.reading.ir import Grammar


def lark_membership(grammar: Grammar, rule: str) -> Callable[[str], bool]:
    """Compile a rule and return what tells whether a text belongs to it.

    Where that takes Lark's Earley parser, time grows with the cube of a text's length at worst.
    """
    from lark import Lark  # noqa: PLC0415 - slow to load
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - same

    made = compile_grammar(grammar, (rule,))
    parser = Lark(made.text, parser=made.parser, start=made.starts[0])

    def belongs(text: str) -> bool:
        try:
            parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    return belongs
