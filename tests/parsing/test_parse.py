"""Parsing by the matchers: the vectors, the laws, every kind of argument."""

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from parsing.reference_texts import ALTERNATIVES, HOSTILE_TEXTS, REFERENCE_RULES, texts

import uriparse
from uriparse import URI, RelativeRef, UnknownRuleError, URISyntaxError, is_valid, parse, try_parse

TABLES = tables(__file__)


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(data=st.data())
def test_parsing_keeps_every_character(rule, grammar, data):
    name = data.draw(st.sampled_from(ALTERNATIVES[rule, grammar]))
    text = data.draw(texts(name, grammar))
    record = parse(text, rule, grammar=grammar)
    assert str(record) == text
    assert record.grammar == grammar
    assert isinstance(record, URI if record.scheme is not None else RelativeRef)
    assert parse(str(record), rule, grammar=grammar) == record
    assert try_parse(text, rule, grammar=grammar) == record
    assert is_valid(text, rule, grammar=grammar)


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(text=HOSTILE_TEXTS)
def test_the_three_functions_agree(rule, grammar, text):
    record = try_parse(text, rule, grammar=grammar)
    assert is_valid(text, rule, grammar=grammar) is (record is not None)
    if record is None:
        with pytest.raises(URISyntaxError):
            parse(text, rule, grammar=grammar)
    else:
        assert parse(text, rule, grammar=grammar) == record


@given(HOSTILE_TEXTS)
def test_bytes_are_read_as_ascii(text):
    data = text.encode()
    assert is_valid(data) is is_valid(text)
    assert try_parse(data) == try_parse(text)


@pytest.mark.parametrize(
    ("data", "offset"), [(b"http://h/\xff", 9), (b"\xef\xbb\xbfa", 0), (b"a b\xff", 1)]
)
def test_bytes_that_are_not_ascii_are_refused(data, offset):
    assert is_valid(data) is False
    assert try_parse(data) is None
    for rule, grammar in REFERENCE_RULES:
        assert try_parse(data, rule, grammar=grammar) is None
        assert not is_valid(data, rule, grammar=grammar)
        with pytest.raises(URISyntaxError):
            parse(data, rule, grammar=grammar)
    with pytest.raises(URISyntaxError) as caught:
        parse(data)
    assert caught.value.offset == offset


@pytest.mark.parametrize(("rule", "grammar", "message"), TABLES["rules_that_yield_no_reference"])
def test_rules_that_yield_no_reference(rule, grammar, message):
    for function in (parse, try_parse):
        with pytest.raises(UnknownRuleError) as caught:
            function("a:b", rule, grammar=grammar)
        assert message in str(caught.value)


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
def test_rule_names_in_any_letter_case(rule, grammar):
    text = "a" if "ref" in rule else "a:b"
    for name in (rule.upper(), rule.lower(), rule.title()):
        assert parse(text, name, grammar=grammar) == parse(text, rule, grammar=grammar)
        assert is_valid(text, name, grammar=grammar)


@pytest.mark.slow
@each_case("grammar", uriparse.grammars())
def test_any_rule_of_any_grammar_can_be_asked(grammar):
    for rule in uriparse.rules(grammar):
        # Browsers take every character in most places.
        assert is_valid("\uffff", rule, grammar=grammar) in {False, grammar == "whatwg"}
        assert is_valid("", rule, grammar=grammar) in {True, False}


@pytest.mark.parametrize("text", ["http://h/\n", "http://h\n", "a\n", "\na", "http://h/\0", "a\r"])
def test_a_line_end_is_no_part_of_a_uri(text):
    assert try_parse(text) is None
    assert not is_valid(text, "URI-reference")


@each_case("read", [parse, try_parse])
@each_case("text", ["http://u:p@h/a?b#c", "x:", "a", "//h", ""])
def test_a_record_comes_back_itself(read, text):
    record = parse(text)
    assert read(record) is record
    assert read(record, "URI" if record.scheme else "relative-ref") is record
    assert read(read(record)) is record
    iri = parse(text, "IRI-reference", grammar="rfc3987")
    assert read(iri, "IRI-reference", grammar="rfc3987") is iri
    # By another grammar it is read anew: what comes is what was asked for.
    assert read(iri).grammar == "rfc3986"
    assert read(record, "IRI-reference", grammar="rfc3987").grammar == "rfc3987"


def test_a_record_is_judged_by_the_rule_that_was_asked_for():
    for record, rule in [("x:a#f", "absolute-URI"), ("a", "URI"), ("x:", "relative-ref")]:
        assert try_parse(parse(record), rule) is None
        with pytest.raises(URISyntaxError):
            parse(parse(record), rule)
    iri = parse("http://é/", "IRI", grammar="rfc3987")
    with pytest.raises(URISyntaxError, match='grammar="rfc3987"'):
        parse(iri)
