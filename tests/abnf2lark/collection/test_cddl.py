"""CDDL has no LALR parser, whatever its tokens: what decides stands behind brackets without end.

Behind `#6` a parenthesis belongs to the tag, or begins the next entry of a group. Of

    a=(ᵏ #6 (ⁿ b )ᵐ /c,d )ˡ

only that is right where m > n, only this where m < n; so a parser from the bottom up would have to
know, before it reads on, whether `#6` is a type by itself. A finite automaton that looks ahead, be
it to the end of the text, comes to the same state behind some (ⁿ b )ᵐ as behind (ⁿ b )ᵐ⁺ᵖ; and what
follows there is the same, since any number of parentheses may be open before. It is so with `b.c`,
too, which is one name, or `b` and a control operator.
"""

import pytest
from cases import each_case

import abnf2lark
from tools.collection.grammars import FOLDER

CDDL = (FOLDER / "grammars" / "cddl.abnf").read_text(encoding="utf-8")
# What is ambiguous, and how to leave out either reading: that it is two, that it is one.
READINGS = {
    "#6(b": ({'"#" "6" ["." uint] "("': '"#" "6" "%"'},
             {'"#" DIGIT ["." uint] ': '"#" %x30-35 ',
              '"#"                                 ; any': '"%"'}),
    "b.c(d": ({'ctlop = "." id': 'ctlop = "%" id'}, {'*(*("-" / ".")': '*(*"-"'}),
}  # fmt: skip
ENDS = 2  # parentheses that close in the end
DEEPEST = 5


def without(changes):
    rules = CDDL
    for old, new in changes.items():
        assert rules.count(old) == 1
        rules = rules.replace(old, new)
    return abnf2lark.load(rules)


@pytest.mark.slow
@each_case("begin", READINGS)
def test_no_automaton_tells_what_belongs_together(begin):
    grammar = abnf2lark.load(CDDL)
    apart, together = map(without, READINGS[begin])
    first, inner = begin.split("(")
    for opened in range(1, DEEPEST):
        for closed in range(1, DEEPEST):
            before = ENDS + closed - opened
            text = f"a={'(' * before}{first}{'(' * opened}{inner}{')' * closed}/c,d{')' * ENDS}"
            if before > 0:
                assert grammar.matches(text, "cddl"), text
                assert apart.matches(text, "cddl") == (closed <= opened), text
                assert together.matches(text, "cddl") == (closed >= opened), text
