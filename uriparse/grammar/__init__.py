"""The generated tables at work: a matcher, an automaton, a Lark parser for each rule.

What is generated lies in `uriparse._compiled`; nothing above this wing reads it. Lark is loaded by
`lark_parser`, its `lexer` and `tree` alone, which are imported where a tree is asked for.
"""

from uriparse.grammar.matchers import (
    bytes_matcher,
    charset,
    grammars,
    matcher,
    rule_name,
    rules,
    start_rule,
)

__all__ = ["bytes_matcher", "charset", "grammars", "matcher", "rule_name", "rules", "start_rule"]
