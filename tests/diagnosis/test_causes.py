"""Every cause is listed with its words, its smallest example, and a text that has it not."""

import json
import re
from pathlib import Path

import pytest
from cases import each_case, tables

from uriparse import URISyntaxError, is_valid
from uriparse.diagnosis import CAUSES, diagnose
from uriparse.diagnosis.causes import REFERENCE_CAUSES, URL_CAUSES, Placeholders
from uriparse.diagnosis.failure_context import CAUSE_RULES, COMPONENT_AT_FAULT, FailureContext
from uriparse.schemes import RFC1738, access_plan, parse_url

TABLES = tables(__file__)

CASES = json.loads(Path(__file__).with_name("causes.json").read_text(encoding="ascii"))
assert CASES
CALLS = {
    "parse_url": parse_url,
    "RFC 1738": lambda text: parse_url(text, registry=RFC1738),
    "access_plan": lambda text: access_plan(parse_url(text)),
}


def refusal(text, by):
    """The error for a text by a rule or a function; None if it is not refused."""
    if by in CALLS:
        try:
            CALLS[by](text)
        except URISyntaxError as error:
            return error
        return None
    grammar, _, rule = by.rpartition(":")
    grammar = grammar or "rfc3986"
    return None if is_valid(text, rule, grammar=grammar) else diagnose(text, rule, grammar)


def cause_of(text, by):
    error = refusal(text, by)
    return None if error is None else error.cause


def test_every_cause_is_listed_once_in_the_order_in_which_it_is_told():
    assert [*CAUSE_RULES] == [cause.name for cause in REFERENCE_CAUSES]
    assert [*CAUSES] == [cause.name for cause in (*REFERENCE_CAUSES, *URL_CAUSES)]
    assert all(name == cause.name for name, cause in CAUSES.items())
    assert COMPONENT_AT_FAULT.keys() <= CAUSE_RULES.keys()


@each_case("cause", CAUSES.values())
def test_a_cause_has_a_smallest_example_and_a_counterexample(cause):
    text, offset, by = cause.example
    error = refusal(text, by)
    assert (error.cause, error.offset) == (cause.name, offset)
    for at in range(len(text)):
        shorter = text[:at] + text[at + 1 :]
        assert cause_of(shorter, by) != cause.name, f"{shorter!r} is smaller"
    assert cause_of(cause.counterexample, by) != cause.name


@each_case("cause", REFERENCE_CAUSES)
def test_the_words_are_whole_and_their_blanks_known(cause):
    words = [cause.sentence, cause.remedy, *map(str, cause.argument or ())]
    error = refusal(cause.example.text, cause.example.by)
    for text in words:
        assert text
        assert not text.endswith(".")
        assert text == text.strip()
        for placeholder in re.findall(r"\{(.*?)\}", text):
            assert hasattr(Placeholders, placeholder) or f"{placeholder}: " in Placeholders.__doc__
    for fixed, said in ((cause.sentence, error.reason), (cause.remedy, error.remedy)):
        assert re.search(re.sub(r"\\{.*?\\}", ".+", re.escape(fixed)), said)


@each_case("case", CASES)
def test_the_cause_of_many_texts(case):
    error = refusal(case["text"], case["by"])
    assert (error.cause, error.offset) == (case["cause"], case["offset"])
    assert str(error).isprintable()


def test_many_texts_have_every_cause():
    assert {case["cause"] for case in CASES} >= CAUSE_RULES.keys()


def test_an_unknown_blank_is_an_error():
    with pytest.raises(KeyError):
        Placeholders(FailureContext("", "URI", "rfc3986"))["nonsense"]


@each_case(
    ("text", "by", "remedy", "argument"), TABLES["remedies_are_possible_where_they_are_told"]
)
def test_remedies_are_possible_where_they_are_told(text, by, remedy, argument):
    error = refusal(text, by)
    assert re.fullmatch(remedy, error.remedy)
    if argument is None:
        assert error.argument is None
    else:
        effect, name, value = error.argument
        assert [name, value] == argument
        assert str(error).endswith(f'; help: {error.remedy}, or {effect} ({name}="{value}")')
        rule = value if name == "rule" else effect.rpartition(" by the rule ")[2]
        assert is_valid(text, rule, grammar="rfc3987" if rule.startswith("IRI") else "rfc3986")
