"""What suites promise, tried by machines with faults that share nothing with the kit."""

import random

import pytest
from cases import tables
from conformance.fault_machines import DEAD, Suite, differs, machine

from uriparse.conformance import suite

TABLES = tables(__file__)

SMALL = TABLES["small"]
QUICK = [
    pytest.param(*one, marks=pytest.mark.slow if one[0] in {"hostport", "authority"} else ())
    for one in SMALL
]
LARGE = TABLES["large"]


def tried(rule, grammar, method="hsi"):
    own = machine(rule, grammar)
    rows = suite(rule, grammar=grammar, method=method)
    return own, Suite(own, [(case.text, case.valid) for case in rows])


def labels(own):
    return range(max(own.kinds) + 1)


def redirections(own, rng, most):
    """Yield machines with one step elsewhere, each step to some other states."""
    steps = [(state, label) for state in range(len(own.edges)) for label in labels(own)]
    rng.shuffle(steps)
    count = 0
    for state, label in steps:
        for target in rng.sample(range(DEAD, len(own.edges)), min(4, len(own.edges) + 1)):
            if target != own.edges[state].get(label, DEAD):
                edges = list(own.edges)
                edges[state] = {**own.edges[state], label: target}
                if target == DEAD:
                    del edges[state][label]
                yield edges, own.final, [(state, label)]
                count += 1
                if count == most:
                    return


def combinations(own, rng, most):
    """Yield machines with two to four faults of any kind."""
    for _ in range(most):
        edges, final, changed = list(own.edges), set(own.final), []
        for _ in range(rng.randrange(2, 5)):
            state = rng.randrange(len(edges))
            if rng.random() < 0.3:
                final ^= {state}
                continue
            label, target = rng.choice(labels(own)), rng.randrange(DEAD, len(edges))
            edges[state] = {**edges[state], label: target}
            if target == DEAD:
                del edges[state][label]
            changed.append((state, label))
        yield edges, final, changed


def more_states(own, rng, most):
    """Yield machines with one state more: a copy with a fault, and a step that leads there."""
    for _ in range(most):
        state, copied = rng.randrange(len(own.edges)), rng.randrange(len(own.edges))
        label, wrong = rng.choice(labels(own)), rng.choice(labels(own))
        edges, final = list(own.edges), set(own.final)
        extra = len(edges)
        edges.append(dict(own.edges[copied]))
        final |= {extra} if copied in own.final else set()
        if rng.random() < 0.3:
            final ^= {extra}
        else:
            target = rng.randrange(DEAD, extra + 1)
            edges[extra][wrong] = target
            if target == DEAD:
                del edges[extra][wrong]
        edges[state] = {**edges[state], label: extra}
        yield edges, final, [(state, label)]


def count(own, judge, machines):
    """Return how many faulty machines there were; all must be found."""
    tried = 0
    for edges, final, changed in machines:
        if differs(own, edges, final):
            tried += 1
            assert judge.finds(edges, final, changed), (changed, edges[-1])
    return tried


def all_faults(rule, grammar, most):
    own, judge = tried(rule, grammar)
    rng = random.Random(f"{rule} {grammar}")
    for state in range(len(own.edges)):
        assert judge.finds_flip(state), state
    assert judge.finds_flip(DEAD)
    found = len(own.edges)
    found += count(own, judge, redirections(own, rng, most))
    return found + count(own, judge, combinations(own, rng, most))


def test_machines_are_those_of_the_rules():
    own = machine("dec-octet", "rfc3986")
    accepted = [
        number for number in range(1000) if own.run(own.classes_of(str(number))) in own.final
    ]
    assert accepted == [*range(256)]
    assert own.run(own.classes_of("01")) not in own.final
    assert not differs(own, own.edges, own.final)


@pytest.mark.parametrize(("rule", "grammar"), QUICK)
def test_no_fault_passes_that_adds_no_state(rule, grammar):
    assert all_faults(rule, grammar, 100) > 50


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), SMALL + LARGE)
def test_no_fault_of_many_passes_that_adds_no_state(rule, grammar, record_property):
    found = all_faults(rule, grammar, 3_000)
    record_property("tally", ("faults of machines without more states, all found", {rule: found}))


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), SMALL)
def test_no_fault_passes_that_adds_a_state(rule, grammar):
    own = machine(rule, grammar)
    rows = suite(rule, grammar=grammar, method="hsi", extra_states=1)
    judge = Suite(own, [(case.text, case.valid) for case in rows])
    assert count(own, judge, more_states(own, random.Random(rule), 300)) > 100


def single_faults(own):
    """Yield the machines that the guarantee of `transition` names, but for those of an end."""
    for state, row in enumerate(own.edges):
        for label in labels(own):
            wrong = {DEAD} if label in row else {state, *row.values()}
            for target in wrong:
                edges = list(own.edges)
                edges[state] = {**row, label: target}
                if target == DEAD:
                    del edges[state][label]
                yield edges, own.final, [(state, label)]


def all_single_faults(rule, grammar):
    own, judge = tried(rule, grammar, "transition")
    assert all(judge.finds_flip(state) for state in range(len(own.edges)))
    return len(own.edges) + count(own, judge, single_faults(own))


@pytest.mark.parametrize(("rule", "grammar"), QUICK)
def test_no_single_fault_passes_transitions(rule, grammar):
    assert all_single_faults(rule, grammar) > 2


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), LARGE)
def test_no_single_fault_of_large_rules_passes_transitions(rule, grammar, record_property):
    found = all_single_faults(rule, grammar)
    record_property("tally", ("single faults of a machine, all found", {rule: found}))


def test_a_fault_of_the_kit_is_found():
    """Without the rows that end in a state, as they were once missing, a flip passes."""
    own = machine("dec-octet", "rfc3986")
    rows = [(case.text, case.valid) for case in suite("dec-octet", method="hsi")]
    judge = Suite(own, [row for row in rows if row[0] not in ("2", "25")])
    assert not all(judge.finds_flip(state) for state in range(len(own.edges)))
