"""Every entry point of ours on the suites of every rule that is shipped: no error."""

import contextlib

import pytest
from cases import each_case
from marks import some_slow

import uriparse
from uriparse import URISyntaxError
from uriparse.conformance import suite
from uriparse.grammar import bytes_matcher
from uriparse.grammar.automata import longest_prefix
from uriparse.grammar.matchers import tables

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


def by_bytes(text, rule, grammar):
    said = uriparse.is_valid(text.encode("utf-8", "surrogatepass"), rule, grammar=grammar)
    assert text.isascii() or not said
    return said if text.isascii() else by_match(text, rule, grammar)


def by_octets(text, rule, grammar):
    try:
        matcher = bytes_matcher(rule, grammar)
    except ValueError:  # the rule derives more than ASCII
        return by_match(text, rule, grammar)
    return matcher.fullmatch(text.encode("utf-8", "surrogatepass")) is not None


def by_match(text, rule, grammar):
    return uriparse.is_valid(text, rule, grammar=grammar)


ALL = {
    "is_valid": by_match, "bytes": by_bytes, "octets": by_octets, "longest prefix": by_prefix,
    "parse_tree": by_tree, "try_parse": by_try_parse, "parse": by_parse,
}  # fmt: skip
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


@pytest.mark.slow
@each_case(("grammar", "rule"), QUICK)
def test_the_suites_of_some_rules(grammar, rule):
    rows = list(suite(rule, grammar=grammar, method="transition", characters="borders"))
    assert not errors(rows, grammar, rule, every=9)


@each_case(("grammar", "rule"), [("rfc3986", "URI"), ("rfc3987", "IRI")])
def test_the_mutants_of_the_rules_that_are_parsed(grammar, rule):
    rows = list(suite(rule, grammar=grammar, method="mutants"))
    assert not errors(rows, grammar, rule)
    assert {"parse", "try_parse"} <= set(judges(grammar, rule))


@pytest.mark.long
@each_case(("grammar", "rule"), SUITED)
def test_the_standard_suites(grammar, rule):
    rows = list(suite(rule, grammar=grammar))
    assert not errors(rows, grammar, rule)


@pytest.mark.parametrize("method", some_slow(["transition", "hsi"], "hsi"))
def test_borders_reach_the_ends_of_what_iris_have_more(method):
    """Each end in an IRI; and what stands beside it, where no IRI has it, in what is none."""
    texts = suite("IRI", grammar="rfc3987", method=method, characters="borders").texts
    valid = [text for text in texts if uriparse.is_valid(text, "IRI", grammar="rfc3987")]
    there, all_of_them = set("".join(valid)), set("".join(texts))
    for rule, count in (("ucschar", 34), ("iprivate", 6)):
        ends = [end for span in spans(rule) for end in span]
        assert len(ends) == count
        assert {*map(chr, ends)} <= there
        assert {chr(first - 1) for first, _ in spans(rule)} <= all_of_them
    assert "\ufdcf" in there
    assert "\ufdd0" in all_of_them - there


def spans(rule):
    body = uriparse.conformance.subject(rule, "rfc3987").source.expressions[rule]
    return [span for line in body[1] for span in line[1]]


def test_the_rules_that_have_suites_are_those_of_the_settings():
    from uriparse._compiled.index import WITNESSED

    assert set(SUITED) == {(grammar, rule) for grammar in WITNESSED for rule in WITNESSED[grammar]}
