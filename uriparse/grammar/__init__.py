"""A matcher, an automaton and a Lark parser for each grammar rule, from the generated tables.

The tables are in `uriparse._compiled`. Only `lark_parser` and `lalr` import Lark, and they are
imported only when a tree is requested.
"""

from uriparse.grammar.matchers import (
    Expression,
    bytes_matcher,
    charset,
    dispatch,
    expressions,
    grammars,
    matcher,
    rule_name,
    rules,
    start_rule,
)

__all__ = [
    "Expression",
    "bytes_matcher",
    "charset",
    "dispatch",
    "expressions",
    "grammars",
    "matcher",
    "rule_name",
    "rules",
    "start_rule",
]
