"""Whether a rule derives a string: all judges say the same, for every rule of every grammar."""

import pytest
from marks import by_grammar, one_in
from oracle.generation import distinct, spoiled, thorough, words
from oracle.generation import grammar as grammar_of
from oracle.judges import JUDGES, by_derivatives, by_lark, by_matcher

import uriparse
from uriparse.conformance import suite

ALL = [(name, rule) for name in uriparse.grammars() for rule in uriparse.rules(name)]
assert len(ALL) >= 36 + 25 + 67

FEW = pytest.param(2, id="few")
MANY = pytest.param(200, id="many", marks=pytest.mark.oracle)


def some_or_all(*some):
    """Take the given rules by default, the others, imported ones apart, when oracles are asked."""
    own = [each for each in ALL if each[1] in grammar_of(each[0]).own]
    assert set(some) <= set(own)
    return pytest.mark.parametrize(
        ("grammar", "rule"),
        [
            pytest.param(*each, marks=() if each in some else pytest.mark.oracle, id="-".join(each))
            for each in own
        ],
    )


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize(("grammar", "rule"), one_in(4, by_grammar(ALL)))
def test_all_judges_agree(grammar, rule, count, seed, tally):
    good = distinct(words(grammar, rule, seed), count)
    bad = distinct(spoiled(grammar, rule, seed), count)
    assert good
    assert bad
    found = {
        text: {name: judge(grammar, rule, text) for name, judge in JUDGES.items()}
        for text in (*good, *bad)
    }
    disagreed = {text: each for text, each in found.items() if len(set(each.values())) > 1}
    tally(
        f"verdicts of {', '.join(JUDGES)}", generated=len(good), spoiled=len(bad),
        of_those_invalid=sum(not found[text]["abnf"] for text in bad), disagreements=len(disagreed),
        rules=1,
    )  # fmt: skip
    assert not disagreed
    assert all(found[text]["abnf"] for text in good)


@some_or_all(("rfc3986", "IP-literal"), ("rfc3987", "ifragment"), ("rfc1738", "newsurl"))
def test_every_choice_at_every_place(grammar, rule, seed, tally):
    """Words through all choice_points of the unfolded rule, and words spoiled just there."""
    good, bad, wrong = set(), set(), set()
    for word, spoilt in thorough(grammar, rule, 3, seed):
        good.add(word)
        bad.update(spoilt)
    for text in good | bad:
        verdict = by_derivatives(grammar, rule, text)
        if not verdict is by_matcher(grammar, rule, text) is by_lark(grammar, rule, text):
            wrong.add(text)
    tally(
        "verdicts at every place of every rule, by is_valid, Lark, derivatives",
        generated=len(good), spoiled=len(bad), disagreements=len(wrong),
    )  # fmt: skip
    assert not wrong
    assert all(by_matcher(grammar, rule, word) for word in good)


@some_or_all(("rfc3986", "IPv4address"), ("rfc1738", "hostname"))
def test_every_transition_of_the_automaton(grammar, rule, tally):
    """No automaton of the size of the rule's own passes this suite unless it is the rule's own."""
    texts = set(suite(rule, grammar=grammar, method="hsi").texts)
    texts.update(suite(rule, grammar=grammar, method="transition", characters="all").texts)
    wrong = [
        text
        for text in texts
        if by_matcher(grammar, rule, text) is not by_derivatives(grammar, rule, text)
    ]
    tally(
        "verdicts after every transition, by is_valid, derivatives",
        different_strings=len(texts),
        disagreements=len(wrong),
    )
    assert not wrong
