"""Automata, under one name: alphabets, languages, and the way from expressions to them."""

from abnf2lark.automata.alphabet import END_OF_TEXT, Alphabet
from abnf2lark.automata.choices import first_words
from abnf2lark.automata.comparison import Comparison, UndecidedError, compare_rules, plainer
from abnf2lark.automata.language import Language, common_word
from abnf2lark.automata.large_rules import part_of_many_states, refuse_long
from abnf2lark.automata.limits import MAX_STATES, TooLargeError, limited, spend
from abnf2lark.automata.nfa import Nfa, add_languages, languages
from abnf2lark.automata.quotients import extensions, quotient

__all__ = [
    "END_OF_TEXT",
    "MAX_STATES",
    "Alphabet",
    "Comparison",
    "Language",
    "Nfa",
    "TooLargeError",
    "UndecidedError",
    "add_languages",
    "common_word",
    "compare_rules",
    "extensions",
    "first_words",
    "languages",
    "limited",
    "part_of_many_states",
    "plainer",
    "quotient",
    "refuse_long",
    "spend",
]
