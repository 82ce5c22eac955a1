"""Rules and sets are found by name in any letter case; errors suggest existing names."""

import re

import pytest
from cases import each_case, tables
from marks import by_grammar

from uriparse.errors import UnknownRuleError
from uriparse.grammar import matchers

TABLES = tables(__file__)

GRAMMARS = matchers.grammars()
RULES = [(rule, grammar) for grammar in GRAMMARS for rule in matchers.rules(grammar)]
assert GRAMMARS
assert RULES


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), by_grammar(RULES))
def test_every_rule_has_a_matcher_under_any_letter_case(rule, grammar):
    for name in (rule, rule.upper(), rule.lower()):
        assert matchers.rule_name(name, grammar) == rule
        assert matchers.matcher(name, grammar) is matchers.matcher(rule, grammar)
    assert isinstance(matchers.matcher(rule, grammar), re.Pattern)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), by_grammar(RULES))
def test_dispatch_leads_to_rules(rule, grammar):
    for name in matchers.dispatch(rule, grammar):
        assert name in matchers.rules(grammar)


@each_case(("rule", "grammar", "message"), TABLES["errors_for_unknown_names_suggest_near_ones"])
def test_errors_for_unknown_names_suggest_near_ones(rule, grammar, message):
    with pytest.raises(UnknownRuleError) as caught:
        matchers.matcher(rule, grammar)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


def test_unknown_sets_and_grammars():
    with pytest.raises(UnknownRuleError, match="did you mean unreserved"):
        matchers.charset("unreservd")
    with pytest.raises(UnknownRuleError, match="unknown grammar"):
        matchers.charset("unreserved", "rfc9999")
    with pytest.raises(UnknownRuleError, match="unknown grammar"):
        matchers.rules("rfc9999")


@each_case("name", ["unreserved", "sub-delims", "pchar", "query", "segment", "DIGIT", "ALPHA"])
def test_sets_contain_what_their_rule_matches(name):
    rule = {"DIGIT": "port", "ALPHA": "scheme"}.get(name, name)
    derived = {chr(c) for c in range(256) if matchers.matcher(rule).fullmatch(chr(c))}
    assert matchers.charset(name) == derived


def test_matchers_of_octets_agree_with_those_of_characters():
    for rule in ("URI", "relative-ref", "IPv6address", "pct-encoded"):
        octets, characters = matchers.bytes_matcher(rule), matchers.matcher(rule)
        for text in ("http://u@[::1]:8/a?b#c", "//h/%41", "::1", "%zz", "%2F", "\xe9", "a\n", ""):
            found, wanted = octets.fullmatch(text.encode("latin-1")), characters.fullmatch(text)
            assert (found is None) == (wanted is None)
            if found and wanted:
                texts = [None if g is None else g.decode() for g in found.groups()]
                assert texts == list(wanted.groups())


def test_octets_above_ascii_must_be_decoded():
    with pytest.raises(ValueError, match="ucschar of rfc3987 derives more than ASCII"):
        matchers.bytes_matcher("ucschar", "rfc3987")
    with pytest.raises(ValueError, match="OCTET of core derives more than ASCII"):
        matchers.bytes_matcher("OCTET", "core")  # of which U+00FF is not an octet of its UTF-8
    assert matchers.bytes_matcher("scheme", "rfc3987").fullmatch(b"http")
