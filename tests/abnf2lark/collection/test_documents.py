"""Documents as they are exchanged, and the same with something wrong: every reading says the same.

`documents.toml` says which are right: the examples of the documents that the grammars are from.
"""

import random
import tomllib
from pathlib import Path

import pytest
from brute.backtracking import accepts
from collected.trial import Trial

ROWS = [
    (name, row)
    for name, rows in tomllib.loads(
        Path(__file__).with_name("documents.toml").read_text(encoding="utf-8")
    ).items()
    for row in rows
]
FEW = {"csv", "json-pointer"}
LONGEST = {"messageformat", "managesieve", "webdav", "cddl", "yang", "http-digest", "http-messages"}
"""Each takes ten seconds."""

SPOILED = 10
LONG = 200
"""Characters of a text that the judge is asked about in more than one form."""


def case(name, row):
    seldom = pytest.mark.oracle if name in LONGEST else pytest.mark.long
    marks = () if name in FEW else seldom
    return pytest.param(name, row, id=f"{name} {row['rule']}", marks=marks)


@pytest.mark.parametrize(("name", "row"), [case(*row) for row in ROWS])
def test_documents(name, row):
    trial, rule = Trial(name), row["rule"]
    good = [*row.get("good", ()), *(text.replace("\n", "\r\n") for text in row.get("lines", ()))]
    assert good
    assert row["bad"]
    ways = trial.ways(rule) | dict(trial.parsers([rule]).values())

    def check(text, expected):
        assert accepts(trial.scope, rule, text) == expected, text
        for way, judge in ways.items():
            assert bool(judge(text)) == expected, (way, text)

    for text in good:
        check(text, expected=True)
        tree = trial.grammar.tree(text, rule)
        assert "".join(tree.scan_values(lambda _: True)) == text
    for text in row["bad"]:
        check(text, expected=False)
    trial.chance = trial.sampler.random = random.Random(name)
    for text in good:
        for _ in range(SPOILED if len(text) < LONG else 1):
            spoiled = trial.corrupted(text)
            check(spoiled, accepts(trial.scope, rule, spoiled))
