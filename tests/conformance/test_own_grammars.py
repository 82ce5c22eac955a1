"""Grammars of users: the same suites as for shipped ones."""

import re

import abnf as foreign
import pytest
from bundles import BUNDLES
from cases import documents, each_case

from uriparse.conformance import (
    GrammarTextError,
    NotRegularError,
    OwnGrammar,
    RuleTooLargeError,
    abnf,
    count_words,
    coverage,
    read_abnf,
    subject,
    suite,
    trial,
)
from uriparse.conformance.suites import METHODS

TEXT = 'version = 1*DIGIT *2( "." 1*DIGIT )\nother = version / "x"\nnest = "(" *nest ")"\n'
DOUBLED = "".join(f"r{n} = {{0}}r{n + 1} {{0}}r{n + 1}\n" for n in range(60)) + 'r60 = "x"\n'


@pytest.mark.slow
@each_case(("grammar", "rule"), [("rfc3986", "URI"), ("rfc3987", "IRI"), ("rfc1738", "ftpurl")])
def test_a_shipped_grammar_read_anew_has_the_same_automaton(grammar, rule):
    own = subject(rule, OwnGrammar(BUNDLES[grammar].grammar)).automaton
    shipped = subject(rule, grammar).automaton
    assert own.classes == shipped.classes
    assert own.edges == shipped.edges
    assert own.final == shipped.final


def test_a_suite_of_an_own_rule_tells_it_from_others():
    own = read_abnf(TEXT)
    found = suite("version", grammar=own)
    right = re.compile(r"[0-9]+(\.[0-9]+){0,2}")
    wrong = [r"\d+(\.\d+){0,2}", r"[0-9]+(\.[0-9]+){0,3}", r"[0-9]+(.[0-9]+){0,2}"]
    wrong += [r"[0-9]*(\.[0-9]+){0,2}", r"(?s)[0-9]+(\.[0-9]+){0,2}$", r"[1-9]+(\.[0-9]+){0,2}"]
    assert all((right.fullmatch(row.text) is not None) is row.valid for row in found)
    for pattern in wrong:
        judge = re.compile(pattern)
        match = judge.match if pattern.endswith("$") else judge.fullmatch
        assert any((match(row.text) is not None) is not row.valid for row in found), pattern


@each_case(("text", "message"), [
    ("a = b", 'own.abnf:1:5: undefined: "b" is not defined\n  a = b\n      ^'),
    ("a = 3*2b", "own.abnf:1:5: repeat: 3*2: at least 3 but at most 2"),
])  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_place(text, message):
    with pytest.raises(GrammarTextError) as caught:
        read_abnf(text, "own.abnf")
    assert str(caught.value).startswith(message)


def test_what_is_not_regular_is_named():
    with pytest.raises(NotRegularError, match=r"nest → nest; only a suite to a depth"):
        suite("nest", grammar=read_abnf(TEXT))


RECURSIVE = documents(__file__)["RECURSIVE"]
LOOPS = RECURSIVE.replace('label / subdomain "." label', 'label *( "." label )').replace(
    "let-dig-hyp / let-dig-hyp ldh-str", "1*let-dig-hyp"
)


NESTED = documents(__file__)["NESTED"]


class Nested(foreign.Rule):
    """The rules of NESTED, for the abnf package."""


Nested.load_grammar("".join(f"{line}\r\n" for line in NESTED.splitlines()))


def is_nested(text):
    try:
        Nested("value").parse_all(text)
    except foreign.ParseError:
        return False
    return True


def levels(text):
    """Count how many values are in each other, less one."""

    def depth(node):
        return (node.name == "value") + max(map(depth, node.children), default=0)

    return depth(Nested("value").parse_all(text)) - 1


@each_case("depth", [0, 1, 2])
def test_recursion_within_is_looked_into_to_a_depth(depth):
    found = suite("value", grammar=read_abnf(NESTED), method="transition", depth=depth)
    for row in found:
        assert is_nested(row.text) is row.valid, row.text
    assert {levels(row.text) for row in found if row.valid} == {*range(depth + 1)}
    assert not any("~" in row.tests for row in found if "~" not in row.text)
    assert found.guarantee.startswith(
        f"Of texts whose rules are nested to {depth} level{'s' * (depth != 1)}: a parser"
    )


