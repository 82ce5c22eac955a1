"""Whether a rule derives a string: all judges say the same, for every rule of every grammar."""

import pytest
from oracle.generation import distinct, spoiled, words
from oracle.judges import JUDGES

import uriparse

RULES = [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
assert len(RULES) >= 36 + 25 + 67

FEW = pytest.param(4, id="few")
MANY = pytest.param(200, id="many", marks=pytest.mark.oracle)


def verdicts(grammar, rule, text):
    return {name: judge(grammar, rule, text) for name, judge in JUDGES.items()}


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_all_judges_agree(grammar, rule, count, seed, tally):
    good = distinct(words(grammar, rule, seed), count)
    bad = distinct(spoiled(grammar, rule, seed), count)
    assert good
    assert bad
    found = {text: verdicts(grammar, rule, text) for text in (*good, *bad)}
    disagreed = {text: each for text, each in found.items() if len(set(each.values())) > 1}
    refused = [text for text in good if not found[text]["abnf"]]
    tally(
        "verdicts of all judges",
        generated=len(good),
        spoiled=len(bad),
        of_those_invalid=sum(not found[text]["abnf"] for text in bad),
        disagreements=len(disagreed),
        rules=1,
    )
    assert not disagreed
    assert not refused
