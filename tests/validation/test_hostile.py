"""What attackers write, class by class: the default policy accepts none of it."""

import json

import pytest
from cases import each_case
from paths import ROOT

from uriparse import Policy, PolicyError, check, validate

HOSTILE = json.loads((ROOT / "tests/vectors/hostile_urls.json").read_text(encoding="utf-8"))
CASES = [(kind, text) for kind, texts in HOSTILE.items() for text in texts]
assert len(CASES) > 400
# A policy of lists alone has the same protection, whatever its lists allow.
LISTED = Policy(schemes=["http", "https"], hosts=["good.com", ".good.com", "evil.com"])


@each_case("kind", HOSTILE)
def test_no_hostile_text_is_accepted(kind):
    accepted = [text for text in HOSTILE[kind] if validate(text).accepted]
    assert accepted == []


@each_case("kind", HOSTILE)
def test_nor_by_a_policy_of_lists(kind):
    accepted = [text for text in HOSTILE[kind] if validate(text, LISTED).accepted]
    assert accepted == []


def test_each_refusal_has_a_reason_and_no_target():
    for _, text in CASES:
        with pytest.raises(PolicyError) as caught:
            check(text)
        assert caught.value.report.reasons
        assert caught.value.report.target is None


def test_what_they_imitate_is_accepted():
    for text in ("http://good.com/", "https://good.com:8443/a?b=c#d", "http://xn--tda.com/"):
        assert validate(text).accepted