@each_case(("wrong", "depth"), [
    (lambda text: is_nested(text) and levels(text) < 3, 3),
    (lambda text: is_nested(text.replace(",]", "]")), 1),
    (lambda text: is_nested(text) and "[{" not in text, 2),
    (lambda text: is_nested(text.replace("}", "]").replace("{", "[")), 1),
])  # fmt: skip
def test_wrong_readers_of_nested_texts_are_told(wrong, depth):
    found = suite("value", grammar=read_abnf(NESTED), method="transition", depth=depth)
    assert any(wrong(row.text) is not row.valid for row in found)


def test_recursion_at_an_end_is_a_loop():
    recursive, loops = read_abnf(RECURSIVE), read_abnf(LOOPS)
    assert recursive.expressions == loops.expressions
    for rule in recursive.rules:
        found, wanted = subject(rule, recursive), subject(rule, loops)
        assert found.automaton.edges == wanted.automaton.edges, rule
        assert found.automaton.final == wanted.automaton.final, rule
        assert found.labelled.groups == wanted.labelled.groups, rule
    assert abnf(subject("domain", recursive), "ldh-str") == "ldh-str = 1*let-dig-hyp"
    assert recursive.tree("a.b-c", "domain").children[0].data == "subdomain"


@each_case("method", METHODS)
def test_suites_take_loops(method):
    rows = suite("subdomain", grammar=read_abnf(RECURSIVE), method=method)
    assert [*rows] == [*suite("subdomain", grammar=read_abnf(LOOPS), method=method)]
    right = re.compile(
        r"[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
    )
    assert all((right.fullmatch(row.text) is not None) is row.valid for row in rows)


def test_all_that_is_made_of_an_automaton_takes_loops():
    recursive, loops = read_abnf(RECURSIVE), read_abnf(LOOPS)
    assert count_words("subdomain", 5, grammar=recursive) == count_words(
        "subdomain", 5, grammar=loops
    )
    counted = coverage("domain", ["a.b", "a-"], grammar=recursive)
    assert (counted.accepted, counted.refused) == (1, 1)
    assert counted.tally("repetition") == coverage("domain", ["a.b"], grammar=loops).tally(
        "repetition"
    )
    found = trial({"letters": re.compile(r"[a-zA-Z.]*").fullmatch}, "domain", grammar=recursive)
    (judged,) = found.trials
    assert {fault.component for fault in judged.faults} == {"domain", "subdomain"}


@each_case("ask", [suite, coverage])
def test_recursion_within_is_refused_wherever_an_automaton_is_needed(ask):
    given = {"texts": []} if ask is coverage else {}
    with pytest.raises(NotRegularError, match="nest is not regular: it is recursive, nest → nest"):
        ask("nest", grammar=read_abnf(TEXT), **given)
    with pytest.raises(NotRegularError):
        read_abnf(TEXT).witnesses("nest")


@pytest.mark.slow
@pytest.mark.parametrize("link", ["", "*"])
def test_a_rule_that_unfolds_without_bound_is_refused(monkeypatch, link):
    monkeypatch.setattr("uriparse.grammar.rule_sources.MAX_STEPS", 20_000)
    monkeypatch.setattr("abnf2lark.tables.error_automaton.MAX_POSITIONS", 500)
    own = read_abnf(DOUBLED.format(link))
    with pytest.raises(NotRegularError, match="r0 has too many states"):
        own.automaton("r0")


def test_the_part_that_makes_a_rule_large_is_told_with_its_place(monkeypatch):
    own = read_abnf('a = "q" b\n\nb = "r" *600c\nc = "x" / "yz"\n', "own.abnf")
    part = "what makes it large is *600c in b (own.abnf:3); write smaller numbers, or * without any"
    monkeypatch.setattr("uriparse.conformance.derivations.MAX_STEPS", 1_000)
    with pytest.raises(RuleTooLargeError) as caught:
        coverage("a", [], grammar=own)
    assert str(caught.value) == (
        f"a unfolds to more than 1,000 steps, which is too large to count its choices: {part}"
    )
    monkeypatch.setattr("uriparse.grammar.rule_sources.MAX_STEPS", 1_000)
    monkeypatch.setattr("abnf2lark.automata.comparison.MAX_STEPS_OF_PARTS", 1_000)
    with pytest.raises(NotRegularError) as refused:
        own.automaton("a")
    assert str(refused.value) == f"a has too many states to be looked into: {part}"
