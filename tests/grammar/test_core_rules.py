"""The core rules of RFC 5234 are a grammar like the others, found by their names."""

import pytest
from abnf.parser import ParseError, Rule
from cases import each_case

import uriparse
from uriparse import is_valid, parse_tree, rules

TEXTS = [chr(code) for code in range(0x102)] + [
    *("", "\r\n", "\n\r", " \t", "\r\n ", "\r\n \r\n\t", " \r\n", "\r\n\r\n "),
    *("aa", "A\n", "0\r\n"),
]


def derives(rule, text):
    """Return the verdict of the `abnf` package, which has the same rules."""
    try:
        Rule(rule).parse_all(text)
    except ParseError:
        return False
    return True


@each_case("rule", rules("core"))
def test_the_verdicts_are_those_of_another_implementation(rule):
    verdicts = {text: is_valid(text, rule, grammar="core") for text in TEXTS}
    assert verdicts == {text: derives(rule, text) for text in TEXTS}
    assert set(verdicts.values()) == {True, False}


@each_case("rule", rules("core"))
def test_only_valid_texts_have_trees(rule):
    for text in filter(lambda text: is_valid(text, rule, grammar="core"), TEXTS):
        for detail in ("components", "full"):
            assert parse_tree(text, rule, grammar="core", detail=detail).data == rule


def test_the_seven_rules_that_rfc_3986_uses_exist():
    assert {"ALPHA", "CR", "DIGIT", "DQUOTE", "HEXDIG", "LF", "SP"} <= set(rules("core"))
    assert len(rules("core")) == 16


def test_errors_are_diagnosed():
    with pytest.raises(uriparse.URISyntaxError) as caught:
        parse_tree("\r ", "CRLF", grammar="core")
    assert (caught.value.offset, caught.value.rule) == (1, "CRLF")
    with pytest.raises(ValueError, match="is not for references"):
        uriparse.parse("a", "ALPHA", grammar="core")
