"""What each finding points at: marked in the texts below, which all have something before it."""

import pytest
from cases import each_case, tables

from uriparse.validation import CATALOGUE, Policy, validate

TABLES = tables(__file__)

WEB = Policy.web().replace(fragment=False, hosts=["a.com", ".b.com"], ports=["default"])
POLICIES = {
    "syntax": Policy.syntax(),
    "of 1994": Policy.syntax().replace(severity={"unsafe-character": "info"}),
    "iri": Policy.syntax().replace(grammar="rfc3987"),
    "relative": Policy.syntax().replace(relative=True),
    "based": Policy.syntax().replace(relative=True, base="http://a/b/c/d;p?q"),
    "guessed": Policy.from_dict({"preset": "syntax", "relative": True,
                                 "base": {"uri": "http://a/", "source": "default"}}),
    "outbound": Policy.outbound(), "outbound iri": Policy.outbound().replace(grammar="rfc3987"),
    "reference": Policy.outbound().replace(rule="URI-reference"),
    "redirect": Policy.redirect("https://good.com/"),
    "request": Policy.outbound().replace(agreement="request"), "web": WEB,
    "listed": WEB.replace(uris=["http://a.com/cb"]),
    "short": WEB.replace(max_length=12, max_segments=2, max_parameters=2),
}  # fmt: skip

CASES = TABLES["marked"]


def test_every_code_of_a_text_is_marked_somewhere():
    of_documents = {"hyphen-line-break"}
    assert {code for _, code, *_ in CASES} == CATALOGUE.keys() - of_documents


@each_case(("policy", "code", "marked", "times"), [(*c, 1)[:4] for c in CASES])
def test_a_finding_points_at_what_is_meant(policy, code, marked, times):
    before, here, _ = marked.replace("»", "«").split("«")
    text = marked.replace("«", "").replace("»", "")
    found = {one.code: one for one in validate(text, POLICIES[policy]).findings}[code]
    assert found.span == (len(before), len(before) + len(here))
    assert found.times == times


@pytest.mark.parametrize(("policy", "code", "text"), TABLES["what_is_near_to_it_is_no_finding"])
def test_what_is_near_to_it_is_no_finding(policy, code, text):
    assert code not in {one.code for one in validate(text, POLICIES[policy]).findings}
