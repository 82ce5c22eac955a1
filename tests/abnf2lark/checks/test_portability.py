"""What other tools refuse. The verdicts are those of abnf 2.9.1, apg-js 4.4.0 and bap 1.4."""

import abnf
import pytest
from cases import each_case, tables

from abnf2lark.checks import TOOLS

TABLES = tables(__file__)

# What each tool said when it was given the text; "" for one that took it.
CASES = TABLES["cases"]
ENDS = "RFC 5234 and most tools end the rule here"


@each_case(("text", "refused"), CASES)
def test_lint_says_what_each_tool_refuses(text, refused, abnf2lark):
    for tool in TOOLS:
        done = abnf2lark("lint", "t.abnf", "--tool", tool, "--ignore", "core-rule", t=text)
        everywhere = ("blank-line:", "last-line:")
        told = any(word in done.out for word in (f"refused: {tool} ", everywhere[0]))
        told |= tool == "bap" and everywhere[1] in done.out
        assert done.code == 0
        assert told == (tool in refused.split()), done.out


@each_case(("text", "refused"), CASES)
def test_the_package_abnf_does_so(text, refused):
    with pytest.MonkeyPatch.context() as patch:
        grammar = type("Own", (abnf.Rule,), {})
        patch.setattr("warnings.warn", lambda *_, **__: None)
        try:
            grammar.load_grammar(text)
            taken = True
        except (abnf.ParseError, abnf.GrammarError):
            taken = False
    assert taken == ("abnf" not in refused.split())


def headlines(done):
    return [line for line in done.out.splitlines() if line.startswith("t.abnf")]


def test_the_places_and_the_words(abnf2lark):
    text = 'a = "x" b\n\n  / "x" "y" / d\nb = "y" / "Y" "z"\nc = b\nd = "x" b'
    done = abnf2lark("lint", "t.abnf", "--ambiguity", "--unused", t=text)
    assert headlines(done) == [
        "t.abnf:1:1: ambiguous: a reads 'xy' as 'x' + b 'y' or as 'xy'",
        f"t.abnf:2:1: blank-line: an empty line inside a rule: {ENDS}",
        't.abnf:3:5: ambiguous: "xy" is matched here and by alternative 1',
        't.abnf:3:15: ambiguous: "xy" is matched here and by alternative 1',
        't.abnf:5:1: unused: no other rule refers to "c"',
        "t.abnf:6:10: last-line: the last line has no line end",
    ]
    ignored = [f"--ignore={code}" for code in ("ambiguous", "blank-line", "last-line")]
    assert headlines(abnf2lark("lint", "t.abnf", *ignored)) == []
