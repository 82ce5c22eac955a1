"""Every rule of every grammar of the collection, against a judge that tries all ways.

Each is asked about 100 texts of its own and 100 with something wrong; URIPARSE_TEXTS says how many,
URIPARSE_SEED draws others. Expressions are asked where there are some, parsers of Lark's for the
rules that a grammar is for, and for a few others.
"""

import os
from collections import Counter

import pytest
from collected.trial import Trial

from abnf2lark.config import roots
from tools.collection.grammars import GRAMMARS

TEXTS = int(os.environ.get("URIPARSE_TEXTS", "100"))
PARSERS = 2
"""Rules of a grammar that are not roots, whose parsers are asked."""

SLOW = 10
"""One in so many texts is given to an Earley parser."""

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("name", GRAMMARS)
def test_verdicts(name, seed, tally):
    trial = Trial(name, seed)
    tops = roots(trial.grammar.known)
    parsers = trial.parsers(tops)
    for rule in trial.chance.choices(trial.rules, k=PARSERS):
        parsers |= trial.parsers([rule])
    counts, wrong = Counter(), []
    for rule in trial.rules:
        ways = trial.ways(rule)
        if rule in parsers:
            kind, ways[kind] = parsers[rule]
        counts.update(f"asked of {way}" for way in ways)
        for number, (text, expected) in enumerate(trial.texts(rule, TEXTS)):
            counts["texts"] += 1
            counts["valid"] += expected
            for way, judge in ways.items():
                if way == "Earley" and number % SLOW > 1:
                    continue
                counts[f"verdicts of {way}"] += 1
                if bool(judge(text)) != expected:
                    wrong.append(f"{rule}: {way} says {not expected} of {text!r}")
    tally("collection", grammars=1, rules=len(trial.rules), **counts, wrong=len(wrong))
    assert not wrong, "\n".join(["", *wrong[:20]])
