"""Mistakes that people make in a grammar, and the texts that detect them.

`edits` makes every grammar that one edit leads to, `mutant_automata` finds the shortest texts on
which two languages differ, `witnesses` selects few texts that distinguish every mutant of a rule.
"""
