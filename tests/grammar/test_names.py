"""The generated types contain every grammar and rule that the functions accept."""

from typing import get_args

from cases import each_case

from uriparse import URI, RelativeRef, UnknownRuleError, grammars, parse, rules
from uriparse._compiled import names
from uriparse.grammar import start_rule

RULES = {rule: grammar for grammar in reversed(grammars()) for rule in rules(grammar)}
TEXTS = {"URI": "x:", "RelativeRef": "a"}


def test_every_grammar_and_rule_is_named_once():
    assert get_args(names.GrammarName) == grammars()
    assert len(get_args(names.RuleName)) == len({*get_args(names.RuleName)})
    assert {*get_args(names.RuleName)} == {*RULES}


@each_case("rule", RULES)
def test_parse_accepts_the_rules_of_records(rule):
    grammar = RULES[rule]
    taken = rule in get_args(names.RecordRule)
    assert not taken or grammar in get_args(names.RecordGrammar)
    for text in TEXTS.values():
        try:
            parse(text, rule, grammar=grammar)
        except UnknownRuleError:
            assert not taken
        except ValueError:
            assert taken
        else:
            assert taken


@each_case("kind", [URI, RelativeRef])
def test_a_rule_of_one_class_returns_it(kind):
    choices = get_args(getattr(names, f"{kind.__name__}Rule"))
    assert choices
    for rule in choices:
        assert type(parse(TEXTS[kind.__name__], rule, grammar=RULES[rule])) is kind
    others = {*get_args(names.RecordRule)} - {start_rule(one) for one in RULES.values()}
    assert {*choices} < others
