"""Compile a recursive grammar to a Lark grammar for LALR, where the proof is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet
from abnf2lark.lark_grammars.components import Components, cut
from abnf2lark.lark_grammars.emit_lark import lark_text
from abnf2lark.lark_grammars.lexing_states import LexingStates
from abnf2lark.lark_grammars.plain_names import renamed, with_plain_names
from abnf2lark.lark_grammars.recursive_lexing import RecursiveLexing
from abnf2lark.lark_grammars.remembering import remembered
from abnf2lark.lark_grammars.terminals import terminal_languages
from abnf2lark.reading.ir import Chars, Text, leading_to, nullable_rules, walk
from abnf2lark.reading.loops import recursive_rules

if TYPE_CHECKING:
    from abnf2lark.lark_grammars.emit_lark import LexedTerminal
    from abnf2lark.reading.ir import Grammar


def recursive_components(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> Components:
    """Cut a recursive grammar; rules that lead back to themselves are nodes, whatever is wanted."""
    recursive = recursive_rules(grammar)
    texts = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, Chars | Text) for part in walk(rule.body))
    }
    nullable = nullable_rules(grammar)
    components = cut(
        grammar,
        starts,
        nodes | recursive,
        leaves - recursive,
        nullable=nullable,
        only_empty=nullable - leading_to(grammar, texts),
    )
    components = with_plain_names(components)
    return renamed(components, remembered(components.rules, components.abnf_names))


def lexed(components: Components) -> dict[str, LexedTerminal]:
    """Find guards and priorities for a recursive component grammar.

    Raises :class:`ConflictError` where it is not LALR(1), :class:`UnprovableError` where tokens
    cannot be told apart.
    """
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    languages = terminal_languages(components, alphabet)
    states = LexingStates(lark_text(components, {}, {}), list(components.starts.values()))
    return RecursiveLexing(components, states, languages, alphabet).solve()
