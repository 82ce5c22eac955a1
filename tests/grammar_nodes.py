"""The nodes of a grammar that the compiler has read, for tests that judge by a grammar themselves.

The tests take them from here: one file of theirs knows where the compiler keeps them.
"""

from abnf2lark.ir import (
    EMPTY,
    Alt,
    Capture,
    Chars,
    Node,
    Position,
    Ref,
    Rep,
    Rule,
    RuleSet,
    Seq,
    Text,
    alt,
    children,
    is_nullable,
    leading_to,
    nullable_rules,
    reachable,
    rebuild,
    seq,
    walk,
)

__all__ = [
    "EMPTY", "Alt", "Capture", "Chars", "Node", "Position", "Ref", "Rep", "Rule", "RuleSet", "Seq",
    "Text", "alt", "children", "is_nullable", "leading_to", "nullable_rules", "reachable",
    "rebuild", "seq", "walk",
]  # fmt: skip
