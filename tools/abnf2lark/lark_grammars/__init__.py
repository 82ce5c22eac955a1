"""Lark grammars of rules: LALR where guards are proved, Earley elsewhere.

`components` and `nodes` choose what trees hold, `tokens`, `lexing` and `guards` make terminals that
never cut wrongly, `compiling` is the door for a user's grammar.
"""
