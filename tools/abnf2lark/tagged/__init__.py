"""Automata that find the components of a text while they read it.

`marks` says what is reported, `threads` unfolds a rule into ordered ways to read it, `automaton`
makes one deterministic automaton of them, `octets` carries it over to UTF-8, `format` writes and
reads its tables, `proof` holds what was read back to the rule and to its matcher.
"""
