"""The verdicts of the vectors, by each of the ways in which a text can be judged."""

import contextlib
import ipaddress
from functools import partial

import pytest
from cases import check_all, each_case, vectors
from marks import by_grammar

import uriparse
from uriparse import URISyntaxError, is_valid, parse, parse_tree, rules, try_parse
from uriparse.conformance import read_abnf, suite
from uriparse.grammar import rule_expressions


def judged(text, rule, grammar="rfc3986"):
    """Give the one verdict that the matcher, the component tree and the full tree agree on."""
    verdict = is_valid(text, rule, grammar=grammar)
    assert is_valid(text, rule.swapcase(), grammar=grammar) is verdict
    if text.isascii():
        assert is_valid(text.encode("ascii"), rule, grammar=grammar) is verdict
    for detail in ("components", "full"):
        if verdict:
            assert parse_tree(text, rule, grammar=grammar, detail=detail).data == rule
        else:
            with pytest.raises(URISyntaxError) as refused:
                parse_tree(text, rule, grammar=grammar, detail=detail)
            assert refused.value.text == text
            assert 0 <= refused.value.offset <= len(text)
    return verdict


@each_case("row", vectors("components"))
def test_rules_of_rfc3986(row):
    assert judged(row["text"], row["rule"]) is row["valid"]


@each_case("row", vectors("dialect_matrix"))
def test_accept_reject_matrix(row):
    assert judged(row["string"], "URI-reference") is row["rfc3986"]
    assert (try_parse(row["string"]) is not None) is row["rfc3986"]
    assert judged(row["string"], row["rfc1738_rule"], "rfc1738") is row["rfc1738_scheme_rule"]
    assert judged(row["string"], "url", "rfc1738") is row["rfc1738_url_with_otherurl"]


@each_case("row", vectors("derivations"))
def test_derivations(row):
    assert judged(row["string"], row["rule"], row["grammar"]) is (row["trees"] > 0)


@each_case("row", vectors("ipv6"))
def test_ipv6_addresses(row):
    address = row["address"]
    assert judged(address, "IPv6address") is row["valid"]
    assert judged(address, "IPv6address", "rfc3987") is row["valid"]
    for text in (f"//[{address}]", f"x://u@[{address}]:8/p"):
        record = try_parse(text)
        assert (record is not None) is row["valid"]
        if record is not None:
            assert type(record.host) is uriparse.IPv6
            assert str(record.host) == f"[{address}]"
            assert record.host.address == ipaddress.IPv6Address(address)


@each_case("row", vectors("ipv6"))
def test_ipv6_addresses_are_those_of_the_standard_library(row):
    """Zones apart: that library knows them, RFC 3986 does not."""
    address = row["address"]
    if "%" in address:
        assert not is_valid(address, "IPv6address")
        return
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        assert not is_valid(address, "IPv6address")
    else:
        assert is_valid(address, "IPv6address")


CLOSED = (
    *("scheme-start", "scheme", "single-dot", "double-dot", "drive-letter", "ends-in-number"),
    *("hex-number", "octal-number", "decimal-number", "normal-URL", "domain", "normal-segment"),
)
"""Rules of "whatwg" that do not take every character, as a browser does."""

OPEN = {"rfc822": {"qtext", "dtext"}}
"""By grammar: rules of characters, with white space among them."""


def closed_rules(grammar):
    return CLOSED if grammar == "whatwg" else rules(grammar)


@pytest.mark.parametrize("grammar", by_grammar(uriparse.grammars()))
def test_every_rule_can_be_a_start(grammar):
    for rule in closed_rules(grammar):
        with pytest.raises(URISyntaxError):
            parse_tree("\uffff", rule, grammar=grammar)
        assert not is_valid("\uffff", rule, grammar=grammar)


def derives_nothing(known, expression):
    """Whether an expression derives the empty text, by the definition of each operator."""
    kind, *rest = expression
    match kind:
        case "text" | "chars":
            return rest[0] in {"", ()}
        case "ref":
            return derives_nothing(known, known[rest[0]])
        case "seq":
            return all(derives_nothing(known, one) for one in rest[0])
        case "alt":
            return any(derives_nothing(known, one) for one in rest[0])
    repeated, least, _ = rest
    return least == 0 or derives_nothing(known, repeated)


@pytest.mark.parametrize("grammar", by_grammar(uriparse.grammars()))
def test_rules_take_the_empty_text_that_derive_it(grammar):
    """X-013"""
    known = rule_expressions(grammar)
    for rule in closed_rules(grammar):
        is_empty = derives_nothing(known, known[rule])
        assert is_valid("", rule, grammar=grammar) is is_empty, rule
        with contextlib.nullcontext() if is_empty else pytest.raises(URISyntaxError):
            assert parse_tree("", rule, grammar=grammar).data == rule


def test_the_reader_takes_quoted_symbols_as_characters_and_letters_in_either_case():
    """X-010, X-011: a letter is one set of two characters, so a text has one derivation."""
    own = read_abnf('a = "|" / "*(;]" / "Ab"\nc = %s"a"\n')
    words = {"|", "*(;]", "Ab", "ab", "AB", "aB"}
    found = {row.text: row.valid for row in suite("a", grammar=own, method="standard")}
    assert {text for text, valid in found.items() if valid} >= {"|", "*(;]", "Ab", "aB"}
    assert all(valid is (text in words) for text, valid in found.items())
    either = ("chars", ((65, 65), (97, 97)))
    assert own.expressions["a"][1][2][1][0] == either
    assert own.expressions["c"] == ("chars", ((97, 97),))


def test_comments_of_a_grammar_have_no_effect():
    """C-040"""
    own = read_abnf('; b = "x"\na = "y" ; / "v"\n ; "w"\n  / "z" ;\n;\nc = a ; "u"\n')
    assert {row.text for row in suite("c", grammar=own) if row.valid} == set("yYzZ")
    assert set(own.expressions) == {"a", "c"}


def test_rules_of_one_name_stay_apart_and_trees_have_the_names_of_the_rfcs():
    """X-012"""
    assert is_valid("dns://[::1]/", "dnsurl", grammar="rfc4501")
    assert not is_valid("pop://[::1]", "pop-url", grammar="rfc2384")
    every = {name for grammar in uriparse.grammars() for name in rules(grammar)}
    for text, rule, grammar in [
        ("pop://a-b", "pop-url", "rfc2384"), ("", "path-abempty", "rfc3986"),
        ("a+b", "scheme", "rfc3986"), ("1.2.3.4", "IPv4address", "rfc3986"),
        ("gopher://h/1a%09b%09%09c", "gopherurl", "rfc1738"), ("coap://h", "coap-URI", "rfc7252"),
    ]:  # fmt: skip
        tree = parse_tree(text, rule, grammar=grammar, detail="full")
        assert tree.data == rule
        assert {node.data for node in tree.iter_subtrees()} <= every


@pytest.mark.parametrize(
    "grammar", by_grammar(name for name in uriparse.grammars() if name != "core")
)
def test_no_rule_takes_an_ending(grammar):
    """The whole text counts; that "$" matches before a newline must not show."""
    check_all(["\n", "\r\n", "\r", " ", "\t", "\x00", "\x85"], partial(no_rule_takes, grammar))


def no_rule_takes(grammar, ending):
    for text in ("", "a", "1", "/", "a:b", "http://h/", "1.2.3.4", "%20", "::", "news:a"):
        for rule in {*closed_rules(grammar)} - OPEN.get(grammar, set()):
            assert not is_valid(text + ending, rule, grammar=grammar), rule
    with pytest.raises(URISyntaxError):
        parse("http://h/" + ending)
