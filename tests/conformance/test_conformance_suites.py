"""Suites: of the size that was reckoned, the same each time, and with the right verdicts."""

import re
from functools import partial
from itertools import combinations, pairwise

import pytest
from cases import check_all, each_case
from marks import by_grammar, some_slow

import uriparse
from uriparse.conformance import count_words, subject, suite
from uriparse.conformance.rule_automata import identifiers
from uriparse.grammar.automata import DEAD, longest_prefix

SOME = [("rfc3986", "URI"), ("rfc3987", "IRI"), ("rfc1738", "ftpurl"), ("rfc3986", "path-empty")]


@pytest.mark.slow
@pytest.mark.parametrize("grammar", by_grammar(uriparse.grammars()))
def test_words_lead_to_every_state_and_from_it_to_an_end(grammar):
    check_all(uriparse.rules(grammar), partial(words_lead_to_every_state, grammar))


def words_lead_to_every_state(grammar, rule):
    found = subject(rule, grammar)
    automaton, cover = found.automaton, found.cover
    for state, (word, home) in enumerate(zip(cover.prefixes, cover.suffixes, strict=True)):
        assert automaton.read(word) == (len(word), state)
        assert automaton.accepts(word + home)
        assert uriparse.is_valid(word + home, rule, grammar=grammar)


@pytest.mark.slow
@pytest.mark.parametrize("grammar", by_grammar(uriparse.grammars()))
def test_every_character_is_in_one_class(grammar):
    check_all(uriparse.rules(grammar), partial(every_character_is_in_one_class, grammar))


def every_character_is_in_one_class(grammar, rule):
    spans = sorted(span for spans in subject(rule, grammar).automaton.classes for span in spans)
    assert spans[0][0] == 0
    assert spans[-1][1] == 0x10FFFF
    assert all(one[1] + 1 == other[0] for one, other in pairwise(spans))


@each_case(("grammar", "rule"), SOME)
def test_any_two_states_share_a_word_that_tells_them_apart(grammar, rule):
    automaton = subject(rule, grammar).automaton
    own = identifiers(automaton)
    assert own.keys() == {DEAD, *range(len(automaton))}
    for one, other in combinations(own, 2):
        shared = set(own[one]) & set(own[other])
        assert any(
            (automaton.after(one, word) in automaton.final)
            != (automaton.after(other, word) in automaton.final)
            for word in shared
        )


@pytest.mark.slow
@pytest.mark.parametrize("method", some_slow(["transition", "hsi"], "hsi"))
@pytest.mark.parametrize(("grammar", "rule"), SOME)
def test_rows_say_what_the_diagnosis_says(grammar, rule, method):
    rows = list(suite(rule, grammar=grammar, method=method))
    assert {row.valid for row in rows} == {True, False}
    for row in rows[:: len(rows) // 300 + 1]:
        assert row.valid is uriparse.is_valid(row.text, rule, grammar=grammar)
        stop = longest_prefix(row.text, rule, grammar)
        words = dict.fromkeys(word for group in stop.groups for word in group.words)
        expected = (*words, "end") if stop.may_end else tuple(words)
        if row.valid:
            assert (row.offset, row.expected) == (None, ())
        else:
            assert (row.offset, row.expected) == (stop.offset, expected)
            groups = {(group.component, group.rule) for group in stop.groups} or {("", rule)}
            assert (row.component, row.rule) in groups


@pytest.mark.slow
def test_rows_say_what_they_test():
    tests = {row.text: row.tests for row in suite("URI", method="transition", characters="all")}
    assert tests["a:b1"] == '"1" for pchar at offset 3'
    assert tests["http://["] == 'end at offset 8, for HEXDIG, "::" or "v"'
    assert tests["a:b\n"] == 'U+000A at offset 3, for pchar, "/", "?", "#" or end'


@each_case(("arguments", "message"), [
    ({"method": "w"}, 'method must be "standard", "transition", "mutants" or "hsi", not "w"'),
    ({"characters": "x"}, 'characters must be "one", "borders", "suspects" or "all", not "x"'),
    ({"extra_states": 1}, "extra_states are for the method hsi, 0 or more of them"),
    ({"rule": "URL"}, "unknown rule of rfc3986: 'URL'; did you mean URI, or URL of rfc1738?"),
    ({"grammar": "rfc1"}, "unknown grammar: 'rfc1'"),
])  # fmt: skip
def test_what_is_not_known_is_refused(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        suite(**arguments)


@each_case("value", [5, b"URI", ["URI"], object()])
@each_case(("function", "name"), [
    *((suite, name) for name in ("rule", "grammar", "method", "characters")),
    *((function, "rule") for function in (subject, count_words)),
    *((function, "grammar") for function in (subject, count_words)),
])  # fmt: skip
def test_what_is_of_another_type_is_refused(function, name, value):
    with pytest.raises(TypeError, match=f"^{name} must be "):
        function(**{name: value})


@each_case("value", ["1", 1.0, True, None])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError, match=r"^extra_states must be an int, not "):
        suite("port", method="hsi", extra_states=value)
    with pytest.raises(TypeError, match=r"^length must be an int, not "):
        count_words("port", value)
