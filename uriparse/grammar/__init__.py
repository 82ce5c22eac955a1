"""A matcher and an automaton for each grammar rule, from the generated tables.

The tables are in `uriparse._compiled`; the parsers of Lark are in `uriparse.trees`.
"""

from uriparse.grammar.matchers import (
    Expression,
    bytes_matcher,
    charset,
    dispatch,
    grammars,
    matcher,
    rule_expressions,
    rule_name,
    rules,
    start_rule,
)

__all__ = [
    "Expression", "bytes_matcher", "charset", "dispatch", "grammars", "matcher",
    "rule_expressions", "rule_name", "rules", "start_rule",
]  # fmt: skip
