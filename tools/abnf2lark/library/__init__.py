"""The compiler as a library: a grammar that has been read, and what can be asked of it.

`grammar` reads ABNF and answers, with `explanations`, `parse_trees` and `records`. The package's
front, `abnf2lark`, has the names.
"""
