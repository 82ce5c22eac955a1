"""Imports: a rule that is wanted from another grammar has to be there."""

from abnf2lark.reading.config import core_grammar
from abnf2lark.reading.load import load
from abnf2lark.reading.problems import Source


def load_with_core(text, take):
    return load(Source("g.abnf", text), "g", (core_grammar(),), take)


def test_a_wanted_rule_is_taken_although_nothing_refers_to_it():
    grammar, problems = load_with_core('a = "x"\n', ("bit",))
    assert not problems
    assert list(grammar.rules) == ["a", "BIT"]


def test_a_wanted_rule_that_no_import_defines_is_named():
    _, problems = load_with_core('a = "x"\n', ("DIGIT", "prot"))
    assert [problem.headline() for problem in problems] == [
        'g.abnf:1:1: undefined: "prot" is to be imported, but no imported grammar defines it'
    ]
