"""What a refusal says: the characters that can follow, in the grammar's words, and no others.

The table was read by hand. An independent judge, which reads the grammar and tries every way, says
where each text stops and what can follow; it reads the words of a message as ABNF.
"""

import json
import re
from itertools import groupby, islice

import pytest
from brute.backtracking import Scope
from brute.frontier import follows, joined
from cases import each_case, tables
from collected.scopes import scope
from paths import GRAMMARS, VECTORS

import abnf2lark
from tools.collection.grammars import COLLECTED, FOLDER

TABLES = tables(__file__)

REFUSALS = json.loads((VECTORS / "refusals.json").read_text(encoding="utf-8"))
BY_GRAMMAR = {name: [*rows] for name, rows in groupby(REFUSALS, lambda row: row[0])}


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_GRAMMAR)
def test_refusals_say_what_can_follow(name):
    grammar = COLLECTED[name].load()
    for _, rule, text, message in BY_GRAMMAR[name]:
        found = grammar.explain(text, rule)
        assert str(found) == message
        check(found, scope(name))


@pytest.mark.oracle
@pytest.mark.parametrize("name", BY_GRAMMAR)
def test_any_refusal_says_what_can_follow(name):
    grammar = COLLECTED[name].load()
    for rule in filter(lambda one: scope(name).body(one.casefold()), grammar.rules):
        for text in islice(grammar.generate(1, 30, rule, invalid=True), 10):
            check(grammar.explain(text, rule), scope(name))


def check(found, rules):
    text, stop, begin = found.text, found.offset, found.begin
    after, may_end = follows(rules, found.rule, text[:stop])
    assert after or may_end  # what is read can go on, or end
    assert found.may_end is may_end
    if stop < len(text):
        assert not any(low <= ord(text[stop]) <= high for low, high in after)
    else:
        assert not may_end
    after, may_end = follows(rules, found.rule, text[:begin])
    told = [
        one for word in found.words for one in follows(Scope(f"x = {word}", [rules]), "x", "")[0]
    ]
    assert (joined(told), found.may_end_at_begin) == (after, may_end), (found.rule, text)


def test_strings_are_spelled_as_in_the_grammar():
    files = [path.read_text("utf-8") for path in (FOLDER / "grammars").glob("*.abnf")]
    files += [path.read_text("utf-8") for path in GRAMMARS.glob("*.abnf")]
    quoted = re.compile(r'(%s)?"([^"]+)"')
    found = [one for *_, message in REFUSALS for one in quoted.findall(told(message))]
    words = {word for exact, word in found if not exact}
    assert len(words) > 100
    assert [word for word in words if not any(word in text for text in files)] == []


def told(message):
    """Return the part of a message that names what is expected."""
    return message.partition(": expected ")[2].rpartition(" at offset ")[0]


@each_case(("abnf", "text", "expected", "place"), TABLES["refusals_of_strings"])
def test_refusals_of_strings(abnf, text, expected, place):
    found = abnf2lark.load(abnf).explain(text)
    assert str(found) == f"no {found.rule}: expected {expected} at offset {place}"
    check(found, Scope(abnf))
