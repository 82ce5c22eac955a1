"""EBNF of the W3C: read again by a grammar of its own, each rule has the language that it had."""

import re

import pytest
from bundles import BUNDLES
from lark import Lark, Transformer
from marks import by_grammar

from abnf2lark import LimitError, load
from abnf2lark.automata import compare_rules
from abnf2lark.ebnf import ebnf
from abnf2lark.ir import Chars, Ref, Rep, Rule, RuleSet, alt, seq
from abnf2lark.reading.recursion import recursive_rules

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
    return int(text.replace("#", "0"), 0) if text.startswith("#x") else ord(text)


class Expressions(Transformer):
    """Makes the compiler's expressions."""

    def name(self, found):
        return Ref(str(found[0]))

    def string(self, found):
        return seq([Chars.single(char) for char in found[0][1:-1]])

    def code(self, found):
        return Chars.single(chr(code(found[0])))

    def set(self, found):
        spans = [(code(low), code(high or low)) for low, high in PART.findall(found[0][1:-1])]
        return Chars.of(spans)

    def optional(self, found):
        return Rep(found[0], 0, 1)

    def star(self, found):
        return Rep(found[0], 0, None)

    def plus(self, found):
        return Rep(found[0], 1, None)

    def sequence(self, found):
        return seq(found)

    def choice(self, found):
        return alt(found)


def read_again(text, like):
    rules = {}
    for line in text.splitlines():
        name, body = re.fullmatch(r"(\S+) +::= (.+)", line).groups()
        made = Expressions().transform(READER.parse(body))
        rules[name] = Rule(name, made, "test", like.rules[name].position)
    return RuleSet("test", rules, (*rules,))


def check(grammar):
    known = grammar.known
    again = read_again(ebnf(known), known)
    assert {*known.own} <= {*again.rules}
    recursive = recursive_rules(known)
    for name in again.rules:
        if not recursive:
            assert compare_rules(known, name, again, name).relation == "equal", name
    return again


@pytest.mark.parametrize("name", by_grammar(sorted(BUNDLES)))
def test_a_bundled_grammar_has_the_same_languages(name):
    check(load(name))


def test_each_kind_of_expression():
    check(
        load(
            's = *1"a" 2*3t *( "b" / %s"Cd" ) [ u ] "" / "\'" %x22 / %x0D.0A / 0*0"x" / v\n'
            't = %x41-5A / %x30 / "#" / "-" / "]"\nu = 1*2( "" / "q" ) / 3( "x" / "y" )\n'
            'v = 2*( "]" "^-" )\n'
        )
    )


def test_a_recursive_grammar_keeps_its_texts():
    grammar = load('s = "[" [ s *2( "," s ) ] "]" / 1*DIGIT')
    text = ebnf(grammar.known)
    assert text.splitlines()[0] == 's     ::= "[" (s ("," s)? ("," s)?)? "]" | DIGIT+'


def test_a_count_that_is_too_large_is_told(abnf2lark):
    with pytest.raises(LimitError, match="s is too long in EBNF"):
        ebnf(load("s = 5000DIGIT").known)
    done = abnf2lark("ebnf", "t.abnf", t='a = "x" b\nb = 1*DIGIT\nc = "z"\n')
    assert done.out.splitlines()[:2] == ["a     ::= [Xx] b", "b     ::= DIGIT+"]
    assert (
        "c " not in abnf2lark("ebnf", "t.abnf", "--start", "a", t='a = b\nb = "-"\nc = "z"\n').out
    )
