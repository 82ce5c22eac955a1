"""Mistakes that people make in a grammar, and the texts that betray them.

`edits` makes every grammar that one edit leads to, `automata` finds the shortest texts on which two
languages differ, `witnesses` gathers few that betray every mutant of a rule.
"""
