"""Automata, under one name: alphabets, languages, and the way from expressions to them."""

from .alphabet import END_OF_TEXT, Alphabet
from .language import MAX_STATES, Language, TooLargeError, common_word, limited
from .nfa import Nfa, languages

__all__ = [
    "END_OF_TEXT",
    "MAX_STATES",
    "Alphabet",
    "Language",
    "Nfa",
    "TooLargeError",
    "common_word",
    "languages",
    "limited",
]
