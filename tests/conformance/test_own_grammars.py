"""Grammars of users: the same suites as for shipped ones."""

import re

import pytest
from bundles import BUNDLES

import uriparse
from uriparse.conformance import (
    GrammarTextError,
    NotRegularError,
    OwnGrammar,
    read_abnf,
    subject,
    suite,
)
from uriparse.conformance.minimal import minimal

TEXT = 'version = 1*DIGIT *2( "." 1*DIGIT )\nother = version / "x"\nnest = "(" *nest ")"\n'


@pytest.mark.parametrize(
    ("grammar", "rule"), [("rfc3986", "URI"), ("rfc3987", "IRI"), ("rfc1738", "ftpurl")]
)
def test_a_shipped_grammar_read_anew_has_the_same_automaton(grammar, rule):
    own = subject(rule, OwnGrammar(BUNDLES[grammar].grammar)).automaton
    shipped = subject(rule, grammar).automaton
    assert own.classes == shipped.classes
    assert own.edges == shipped.edges
    assert own.final == shipped.final


def test_the_rules_of_a_text():
    own = read_abnf(TEXT)
    assert own.rules == ("version", "other", "nest")
    assert own.rule_name("VERSION") == "version"
    with pytest.raises(uriparse.UnknownRuleError, match='no rule "verson"; is'):
        own.rule_name("verson")


def test_a_suite_of_an_own_rule_tells_it_from_others():
    own = read_abnf(TEXT)
    found = suite("version", grammar=own)
    right = re.compile(r"[0-9]+(\.[0-9]+){0,2}")
    wrong = [r"\d+(\.\d+){0,2}", r"[0-9]+(\.[0-9]+){0,3}", r"[0-9]+(.[0-9]+){0,2}"]
    wrong += [r"[0-9]*(\.[0-9]+){0,2}", r"(?s)[0-9]+(\.[0-9]+){0,2}$", r"[1-9]+(\.[0-9]+){0,2}"]
    assert all((right.fullmatch(row.text) is not None) is row.valid for row in found)
    for pattern in wrong:
        judge = re.compile(pattern)
        match = judge.match if pattern.endswith("$") else judge.fullmatch
        assert any((match(row.text) is not None) is not row.valid for row in found), pattern


def test_components_of_an_own_rule_are_the_rules_it_refers_to():
    rows = suite("other", grammar=read_abnf(TEXT), method="transition")
    assert {row.component for row in rows} == {"", "version"}


def test_all_rules_with_an_automaton_are_minimal():
    found = subject("other", read_abnf(TEXT)).automaton
    assert len(minimal(found).automaton) == len(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = b", 'own.abnf:1:5: undefined: "b" is not defined\n  a = b\n      ^'),
        ("a = 3*2b", "own.abnf:1:5: repeat: 3*2: at least 3 but at most 2"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text, message):
    with pytest.raises(GrammarTextError) as caught:
        read_abnf(text, "own.abnf")
    assert str(caught.value).startswith(message)


def test_what_is_not_regular_is_named():
    with pytest.raises(NotRegularError, match="nest is not regular: it is recursive, nest → nest"):
        suite("nest", grammar=read_abnf(TEXT))


def test_imports_are_shipped_grammars():
    own = read_abnf('link = "<" URI-reference ">"', imports=["rfc3986"])
    assert subject("link", own).automaton.accepts("<../a?b>")
    with pytest.raises(uriparse.UnknownRuleError, match="unknown grammar: 'rfc'"):
        read_abnf("a = b", imports=["rfc"])


@pytest.mark.parametrize("value", [b"a = b", None, 5])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(TypeError):
        read_abnf(value)
