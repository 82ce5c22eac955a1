"""The time of every emitted expression of the collection grows as the text does.

Texts are long because of loops that are found in the automaton of each expression: those of rules,
and the terminals of Lark grammars with their guards. URIPARSE_PUMPS says how many of each.
"""

import os
import random
import re
import time
from collections import Counter

import lark
import pytest
from brute.pumps import node_of, pumps
from collected.trial import Trial
from oracle.growth import NOISE, SIZES, Meter, quiet

import abnf2lark
from abnf2lark.config import roots
from abnf2lark.lark_grammars.compiling import compile_grammar
from tools.collection.grammars import GRAMMARS

PUMPS = int(os.environ.get("URIPARSE_PUMPS", "40"))
SCALE = 4
"""By which texts are shorter than those that functions are measured on."""

TOPS = 4
"""Rules of a grammar whose terminals are looked at, besides those of all its roots together."""

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("name", GRAMMARS)
def test_time_is_linear(name, seed, tally):
    chance = random.Random(f"{name} {seed}")
    counts, slow, meter = Counter(), [], Meter()
    with quiet():
        for rule, emitted, match in expressions(name, counts):
            found = pumps(node_of(emitted), chance, PUMPS)
            if found is None:
                counts["too large for an automaton"] += 1
                continue
            for pump in found:
                counts["pumps"] += 1
                if swift(match, pump):
                    continue
                times = meter.superlinear(match, pump, SCALE)
                if times is not None:
                    slow.append(f"{rule}: {pump} takes {times}: {emitted[:200]}")
    counts["measured again"] = meter.counts["measured again"]
    tally("pumped", grammars=1, **counts, slow=len(slow))
    assert not slow, "\n".join(["", *slow[:10]])


def swift(match, pump):
    """Tell whether the largest text takes so little that no growth matters."""
    text = pump.text(SIZES[-1] // SCALE)
    start = time.thread_time()
    match(text)
    return time.thread_time() - start < NOISE


def expressions(name, counts):
    """Yield the expressions of all rules and of proved terminals, and how each is used."""
    trial = Trial(name)
    for rule in trial.rules:
        try:
            emitted = trial.grammar.pattern(rule)
        except abnf2lark.NoExpressionError:
            continue
        counts["expressions"] += 1
        yield rule, emitted, re.compile(emitted).fullmatch
    tops = roots(trial.grammar.known)
    for starts in {tops, *((top,) for top in tops[:TOPS])}:
        made = compile_grammar(trial.grammar.known, starts)
        if made.parser != "lalr":
            continue
        parser = lark.Lark(made.text, parser="lalr", lexer="contextual", start=[*made.starts])
        for terminal in parser.terminals:
            counts["terminals"] += 1
            emitted = terminal.pattern.to_regexp()
            yield f"{starts} {terminal.name}", emitted, re.compile(emitted).match


def test_what_backtracks_is_found_and_what_does_not_is_not():
    meter = Meter()
    seen = {}
    with quiet():
        for emitted in ("a*a*c", "(?:ab)*(?:ba|a|b)*c", "a*+b", "[ab]*+c(?=b+)"):
            match = re.compile(emitted).fullmatch
            found = pumps(node_of(emitted), random.Random(1), 20)
            seen[emitted] = any(meter.superlinear(match, pump, 4 * SCALE) for pump in found)
    assert [*seen.values()] == [True, True, False, False]
    assert meter.counts["measurements"] > len(SIZES)
