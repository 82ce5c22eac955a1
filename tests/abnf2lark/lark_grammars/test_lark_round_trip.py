"""What Lark makes of an expression: the one that was proved, whatever characters it holds."""

import lark
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marks import some_slow

from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.lark_grammars.lexing import prove_expressions
from abnf2lark.patterns.proof import ProofError

# What means something to Lark, to Python's strings or to its expressions.
CHARACTERS = "\\\"'/[]^-&~|.*+?(){}$# \t\n\r\0xuUnNrZd5ca\x7f\x85\u2028\ufeff\U0001f600"


def spelled(characters):
    return " / ".join(f"%x{ord(char):X}" for char in characters)


@pytest.mark.parametrize(
    "rules", some_slow(["s = *({}) ; LALR", EARLEY := "s = ({0}) [ s ] [ s ] ; Earley"], EARLEY)
)
@given(characters=st.sets(st.sampled_from(CHARACTERS), min_size=1))
@example(characters={"\\", '"'})
@example(characters={"\\"})
def test_a_set_of_characters_is_the_same_to_lark(grammar, rules, characters):
    made = compile_grammar(grammar(rules.format(spelled(sorted(characters))) + "\n"), ("s",))
    assert made.parser == rules.partition("; ")[2].lower()
    parser = lark.Lark(made.text, parser=made.parser, start=made.starts[0])
    for char in CHARACTERS:
        assert accepts(parser, char) is (char in characters), char


@given(text=st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=6))
@example(text='\\"')
@example(text='"\\"\\\\""')
def test_a_text_is_the_same_to_lark(grammar, text):
    codes = ".".join(f"{ord(char):X}" for char in text)
    made = compile_grammar(grammar(f"s = %x{codes}\n"), ("s",))
    parser = lark.Lark(made.text, parser="lalr", start=made.starts[0])
    assert accepts(parser, text)
    for place in range(len(text)):
        assert not accepts(parser, text[:place] + text[place + 1 :])


def accepts(parser, text):
    try:
        parser.parse(text)
    except lark.UnexpectedInput:
        return False
    return True


def test_a_quoted_string_may_be_empty_or_hold_a_quotation_mark(grammar):
    rules = "t = DQUOTE s DQUOTE\ns = *( %x20-21 / %x23-5B / %x5D-7E / %x5C %x22 )\n"
    made = compile_grammar(grammar(rules), ("t",))
    parser = lark.Lark(made.text, parser=made.parser, start=made.starts[0])
    assert [text for text in ('""', '"a"', r'"\""', r'"a\"b"') if not accepts(parser, text)] == []
    assert [text for text in ('"""', '"', r'"\"', r'"\a"') if accepts(parser, text)] == []


def test_another_reading_is_no_proof():
    with pytest.raises(ProofError, match="Lark reads"):
        prove_expressions('start: A\nA: /[\\\\"]/\n', ["start"], {"A": '[\\\\"]'})
