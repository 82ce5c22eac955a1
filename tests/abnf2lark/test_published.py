"""The compiler on grammars that were not written for it: those that the ``abnf`` package bundles.

Each is written out as ABNF, compiled as a user would, loaded by Lark, and held against the
package's own verdict: on texts of a suite that takes every transition of a regular rule, else on
random words and words with one character wrong.
"""

import json
import random
from pathlib import Path

import lark
import pytest
from brute.judge import parses
from collected.samples import Sampler

from abnf2lark.config import core_grammar, roots
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.problems import Source
from abnf2lark.reading import load
from tools.collection.published import NAMES, text, verdict
from uriparse.conformance import NotRegularError, read_abnf, suite

PATH = Path(__file__).with_name("published_outcomes.json")
OUTCOMES = json.loads(PATH.read_text(encoding="utf-8"))
assert len(NAMES) >= 32

# One of each kind: several roots; what is not LALR(1); what has no guard; LALR; recursive.
FEW = ["rfc6797"]
SOME = ["rfc9651", "rfc5322"]
WORDS = 5  # random ones, for each start that is not regular
ROWS = 150  # of a suite, for each that is


def test_every_module_has_an_outcome():
    assert OUTCOMES.keys() == set(NAMES)
    assert {outcome["parser"] for outcome in OUTCOMES.values()} == {"lalr", "earley"}


@pytest.fixture(scope="module")
def core():
    return core_grammar()


def marked(name):
    """Few always, some in CI, all when oracles are asked."""
    mark = pytest.mark.slow if name in SOME else pytest.mark.oracle
    return pytest.param(name, marks=() if name in FEW else mark)


@pytest.mark.slow
@pytest.mark.parametrize("name", [marked(name) for name in NAMES])
def test_a_published_grammar(name, core):
    grammar, problems = load(Source(f"{name}.abnf", text(name)), name, (core,))
    assert not problems, problems[0].show()
    made = compile_grammar(grammar, roots(grammar))
    assert {"parser": made.parser, "reason": made.reason} == OUTCOMES[name]
    options = {"lexer": "contextual"} if made.parser == "lalr" else {}
    parser = lark.Lark(made.text, parser=made.parser, start=list(made.starts), **options)
    assert lark.Lark(made.text).parse

    judged = {True: 0, False: 0}
    for start, lark_start in zip(roots(grammar), made.starts, strict=True):
        for one in texts(name, start, grammar):
            expected = verdict(name, start, one)
            assert parses(parser, one, lark_start) == expected, (start, one)
            judged[expected] += 1
    assert min(judged.values()) >= WORDS // 2


def texts(name, start, grammar):
    """Give texts of a suite for the rule, evenly out of all; random words where it has none."""
    try:
        rows = [*suite(start, grammar=read_abnf(text(name), name), method="transition")]
    except NotRegularError:
        sampler = Sampler(grammar, random.Random(name + start))
        drawn = [sampler.word(start)[:150] for _ in range(WORDS)]
        return [one for word in drawn for one in (word, *sampler.spoiled(word))]
    found = rows[:: -(-len(rows) // ROWS)]
    for row in found:
        assert verdict(name, start, row.text) == row.valid, (start, row)
    return [row.text for row in found]
