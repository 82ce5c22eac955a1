"""Which Python the expressions of a Lark grammar need, and forms that other engines read."""

from __future__ import annotations

from collections.abc import Iterable
from re import _parser

from abnf2lark import ir
from abnf2lark.automata import Alphabet
from abnf2lark.charts import LimitError
from abnf2lark.lark_grammars.component_rules import LexedTerminal
from abnf2lark.patterns.emit_pattern import PORTABLE, pattern
from abnf2lark.patterns.proof import (
    ProofError,
    ahead,
    backtracking,
    guard_expression,
    guard_language,
    language_of,
    read_back,
)


def needed(expressions: Iterable[str], *, portable: bool) -> str:
    """Say what has to read the expressions of a Lark grammar."""
    if portable:
        return 'Python 3.8 or later; JavaScript: lark-js, get_parser({g_regex_flags: "u"})'
    if any("POSSESSIVE_REPEAT" in repr(_parser.parse(one)) for one in expressions):
        return "Python 3.11 or later, for possessive quantifiers; --portable does without"
    return "Python 3.8 or later"


def portable_form(name: str, terminal: LexedTerminal) -> LexedTerminal:
    """Write a terminal so that Python from 3.8 on reads it, and JavaScript with the flag `u`.

    What is written is parsed again and proved to match the same texts, by the same lookahead.
    Loops may give back then, which is no other match where the next character decides them;
    `LimitError` where that would take more than linear time.
    """
    node, _ = read_back(terminal.pattern)
    text, guard = pattern(node, PORTABLE), ""
    if terminal.guard:
        seen, _, is_negative = ahead(terminal.guard)
        guard = f"(?{'!' if is_negative else '='}{pattern(seen, PORTABLE)})"
    why = backtracking(ir.seq([node, guard_expression(terminal.guard)]))
    if why is not None:
        raise LimitError(f"{name} needs loops that never give back, which are not portable: {why}")
    alphabet = Alphabet([node, guard_expression(terminal.guard)])
    followed = alphabet.chars(guard_language(terminal.guard, alphabet).first())
    is_same = language_of(text, alphabet) == language_of(terminal.pattern, alphabet, followed)
    if not is_same or guard_language(guard, alphabet) != guard_language(terminal.guard, alphabet):
        raise ProofError(f"the portable form of {name} matches other texts")
    if guard and isinstance(node, ir.Alt):
        text = f"(?:{text})"
    return LexedTerminal(text, guard, terminal.priority)
