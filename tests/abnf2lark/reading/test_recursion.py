"""Rules that lead back to themselves: all are found, and linear ones become loops."""

import re
import sys
from collections import Counter

import pytest
from brute.judge import CORE, judge, ours
from brute.words import all_words
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark import ir
from abnf2lark.automata import compare_rules
from abnf2lark.checks import Subject, structure_problems
from abnf2lark.lark_grammars.component_rules import Plan
from abnf2lark.lark_grammars.earley import earley_grammar
from abnf2lark.patterns.rule_expression import proved_matcher
from abnf2lark.problems import Source
from abnf2lark.reading.reader import Outline
from abnf2lark.reading.recursion import loop_through, recursion, recursive_rules, with_loops

TABLES = tables(__file__)

NAMES = "abcdef"

X = ir.Chars.single("x")
ITEMS = st.sampled_from(['"a"', '"b"', '*"c"', '[ "a" ]', '"b" "c"'])
LOOP_NAMES = ["s", "t", "u"]


def grammar_of(bodies):
    rules = {name: ir.Rule(name, body, "t", ir.Position(1, 1)) for name, body in bodies.items()}
    return ir.RuleSet("t", rules, tuple(rules))


def bodies(names):
    return st.recursive(
        st.one_of(st.just(X), st.just(ir.EMPTY), st.sampled_from(names).map(ir.Ref)),
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda items: ir.Seq(tuple(items))),
            st.lists(inner, min_size=2, max_size=3).map(lambda items: ir.Alt(tuple(items))),
            st.builds(ir.Rep, inner, st.integers(0, 1), st.none()),
        ),
        max_leaves=4,
    )


grammars = st.fixed_dictionaries({name: bodies(NAMES) for name in NAMES}).map(grammar_of)


def ways(grammar, start):
    """Give every way from a rule along references on which none comes twice, but for the last."""
    pending = [(start,)]
    while pending:
        way = pending.pop()
        for ref in ir.references(grammar.rules[way[-1]].body):
            yield (*way, ref.name)
            if ref.name not in way:
                pending.append((*way, ref.name))


def loops(grammar, name):
    return [way for way in ways(grammar, name) if way[-1] == name]


@given(grammars)
def test_recursive_rules_are_those_with_a_way_back(grammar):
    assert recursive_rules(grammar) == {name for name in NAMES if loops(grammar, name)}


@given(grammars, st.sets(st.sampled_from(NAMES)))
def test_rules_lead_to_what_some_way_ends_in(grammar, targets):
    assert ir.leading_to(grammar, targets) == targets | {
        name for name in NAMES if any(way[-1] in targets for way in ways(grammar, name))
    }


@given(grammars, st.lists(st.sampled_from(NAMES), min_size=1, max_size=2))
def test_the_loop_is_a_shortest_one_from_the_first_rule_that_has_one(grammar, starts):
    found = recursion(grammar, starts)
    reached = ir.reachable(grammar, starts)
    known = {name: min(map(len, loops(grammar, name)), default=0) for name in reached}
    if not any(known.values()):
        assert found == ()
        return
    shortest = min(filter(None, known.values()))
    assert found[0] == next(name for name in reached if known[name] == shortest)
    assert len(found) == shortest
    assert found in loops(grammar, found[0])


@given(grammars)
def test_the_loop_through_a_rule_is_a_shortest_one_within_the_limit(grammar):
    steps = {n: [ref.name for ref in ir.references(r.body)] for n, r in grammar.rules.items()}
    for name in NAMES:
        shortest = min(map(len, loops(grammar, name)), default=0)
        for limit in range(2, 9):
            found = loop_through(name, steps, limit)
            assert len(found) == (shortest if shortest < limit else 0)
            assert not found or found in loops(grammar, name)


def naive(grammar, hold):
    """Look at all rules again until nothing new is found."""
    found = set()
    while new := {n for n in NAMES if n not in found and hold(grammar.rules[n].body, found)}:
        found |= new
    return found


def spells(node, spelling):
    """Tell whether every way through an expression comes to rules that spell something."""
    return all(ref.name in spelling for ref in ir.references(node))


@given(grammars)
def test_rules_that_hold_are_found_whatever_their_order(grammar):
    assert ir.nullable_rules(grammar) == naive(grammar, ir.is_nullable)
    assert ir.rules_that(grammar, spells) == naive(grammar, spells)


def chain(size):
    return {f"r{n}": ir.Seq((X, ir.Ref(f"r{n + 1}"))) for n in range(size)} | {f"r{size}": X}


def backwards(size):
    return dict(reversed(chain(size).items()))


def empties(size):
    return {f"r{n}": ir.Ref(f"r{n + 1}") for n in range(size)} | {f"r{size}": ir.EMPTY}


