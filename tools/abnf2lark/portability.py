"""What other tools refuse in a grammar that is right: measured with abnf 2.9, apg-js 4.4, bap 1.4.

All three end a rule at a line that begins in the first column, as RFC 5234 has it: what goes on
with a rule begins with a space.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from abnf2lark import ir
from abnf2lark.problems import Problem, Source
from abnf2lark.reading.scan import TOKEN, chunks

if TYPE_CHECKING:
    import re

TOOLS = ("abnf", "apg-js", "bap")
"""The tools that are known."""

MAX_BAP = 0xFF  # characters beyond it are cut off


def line_problems(source: Source) -> Iterator[Problem]:
    """Report lines inside rules that begin in the first column: empty ones, and comments."""
    for chunk in chunks(source):
        text = source.text[chunk.offset : chunk.offset + len(chunk.text)]
        first = source.position(chunk.offset).line
        for number, line in enumerate(text.split("\n")[1:], first + 1):
            if line[:1] not in (" ", "\t"):
                what = "a comment in the first column" if line.strip() else "an empty line"
                told = f"{what} inside a rule: RFC 5234 and most tools end the rule here"
                yield Problem(source, ir.Position(number, 1), "blank-line", told, "warning")


def last_line_problems(source: Source) -> Iterator[Problem]:
    """Report a last line without its end, which RFC 5234 asks for; bap refuses it."""
    if source.text and source.text[-1] not in "\r\n":
        here = source.position(len(source.text))
        yield Problem(source, here, "last-line", "the last line has no line end", "warning")


def unused_problems(source: Source, grammar: ir.Grammar) -> Iterator[Problem]:
    """Report the rules that no other one refers to, but for the first."""
    used = {
        ref.name for rule in grammar.rules.values() for ref in ir.references(rule.body)
        if ref.name != rule.name
    }  # fmt: skip
    for name in grammar.own[1:]:
        if name not in used:
            text = f'no other rule refers to "{name}"'
            yield Problem(source, grammar.rules[name].position, "unused", text, "warning")


def refusals(source: Source, grammar: ir.Grammar, core: ir.Grammar, tool: str) -> Iterator[Problem]:
    """Report what a tool would refuse; raises KeyError for one that is not known."""
    own = [grammar.rules[name] for name in grammar.own]
    core_names = {name.casefold() for name in core.rules}

    def problem(here: ir.Position, text: str) -> Problem:
        return Problem(source, here, "refused", f"{tool} {text}", "warning")

    if tool != "bap":
        for number, line in enumerate(source.text.split("\n"), 1):
            beyond = next((place for place, char in enumerate(line) if not char.isascii()), None)
            if beyond is not None:
                yield problem(ir.Position(number, beyond + 1), "refuses characters beyond ASCII")
        for rule in own:
            if rule.position.column > 1:
                yield problem(rule.position, "refuses rules that are indented")
    for rule in own:
        is_core = rule.name.casefold() in core_names
        if tool == "abnf" and is_core:
            yield problem(rule.position, "refuses the definition of a core rule")
        if tool == "apg-js" and any(token.lastgroup == "prose" for token in _tokens(rule)):
            yield problem(rule.position, "refuses prose in angle brackets")
        ends = [high for ranges in ir.char_sets([rule.body]) for _, high in ranges]
        if tool == "bap" and max(ends, default=0) > MAX_BAP:
            yield problem(rule.position, "reads characters beyond %xFF as %xFF")
    if tool == "apg-js":
        missing = [name for name, rule in grammar.rules.items() if rule.origin == core.name]
        missing = [name for name in missing if name not in grammar.own]
        if missing:
            text = f"asks for core rules to be defined: {', '.join(missing)}"
            yield problem(own[0].position, text)


def _tokens(rule: ir.Rule) -> Iterator[re.Match[str]]:
    for chunk in chunks(Source("", rule.source)):
        yield from TOKEN.finditer(chunk.text)
