"""A million texts: no exception, one verdict, and signs exactly where the grammar ends."""

import random

import pytest
from oracle.generation import distinct, spoiled, words

from uriparse import is_valid
from uriparse.validation import Policy, validate
from uriparse.validation.agreement_checks import destination, is_request

pytestmark = pytest.mark.oracle

OUTBOUND = Policy.outbound()
REQUEST = OUTBOUND.replace(agreement="request")
OCTETS = 400_000
MUTANTS = 600_000

SEEDS = [
    "http://example.com:8080/a/b?c=d&e#f", "https://[2001:db8::1]:443/%E2%82%AC/x;y",
    "http://192.0.2.1/..%2f/%2e%2E/?'#", "https://xn--bcher-kva.a_b.example/~u//v/.",
    "ftp://u:p@h.d/%0a;type=i", "http://a.b.c./?q",
]  # fmt: skip
PIECES = [
    *"%:/?#[]@!$&'()*+,;=-._~aZ09 \\\r\n\t\0\x7f\u00e9\u202e", "%2e", "%C0%AF", "://", "..", "::",
]  # fmt: skip


def mutant(draw):
    text = list(draw.choice(SEEDS))
    for _ in range(draw.randrange(1, 5)):
        at = draw.randrange(len(text) + 1)
        text[at : at + draw.randrange(3)] = draw.choice(PIECES)
    return "".join(text)


def holds(text):
    report = validate(text, OUTBOUND)
    layers = {found.layer for found in report.findings}
    plain = text if isinstance(text, str) else text.decode("ascii", "replace")
    agreed = destination(plain) is not None
    assert ("agreement" in layers) is not agreed, ascii(text)
    assert not report.accepted or agreed, ascii(text)
    assert not agreed or is_valid(plain), ascii(text)
    return report


def test_random_octets():
    draw = random.Random(1)
    for _ in range(OCTETS):
        holds(draw.randbytes(draw.randrange(24)))


def test_mutants():
    draw = random.Random(2)
    accepted = 0
    for _ in range(MUTANTS):
        text = mutant(draw)
        accepted += holds(text).accepted
        layers = {found.layer for found in validate(text, REQUEST).findings}
        assert ("agreement" in layers) is not is_request(text), ascii(text)
    assert 1000 < accepted < MUTANTS


@pytest.mark.parametrize("rule", ["destination-URI", "request-URI", "local-reference"])
def test_words_of_the_grammar_and_spoiled_ones(rule):
    for text in [*distinct(words("agreed", rule), 2000), *distinct(spoiled("agreed", rule), 2000)]:
        holds(text)
