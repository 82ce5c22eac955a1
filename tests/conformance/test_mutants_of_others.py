"""What suites by `mutants` promise, tried by another mutator of the ABNF."""

import random

import pytest
from conformance.foreign_mutants import SETTINGS, Reader, Rows, mutants, rules
from marks import some_slow

import uriparse
from uriparse.conformance import read_abnf, suite

SMALL = [
    *("dec-octet", "scheme", "port", "userinfo"),
    *(pytest.param(rule, marks=pytest.mark.slow) for rule in ("ls32", "IPv4address")),
]
TIMESTAMPS = [
    "time-secfrac", "time-offset", *some_slow(["full-time", "date-time"], "full-time", "date-time"),
]  # fmt: skip
LARGE = [  # minutes to an hour each
    ("hier-part", "rfc3986"),
    *(("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IPv6address", "rfc3986")),
    *(("IRI", "rfc3987"), ("ftpurl", "rfc1738"), ("gopherurl", "rfc1738")),
    *(("httpurl", "rfc1738"),),
]


def rows_of(rule, grammar):
    """Return texts and verdicts of the suite of a rule; the compiler reads what is not shipped."""
    shipped = grammar in uriparse.grammars()
    source = grammar if shipped else read_abnf(SETTINGS[grammar][0].read_text("utf-8"))
    return Rows((row.text, row.valid) for row in suite(rule, grammar=source))


def survivors(rule, grammar, deep=1):
    """Return how many edits change the language, and those of them that the suite does not tell."""
    rows = rows_of(rule, grammar)
    own = Reader(rules(grammar, rule), rule)
    assert not rows.tells(own)
    differing, missed = 0, []
    for every, changed in mutants(grammar, rule, deep):
        found = rows.misses(own, Reader({**every, **changed}, rule))
        differing += found is not None
        if found:
            missed.append(changed)
    return differing, missed


@pytest.mark.parametrize("rule", SMALL)
def test_every_edit_is_told(rule):
    differing, missed = survivors(rule, "rfc3986")
    assert differing > 10
    assert not missed


@pytest.mark.parametrize("rule", TIMESTAMPS)
def test_every_edit_of_timestamps_is_told(rule, record_property):
    """RFC 3339, not a grammar of URIs: none of 396 differing edits of date-time survives."""
    differing, missed = survivors(rule, "rfc3339")
    record_property("tally", (f"edits of {rule} by another mutator, all told", {"all": differing}))
    assert differing > 20
    assert not missed


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), LARGE)
def test_every_edit_of_large_rules_is_told(rule, grammar, record_property):
    differing, missed = survivors(rule, grammar)
    record_property("tally", (f"edits of {rule} by another mutator, all told", {"all": differing}))
    assert not missed


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), [("date-time", "rfc3339"), *LARGE])
def test_pairs_of_edits_are_told(rule, grammar):
    rows = rows_of(rule, grammar)
    own = Reader(rules(grammar, rule), rule)
    chance = random.Random(f"pairs {rule}")
    every = [*mutants(grammar, rule)]
    for _ in range(500):
        (known, first), (_, second) = chance.sample(every, 2)
        if first.keys() == second.keys():
            continue
        try:
            reader = Reader({**known, **first, **second}, rule)
        except RecursionError:  # each refers to the rule of the other
            continue
        assert not rows.misses(own, reader), (first, second)


def test_a_missing_row_is_missed():
    """The mutator would find a suite that is too small."""
    rows = Rows((row.text, row.valid) for row in suite("dec-octet", method="hsi"))
    readers = [
        Reader({**every, **changed}, "dec-octet")
        for every, changed in mutants("rfc3986", "dec-octet")
    ]
    told = [rows.tells(reader) for reader in readers]
    assert not all(told)
