"""Regular expressions of rules: made, and proved to match what the rule derives.

`passes` rewrite the rule, `determinism` says where a loop may be possessive, `emit_pattern` writes
in the flavour of an engine, `proof` reads back what was written and compares automata.
"""
