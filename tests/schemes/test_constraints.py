"""What the RFCs of schemes require beside their ABNF: each row broken, where, and mended."""

import json
import pickle
import random
from collections import Counter
from pathlib import Path

import pytest
from abnf import ParseError, Rule
from cases import documents, each_case

import uriparse
from uriparse.diagnosis import CAUSES
from uriparse.errors import SchemeError
from uriparse.schemes import CURRENT, parse_url

CASES = json.loads(Path(__file__).with_name("constraints.json").read_text(encoding="ascii"))
assert CASES
SYNTAX = uriparse.Policy.syntax()


def refused(text):
    with pytest.raises(SchemeError) as caught:
        parse_url(text)
    return caught.value


@each_case("case", CASES)
def test_a_breach_is_an_error_with_its_place_and_section(case):
    error = refused(case["text"])
    assert (error.cause, error.component) == (case["cause"], case["component"])
    assert [*error.span] == case["span"]
    assert error.source == case["source"]
    assert error.reason.endswith(f"({case['source']})")
    assert parse_url(case["mended"])


@each_case("case", CASES)
def test_the_grammar_alone_takes_it(case):
    scheme = CURRENT[case["text"].partition(":")[0]]
    assert uriparse.is_valid(case["text"], scheme.rule, grammar=scheme.grammar)


@each_case("case", CASES)
def test_a_breach_is_a_finding(case):
    found = uriparse.validate(case["text"], SYNTAX).findings
    assert [(*f.span, f.component, f.source) for f in found if f.code == "scheme-requirement"] == [
        (*case["span"], case["component"], case["source"])
    ]
    codes = {f.code for f in uriparse.validate(case["mended"], SYNTAX).findings}
    assert "scheme-requirement" not in codes


def test_each_row_of_the_tables_is_broken_by_a_case():
    stated = {
        (scheme.name, row.section)
        for scheme in CURRENT.values()
        for row in scheme.record.CONSTRAINTS
    }
    broken = {(case["text"].partition(":")[0], case["source"]) for case in CASES}
    assert stated <= broken
    causes = {case["cause"] for case in CASES}
    assert causes == {c for c, cause in CAUSES.items() if "{source}" in cause.sentence}


def test_an_error_with_a_section_can_be_pickled():
    error = pickle.loads(pickle.dumps(refused("geo:91,0")))
    assert (error.source, error.span) == ("RFC 5870 section 3.4.2", (4, 6))
    assert refused("geo:").source is None


@each_case(
    ("text", "offset"),
    [("tel:7042", 8), ("tel:911;isub=1", 14), ("tel:911;a=b", 8), ("tel:911;", 8), ("tel:*21#", 8)],
)
def test_a_local_number_needs_a_context(text, offset):
    error = refused(text)
    assert (error.cause, error.component, error.offset) == ("no-context", "context", offset)


@each_case("text", ["file:/a?b", "file:///a/b.js?v=1#c", "FILE://h.d/?"])
def test_a_file_has_no_query(text):
    error = refused(text)
    assert (error.cause, error.component, error.offset) == ("no-query", "query", text.index("?"))


@each_case("text", ["tel:", "tel:x", "tel:+", "tel:1;phone-context=", "tel:1 2"])
def test_other_faults_of_numbers_are_told_as_they_are(text):
    assert refused(text).cause != "no-context"


@each_case(("text", "addresses"), [
    ("mailto:?to=a@b.c", ["a@b.c"]),
    ("mailto:a@b.c?TO=d@e.f,g@h.i&t%6F=j@k.l", ["a@b.c", "d@e.f", "g@h.i", "j@k.l"]),
    ("mailto:a@b.c?cc=d@e.f", ["a@b.c"]), ("mailto:?to=Ann%20%3Ca@b.c%3E", []), ("mailto:?to=", []),
])  # fmt: skip
def test_addresses_are_those_of_to_fields_too(text, addresses):
    url = parse_url(text)
    assert list(url.addresses) == addresses
    assert all(str(url)[a.start : a.end] == a for a in url.addresses)


# The values of SIP's parameters, judged by the package abnf and the rules as RFC 3261 writes them.

SIP_RULES = documents(__file__)["SIP_RULES"]


class SipRule(Rule):
    """RFC 3261, section 25.1."""


for line in SIP_RULES.strip().splitlines():
    SipRule.create(line)


def test_values_of_sip_parameters_are_those_of_the_rfc():
    chance = random.Random(25)
    seen = Counter()
    for _ in range(600):
        name = chance.choice(["transport", "user", "method", "ttl", "maddr", "lr", "LR", "Ttl"])
        value = "".join(chance.choices("aZ09-._!*'()~[]/:&+$", k=chance.randrange(4)))
        value = chance.choice([value, value, "255", "1.2.3.4", "[::1]", "%41", "a.b", "a-b", "4-a"])
        given = chance.choice([f"{name}={value}", f"{name}={value}", name])
        try:
            SipRule("sip-param").parse_all(given)
            is_valid = name.lower() != "ttl" or int(value) <= 255
        except ParseError:
            is_valid = False
        text = f"sip:h;{given}" + (";maddr=a" if name.lower() == "ttl" else "")
        if is_valid:
            assert parse_url(text)
        else:
            assert given.endswith("=") or refused(text).source == "RFC 3261 section 25.1", text
        seen[is_valid] += 1
    assert min(seen.values()) > 100
