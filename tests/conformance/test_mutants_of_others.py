"""What suites by `mutants` promise, tried by another mutator of the ABNF."""

import random

import pytest
from conformance.foreign_mutants import Reader, Rows, mutants, rules

from uriparse.conformance import suite

SMALL = [
    *("dec-octet", "scheme", "port", "userinfo"),
    *(pytest.param(rule, marks=pytest.mark.slow) for rule in ("ls32", "IPv4address")),
]
LARGE = [  # minutes to an hour each
    ("hier-part", "rfc3986"),
    *(("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IPv6address", "rfc3986")),
    *(("IRI", "rfc3987"), ("ftpurl", "rfc1738"), ("gopherurl", "rfc1738")),
    *(("httpurl", "rfc1738"),),
]


def survivors(rule, grammar, deep=1):
    """Return how many edits change the language, and those of them that the suite does not tell."""
    rows = Rows((row.text, row.valid) for row in suite(rule, grammar=grammar))
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


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), LARGE)
def test_every_edit_of_large_rules_is_told(rule, grammar, record_property):
    differing, missed = survivors(rule, grammar)
    record_property("tally", (f"edits of {rule} by another mutator, all told", {"all": differing}))
    assert not missed


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), LARGE)
def test_pairs_of_edits_are_told(rule, grammar):
    rows = Rows((row.text, row.valid) for row in suite(rule, grammar=grammar))
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
