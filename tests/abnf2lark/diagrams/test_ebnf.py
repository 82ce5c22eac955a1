"""EBNF of the W3C: read again by a grammar of its own, each rule has the language that it had."""

import re
from contextlib import suppress

import pytest
from bundles import BUNDLES
from lark import Lark, Transformer
from marks import by_grammar

from abnf2lark import UndecidedError, load

READER = Lark(
    r"""
    ?start: choice
    ?choice: sequence ("|" sequence)*
    ?sequence: item+
    ?item: primary "?" -> optional | primary "*" -> star | primary "+" -> plus | primary
    ?primary: NAME -> name | STRING -> string | SET -> set | CODE -> code | "(" choice ")"
    NAME: /[A-Za-z][A-Za-z0-9._-]*/
    STRING: /"[^"]*"|'[^']*'/
    SET: "[" /[^]]+/ "]"
    CODE: /#x[0-9A-F]+/
    %ignore " "
    """,
    parser="lalr",
)
PART = re.compile("(#x[0-9A-F]+|[^#])(?:-(#x[0-9A-F]+|[^#]))?")


def code(text):
    return text.replace("#", "%") if text.startswith("#x") else f"%x{ord(text):X}"


def own(name):
    """Name a rule of another grammar, "other.rule", as ABNF can."""
    return name.replace(".", "--")


class Abnf(Transformer):
    """Writes the same expression in ABNF, with codes alone."""

    def name(self, found):
        return own(found[0])

    def string(self, found):
        return f"( {' '.join(map(code, found[0][1:-1]))} )" if found[0][1:-1] else '""'

    def code(self, found):
        return code(found[0])

    def set(self, found):
        spans = PART.findall(found[0][1:-1])
        return (
            f"( {' / '.join(code(low) + (high and f'-{code(high)[2:]}') for low, high in spans)} )"
        )

    def optional(self, found):
        return f"[ {found[0]} ]"

    def star(self, found):
        return f"*( {found[0]} )"

    def plus(self, found):
        return f"1*( {found[0]} )"

    def sequence(self, found):
        return f"( {' '.join(found)} )"

    def choice(self, found):
        return f"( {' / '.join(found)} )"


def read_again(text):
    rules = [re.fullmatch(r"(\S+) +::= (.+)", line).groups() for line in text.splitlines()]
    return load(
        "".join(f"{own(name)} = {Abnf().transform(READER.parse(body))}\n" for name, body in rules)
    )


def check(grammar, written):
    again = read_again(written)
    assert {*grammar.rules} <= {*again.rules}
    equal = 0
    for name in again.rules:
        with suppress(UndecidedError):  # of a rule that is recursive
            assert grammar.equal(name.replace("--", "."), name, again), name
            equal += 1
    assert equal > len(grammar.rules) // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", by_grammar(sorted(BUNDLES)))
def test_a_bundled_grammar_has_the_same_languages(abnf2lark, name):
    check(load(name), abnf2lark("ebnf", name).out)


KINDS = """\
s = *1"a" 2*3t *( "b" / %s"Cd" ) [ u ] "" / "'" %x22 / %x0D.0A / 0*0"x" / v
t = %x41-5A / %x30 / "#" / "-" / "]"
u = 1*2( "" / "q" ) / 3( "x" / "y" )
v = 2*( "]" "^-" )
"""


def test_each_kind_of_expression(abnf2lark):
    check(load(KINDS), abnf2lark("ebnf", "t.abnf", t=KINDS).out)


def test_a_recursive_grammar_keeps_its_texts(abnf2lark):
    abnf = 's = "[" [ s *2( "," s ) ] "]" / 1*DIGIT\n'
    done = abnf2lark("ebnf", "t.abnf", t=abnf)
    assert done.out.splitlines()[0] == 's     ::= "[" (s ("," s)? ("," s)?)? "]" | DIGIT+'
    grammar, again = load(abnf), read_again(done.out)
    with pytest.raises(UndecidedError):
        grammar.equal("s", "s", again)
    assert [*grammar.generate_all(4)] == [*again.generate_all(4)]


def test_a_count_that_is_too_large_is_told(abnf2lark):
    done = abnf2lark("ebnf", "t.abnf", t="s = 5000DIGIT\n")
    assert (done.code, done.out) == (1, "")
    assert "s is too long in EBNF" in done.err
    text = 'a = "x" b\nb = 1*DIGIT\nc = "z"\n'
    done = abnf2lark("ebnf", "t.abnf", t=text)
    assert done.out.splitlines()[:2] == ["a     ::= [Xx] b", "b     ::= DIGIT+"]
    assert "c " not in abnf2lark("ebnf", "t.abnf", "--start", "a", t=text).out
