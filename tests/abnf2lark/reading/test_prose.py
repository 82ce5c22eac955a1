"""Prose that describes a set of characters, and prose that names a rule of another document."""

import pytest
from cases import documents, each_case, tables

import abnf2lark

TABLES = tables(__file__)

OCTETS = set(map(chr, range(256)))
CHAR = set(map(chr, range(1, 128)))
CTL = set(map(chr, range(32))) | {"\x7f"}
ATOM_SPECIALS = set('(){ %*"\\]') | CTL
RULES = documents(__file__)["RULES"]


@each_case(
    ("prose", "expected"),
    [
        ("<any CHAR except atom-specials>", CHAR - ATOM_SPECIALS),
        ('<any CHAR except atom-specials and "+">', CHAR - ATOM_SPECIALS - {"+"}),
        ('<any TEXT-CHAR except "]">', CHAR - set("\r\n]")),
        ('<any ATOM-CHAR except "k" / "." & %x7E>', CHAR - ATOM_SPECIALS - set("kK.~")),
        ("<any CHAR except CTLs or wildcards>", CHAR - CTL - set("%*")),
        ('<any CHAR excluding "(", ")", "\\" & CR, and including %xE9>',
         CHAR - set("()\\\r") | {"é"}),
        ('<any (US-ASCII) CHAR except SP, CTLs,\n   "*", or wildcards>', CHAR - CTL - set(" *%")),
        ("<Any octet other than %d33-60>", None),
        ("<any OCTET other than %d33-60>", OCTETS - set(map(chr, range(33, 61)))),
        ('<any TEXT excluding "(" and ")">', OCTETS - CTL - set("()") | {" ", "\t"}),
        ("<any TEXT excluding SP>", None),  # which LWS may be
        ("<any loop except %x62>", None),
        ("<any CHAR except the last one>", None),
        ("<any CHAR except number>", None),
        ('<any CHAR except "ab">', None),
    ],
)  # fmt: skip
def test_a_set_is_computed(prose, expected):
    text = f"x = {prose}\n{RULES}"
    if expected is None:
        with pytest.raises(abnf2lark.GrammarError, match="prose"):
            abnf2lark.load(text)
        return
    grammar = abnf2lark.load(text.replace('loop = <any loop except "a">', ""))
    assert {char for char in OCTETS if grammar.matches(char, "x")} == expected


def test_the_output_confirms_what_was_computed(abnf2lark, tmp_path):
    text = 'a = 1*<any CHAR\n      except CTL and ")">\n'
    told = '<any CHAR except CTL and ")"> is %x20-28 / %x2A-7E'
    done = abnf2lark("compile", "t.abnf", t=text)
    assert f"// ; {told}" in done.out
    read = told.replace(" is ", " is read as ")
    assert done.err.splitlines()[0] == f"t.abnf:1:7: computed: {read}"
    assert abnf2lark("lint", "t.abnf", "--ignore", "computed").out == ""
    (tmp_path / "t.txt").write_text(f"   {text}")
    assert f'   except CTL and ")">  ; {read}\n' in abnf2lark("extract", "t.txt").out


@each_case(("text", "given", "refused"), TABLES["a_citation_of_a_bundled_grammar_is_known"])
def test_a_citation_of_a_bundled_grammar_is_known(text, given, refused):
    grammar = abnf2lark.load(text)
    assert grammar.matches(given)
    assert not grammar.matches(refused)


def test_a_name_that_is_cited_nowhere_is_asked_for():
    with pytest.raises(abnf2lark.GrammarError, match="names no rule known here"):
        abnf2lark.load("UTF8-tail = <Defined in Section 4 of RFC 9999>")
    with pytest.raises(abnf2lark.GrammarError, match='"host" is not defined'):
        abnf2lark.load("a = <port, see [URI]> host")


def test_an_import_comes_before_what_is_cited():
    own = abnf2lark.load('host = "mine"', name="mine.abnf")
    grammar = abnf2lark.load("a = <host, see [URI], Section 3.2.2>", imports=[own])
    assert (grammar.matches("mine"), grammar.matches("yours")) == (True, False)
