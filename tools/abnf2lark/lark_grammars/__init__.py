"""Lark grammars of rules: LALR where guards are proved, Earley elsewhere.

`component_rules` chooses what trees hold; `lexing` and `guards` make terminals that never cut
wrongly; `compiling` compiles a user's grammar.
"""
