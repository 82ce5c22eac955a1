"""Every entry point of ours on the suites of every rule that is shipped: no error."""

import contextlib

import pytest

import uriparse
from uriparse import URISyntaxError
from uriparse.conformance import suite
from uriparse.grammar.automata import longest_prefix
from uriparse.grammar.matchers import bytes_matcher, tables

RULES = [(grammar, rule) for grammar in uriparse.grammars() for rule in uriparse.rules(grammar)]
assert len(RULES) > 128
QUICK = [("rfc3986", "authority"), ("rfc3987", "ipchar"), ("rfc1738", "newsurl")]
"""One that has addresses, one beyond ASCII, one of URLs; the others take a minute."""

SUITED = [
    *(("rfc3986", rule) for rule in ("URI", "URI-reference")),
    *(("rfc3987", rule) for rule in ("IRI",)),
    *(("rfc2396", rule) for rule in ("URI-reference",)),
    *(("rfc1738", f"{scheme}url") for scheme in ("http", "ftp", "file", "gopher", "mailto")),
    *(("rfc1738", f"{scheme}url") for scheme in ("news", "nntp", "telnet", "wais", "prospero")),
]
"""The rules whose mutants have been looked into when the grammars were compiled."""


def by_parse(text, rule, grammar):
    with contextlib.suppress(URISyntaxError):
        return str(uriparse.parse(text, rule, grammar=grammar)) == text
    return False


def by_try_parse(text, rule, grammar):
    return uriparse.try_parse(text, rule, grammar=grammar) is not None


def by_tree(text, rule, grammar):
    with contextlib.suppress(URISyntaxError):
        return uriparse.parse_tree(text, rule, grammar=grammar) is not None
    return False


def by_prefix(text, rule, grammar):
    stop = longest_prefix(text, rule, grammar)
    return stop.offset == len(text) and stop.may_end


def by_octets(text, rule, grammar):
    octets = text.encode("utf-8", "surrogatepass")
    try:
        return bytes_matcher(rule, grammar).fullmatch(octets) is not None
    except ValueError:  # the rule derives more than ASCII
        return uriparse.is_valid(octets if text.isascii() else text, rule, grammar=grammar)


def by_match(text, rule, grammar):
    return uriparse.is_valid(text, rule, grammar=grammar)


ALL = {
    "is_valid": by_match,
    "bytes": by_octets,
    "longest prefix": by_prefix,
    "parse_tree": by_tree,
    "try_parse": by_try_parse,
    "parse": by_parse,
}
RECORDS = ("try_parse", "parse")


def judges(grammar, rule):
    """Name the entry points of a rule: records are made of some rules alone."""
    made = tables(grammar).RECORDS
    whole = rule in made or rule.removesuffix("-reference") in made
    return [name for name in ALL if whole or name not in RECORDS]


def errors(rows, grammar, rule, every=1):
    return [
        (name, row)
        for name in judges(grammar, rule)
        for row in rows[:: every if name not in ("is_valid", "longest prefix") else 1]
        if ALL[name](row.text, rule, grammar) is not row.valid
    ]


@pytest.mark.parametrize(("grammar", "rule"), QUICK)
def test_the_suites_of_some_rules(grammar, rule):
    rows = list(suite(rule, grammar=grammar, method="transition", characters="borders"))
    assert not errors(rows, grammar, rule, every=9)


@pytest.mark.parametrize(("grammar", "rule"), [("rfc3986", "URI"), ("rfc3987", "IRI")])
def test_the_mutants_of_the_rules_that_are_parsed(grammar, rule):
    rows = list(suite(rule, grammar=grammar, method="mutants"))
    assert not errors(rows, grammar, rule)
    assert {"parse", "try_parse"} <= set(judges(grammar, rule))


@pytest.mark.oracle
@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_the_suites_of_every_rule(grammar, rule):
    for method, characters in (("transition", "all"), ("hsi", "one")):
        rows = list(suite(rule, grammar=grammar, method=method, characters=characters))
        assert not errors(rows, grammar, rule)


@pytest.mark.slow
@pytest.mark.parametrize(("grammar", "rule"), SUITED)
def test_the_standard_suites(grammar, rule):
    rows = list(suite(rule, grammar=grammar))
    assert not errors(rows, grammar, rule)


@pytest.mark.parametrize("rule", ["ucschar", "iprivate"])
def test_borders_reach_the_ends_of_what_iris_have_more(rule):
    texts = set(suite(rule, grammar="rfc3987", method="transition", characters="borders").texts)
    ends = {
        chr(end)
        for line in uriparse.conformance.subject(rule, "rfc3987").source.expressions[rule][1]
        for span in line[1]
        for end in span
    }
    assert len(ends) >= 6
    assert ends <= texts


def test_the_rules_that_have_suites_are_those_of_the_settings():
    from uriparse._compiled.index import WITNESSED

    assert set(SUITED) == {(grammar, rule) for grammar in WITNESSED for rule in WITNESSED[grammar]}
