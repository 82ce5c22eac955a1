"""Expressions of rules, as they are asked for."""

import pickle
import re

import pytest

from uriparse import UnknownRuleError, is_valid
from uriparse.errors import PatternError
from uriparse.grammar.expressions import pattern

ANCHORS = {
    "python": (r"\A", r"\Z"), "re2": (r"\A", r"\z"), "rust": (r"\A", r"\z"), "java": (r"\A", r"\z"),
    "ecmascript": ("^", "$"), "pcre2": (r"\A", r"\z"), "postgresql": (r"\A", r"\Z"),
}  # fmt: skip
"""What each flavour writes for the beginning and the end of a text."""


@pytest.mark.parametrize("flavour", ANCHORS)
def test_an_expression_is_for_whole_texts(flavour):
    text = pattern("ipv4ADDRESS", flavour=flavour)
    begin, end = ANCHORS[flavour]
    assert text.startswith(begin)
    assert text.endswith(end)
    assert text is pattern("IPv4address", flavour=flavour)


def test_python_needs_no_fullmatch():
    for search in (re.compile(pattern("URI")).search, re.compile(pattern("URI")).match):
        for text in ("http://h/", "http://h/\n", " http://h/", "http://h/\n\nhttp://h/", "", "a"):
            assert bool(search(text)) == is_valid(text)


@pytest.mark.slow
def test_what_has_no_expression_says_why_and_what_to_do():
    with pytest.raises(PatternError) as caught:
        pattern("mailtoURI", flavour="pcre2", grammar="rfc6068")
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == (
        "mailtoURI has no expression for pcre2: a loop in it has to backtrack, "
        "for which PCRE2 keeps every iteration, so a long text would exceed its memory; "
        "take the expression for re2"
    )
    assert (error.rule, error.flavour) == ("mailtoURI", "pcre2")
    assert error.reason.startswith("a loop in it has to backtrack, ")
    assert error.remedy == "take the expression for re2"
    assert pattern("mailtoURI", flavour="re2", grammar="rfc6068")


def test_what_is_not_known_is_named():
    with pytest.raises(UnknownRuleError, match="did you mean URI"):
        pattern("UIR")
    with pytest.raises(UnknownRuleError, match="grammar"):
        pattern("URI", grammar="rfc3968")
    with pytest.raises(ValueError, match=r'^flavour .*"python", "re2", .* not "perl"$'):
        pattern("URI", flavour="perl")
    with pytest.raises(TypeError, match="flavour must be a str, not int"):
        pattern("URI", flavour=5)
