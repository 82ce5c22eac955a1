"""Automata, under one name: alphabets, languages, and the way from expressions to them."""

from abnf2lark.automata.comparison import (
    Comparison,
    UndecidedError,
    compare_grammars,
    compare_rules,
    compared,
    part_of_many_states,
    refuse_long,
    shortest_word,
)
from abnf2lark.automata.language import (
    END_OF_TEXT,
    Alphabet,
    Language,
    TooLargeError,
    common_word,
    first_words,
    labels_to,
    limited,
    spend,
)
from abnf2lark.automata.nfa import Nfa, language_of_node, languages

__all__ = [
    "END_OF_TEXT", "Alphabet", "Comparison", "Language", "Nfa", "TooLargeError",
    "UndecidedError", "common_word", "compare_grammars", "compare_rules",
    "compared", "first_words", "labels_to", "language_of_node", "languages", "limited",
    "part_of_many_states", "refuse_long", "shortest_word", "spend",
]  # fmt: skip
