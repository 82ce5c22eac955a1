"""Which rules are nodes where nobody says: all but characters, white space and core rules."""

from cases import each_case

from abnf2lark.ir import blank_rules
from abnf2lark.lark_grammars.compiling import character_rules, default_nodes

CASES = {
    "a set": ('a = 1*b\nb = "x" / DIGIT / "-"\n', {"a"}),
    "a set of sets": ('a = 1*b\nb = c / "-"\nc = ALPHA / DIGIT\n', {"a"}),
    "an escape beside characters": ('a = 1*b\nb = ALPHA / c\nc = "%" 2HEXDIG\n', {"a"}),
    "an escape in a loop": ('a = *( ALPHA / c )\nc = "\\" ( DQUOTE / "\\" )\n', {"a"}),
    "an escape of four": ('a = *( ALPHA / c )\nc = "\\" 3DIGIT\n', {"a"}),
    "too long for an escape": ('a = *( ALPHA / c )\nc = "\\" 4DIGIT\n', {"a", "c"}),
    "no escape: lengths differ": ('a = *( ALPHA / c )\nc = "." 1*3DIGIT\n', {"a", "c"}),
    "no escape: begins with a letter": ('a = *( "-" / c )\nc = "u" 2DIGIT\n', {"a", "c"}),
    "no escape: not beside a character": ('a = c ":" c\nc = "?" DIGIT\n', {"a", "c"}),
    "octets of UTF-8": (
        "a = *b\nb = c / d\nc = %x00-7F\nd = %xC2-DF e\ne = %x80-BF\n",
        {"a"},
    ),
    "several characters": ('a = b ":" b\nb = 2DIGIT\n', {"a", "b"}),
    "one or more characters": ('a = b ":" b\nb = 1*DIGIT\n', {"a", "b"}),
    "one alternative is longer": ('a = 4b\nb = DIGIT / "10"\n', {"a", "b"}),
    "white space": ('a = "x" b "y"\nb = *( SP / c )\nc = CRLF 1*WSP\n', {"a"}),
    "core rules": ("a = LWSP CRLF HEXDIG\n", {"a"}),
    "a core rule of one's own": ('a = "x" CRLF\nCRLF = "end" / CR LF\n', {"a", "CRLF"}),
    "the empty string": ('a = "x" b\nb = ""\n', {"a", "b"}),
    "nothing": ('a = "x" b\nb = 0DIGIT\n', {"a", "b"}),
    "recursive": ('a = "(" b ")" / "-"\nb = *a\n', {"a", "b"}),
}


@each_case("name", CASES)
def test_default_nodes(grammar, name):
    text, nodes = CASES[name]
    assert default_nodes(grammar(text)) == nodes


def test_the_parts_of_characters_and_spaces_are_told_apart(grammar):
    made = grammar('a = 1*( b / d )\nb = "x" / c\nc = "%" DIGIT\nd = 1*SP\n')
    assert character_rules(made) - {"DIGIT", "SP"} == {"b", "c"}
    assert blank_rules(made) - {"SP"} == {"d"}
