"""Coverage: what it counts, and that each text given for what is missing does what is said."""

import pytest
from cases import each_case

import uriparse
from uriparse.conformance import coverage
from uriparse.conformance.coverage import KINDS

CORPUS = ["http://www.example.com/a/b?c=d", "https://example.com/", "http://h:80/%7e", "http://é/"]
SMALL = [
    *(("rfc3986", rule) for rule in ("IPv4address", "scheme", "port", "path-empty", "segment-nz")),
    *(("rfc1738", "digits"), ("rfc2396", "toplabel"), ("rfc3987", "ipath-empty")),
]


@pytest.fixture(scope="module")
def of_a_uri():
    return coverage("URI", CORPUS)


@pytest.fixture(scope="module")
def untouched():
    return coverage("URI")


@pytest.mark.slow
def test_nothing_is_touched_by_no_text(untouched):
    assert untouched.tally()[0] == 0
    assert len(untouched.missing) == untouched.tally()[1]


def test_missing_texts_have_the_verdict_that_is_said(of_a_uri):
    assert len(of_a_uri.missing) > 4000
    assert {item.accepted for item in of_a_uri.missing} == {True, False}
    for item in of_a_uri.missing:
        assert uriparse.is_valid(item.text) is item.accepted
        assert item.accepted or item.kind in ("refusal", "ending")
    assert max(len(item.text) for item in of_a_uri.missing) <= 40


@pytest.mark.slow
def test_with_the_missing_texts_nothing_is_missing(of_a_uri):
    texts = [item.text for item in of_a_uri.missing]
    assert coverage("URI", CORPUS + texts).missing == ()


@pytest.mark.slow
@each_case(("grammar", "rule"), SMALL)
def test_each_missing_text_touches_what_it_is_for(grammar, rule):
    for kind in KINDS:
        items = [item for item in coverage(rule, grammar=grammar).missing if item.kind == kind]
        for item in items[:: len(items) // 9 + 1]:
            found = coverage(rule, [item.text], grammar=grammar)
            assert uriparse.is_valid(item.text, rule, grammar=grammar) is item.accepted
            assert bool(found.accepted) is item.accepted
            assert found.tally(item.kind, item.component)[0] >= 1
            same = (item.kind, item.component, item.rule, item.what)
            left = [one[:4] for one in found.missing].count(same)
            assert left < [one[:4] for one in items].count(same)


@pytest.mark.slow
def test_what_an_earlier_alternative_takes_is_not_counted():
    found = coverage("path", ["", "/a", "a:"])
    assert {choice.rule for choice in found.unreachable} >= {"path-absolute", "path-empty"}
    assert found.tally("rule", "path-empty") == found.tally("rule", "path-absolute") == (0, 0)
    texts = [item.text for item in found.missing]
    assert coverage("path", [*texts, "", "/a", "a:"]).missing == ()


def test_a_text_that_is_refused_counts_as_far_as_it_goes():
    found = coverage("IPv4address", ["1.2.3.x"])
    assert found.tally("transition")[0] == 6
    assert found.tally("refusal")[0] == 1
    assert found.tally("ending")[0] == found.tally("rule")[0] == 0


def test_lone_surrogates_and_planes_beyond_the_first_are_characters():
    found = coverage("query", ["\ud800", "\U0010ffff"])
    assert (found.refused, found.tally("refusal")[0]) == (2, 1)
