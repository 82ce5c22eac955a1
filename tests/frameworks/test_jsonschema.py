"""The official suite's cases of formats, and how jsonschema tells what is wrong."""

import json

import pytest
from cases import each_case
from paths import VECTORS

from uriparse import URISyntaxError

pytest.importorskip("jsonschema")

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

from uriparse.extra.jsonschema import FORMATS, register

CASES = json.loads((VECTORS / "json_schema_formats.json").read_text(encoding="utf-8"))
assert CASES
CHECKER = register(FormatChecker())


def errors(name, data, kind=Draft202012Validator):
    return list(kind({"format": name}, format_checker=CHECKER).iter_errors(data))


@each_case("kind", [Draft7Validator, Draft202012Validator])
@each_case("name", FORMATS)
def test_verdicts_are_those_of_the_official_suite(kind, name):
    cases = [case for case in CASES if case["format"] == name]
    assert {case["valid"] for case in cases} == {True, False}
    wrong = [case for case in cases if (not errors(name, case["data"], kind)) != case["valid"]]
    assert not wrong


def test_the_cause_tells_the_place_and_the_message_no_password():
    (error,) = errors("uri", "http://u:pa55word@h:8x/")
    assert error.message.startswith('port: "8x" ')
    assert "pa55word" not in error.message
    assert isinstance(error.cause, URISyntaxError)
    assert error.cause.offset == 21


def test_templates_are_told_in_the_words_of_their_grammar():
    (error,) = errors("uri-template", "http://h/{term:0}")
    assert error.message == 'varspec: expected %x31-39 at offset 15, found "0"'
    assert error.cause.rule == "prefix"


def test_other_checkers_and_formats_stay_as_they_are():
    plain = FormatChecker()
    register(FormatChecker())
    assert plain.checkers.get("uri") is not CHECKER.checkers["uri"]
    assert set(CHECKER.checkers) == {*plain.checkers, *FORMATS}


def test_a_checker_is_an_object():
    with pytest.raises(
        TypeError, match=r"^checker must be a FormatChecker, such as FormatChecker\(\)"
    ):
        register(FormatChecker)
