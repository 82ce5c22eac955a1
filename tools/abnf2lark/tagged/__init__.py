"""Automata that find the components of a text while they read it.

`automaton` unfolds a rule into ordered ways to read it and makes one deterministic automaton of
them; `format` carries it over to UTF-8, writes and reads its tables; `tagged_proof` compares what
was read back with the rule and with its matcher.
"""