def ring(size):
    return {f"r{n}": ir.Seq((X, ir.Ref(f"r{(n + 1) % size}"))) for n in range(size)}


def left_ring(size):
    return {f"r{n}": ir.Alt((X, ir.Ref(f"r{(n + 1) % size}"))) for n in range(size)}


def tail(size):
    """A chain that runs into a loop."""
    return {**chain(size), f"r{size}": ir.Seq((X, ir.Ref(f"r{size}")))}


def selves(size):
    return {f"r{n}": ir.Seq((X, ir.Ref(f"r{n}"))) for n in range(size)}


def rings(size):
    """Loops of two, each leading to the next."""
    found = {}
    for n in range(0, size, 2):
        found[f"r{n}"] = ir.Alt((ir.Ref(f"r{n + 1}"), ir.Ref(f"r{min(n + 2, size - 1)}")))
        found[f"r{n + 1}"] = ir.Seq((X, ir.Ref(f"r{n}")))
    return found


SHAPES = [chain, backwards, empties, ring, left_ring, tail, selves, rings]

WORK = {
    "recursion": lambda g: recursion(g, g.own), "recursive_rules": recursive_rules,
    "leading_to": lambda g: ir.leading_to(g, list(g.rules)[-1:]),
     "nullable_rules": ir.nullable_rules,
    "structure": lambda g: structure_problems(Subject(Source("t", "x"), g, Outline(), CORE), []),
    "blank_rules": ir.blank_rules,
    "earley": lambda g: earley_grammar(Plan(g, g.own[:1], frozenset(g.own))),
}  # fmt: skip


def calls(work, grammar):
    """Count the calls of functions and the steps of generators that some work takes."""
    counts = Counter()
    sys.setprofile(lambda _frame, event, _argument: counts.update((event,)))
    try:
        work(grammar)
    finally:
        sys.setprofile(None)
    return counts["call"] + counts["c_call"]


@pytest.mark.slow
@each_case("shape", SHAPES)
@each_case("name", WORK)
def test_twice_the_rules_take_twice_the_steps(name, shape):
    small, large = (calls(WORK[name], grammar_of(shape(size))) for size in (50, 100))
    assert large < 2.3 * small + 200


@pytest.mark.slow
@each_case("shape", SHAPES)
def test_depth_is_no_matter(shape):
    grammar = grammar_of(shape(2000))
    for work in WORK.values():
        work(grammar)


@st.composite
def systems(draw):
    """Draw rules each alternative of which has another rule at one end, or none."""
    last = draw(st.booleans())
    lines = []
    for name in LOOP_NAMES:
        ways = [draw(ITEMS)]
        for _ in range(draw(st.integers(1, 2))):
            # Something is read before it goes on, so that no judge goes round in circles.
            item = draw(st.sampled_from(['"a"', '"b"', '"b" "c"']))
            other = draw(st.sampled_from(LOOP_NAMES))
            way = f"{item} {other}" if last else f"{other} {item}"
            ways.append(draw(st.sampled_from([way, f"{item} [ {other} ]" if last else way])))
        lines.append(f"{name} = {' / '.join(ways)}\n")
    return last, "".join(lines)


@pytest.mark.slow
@given(systems())
def test_the_same_texts_match_without_recursion(system):
    last, text = system
    made = with_loops(ours(text))
    assert not recursive_rules(made)
    if not last:
        return  # a judge that reads from the left goes round in circles
    accepts = judge(text)
    for rule in LOOP_NAMES:
        found = re.compile(proved_matcher(ours(text), rule, ()).pattern)
        for word in all_words("abc", 4):
            assert bool(found.fullmatch(word)) == accepts(rule, word), (rule, word)


@each_case(("recursive", "loop"), TABLES["rules_that_are_loops"])
def test_rules_that_are_loops(recursive, loop):
    assert compare_rules(ours(recursive), "s", ours(loop), "s").relation == "equal"


@each_case("text", ['s = "(" s ")" / "x"\n', 's = s s / "x"\n', 's = *( "x" s )\n'])
def test_other_recursion_stays(text):
    grammar = ours(text)
    assert with_loops(grammar) == grammar


def linear_ring(number, ways):
    """Give rules each of which leads to those behind it, around."""
    return "".join(
        f"r{n} = "
        + "".join(f'"{chr(97 + way)}" r{(n + way) % number} / ' for way in range(1, ways + 1))
        + f'"{n}"\n'
        for n in range(number)
    )


def test_of_many_rules_so_many_become_loops_as_can_be_made_in_time(monkeypatch):
    monkeypatch.setattr("abnf2lark.reading.recursion.MAX_STEPS", 20_000)
    one = linear_ring(12, 1)
    many = "".join(one.replace("r", f"group{n}r") for n in range(20))
    left = recursive_rules(with_loops(ours(many)))
    assert 0 < len(left) < 20 * 12
