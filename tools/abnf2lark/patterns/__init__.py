"""Regular expressions of rules: made, and proved to match what the rule derives.

`passes` rewrites the rule and finds where a loop may be possessive, `emit_pattern` writes in the
flavour of an engine, `proof` reads back what was written and compares automata, `rule_expression`
does all of it for a rule.
"""
