"""Suites of resolution, tried by `remove_dot_segments` as a counter machine with a wrong step."""

import pytest
from conformance import counter_machines, program_mutants

from uriparse.conformance import operation_suite

pytestmark = pytest.mark.slow

OWN = counter_machines.the_machine()


def paths_of(size, monkeypatch):
    """Return the absolute paths that the RFC's program removes dots from while it runs a suite."""
    found, remove = [], program_mutants.remove_dot_segments
    with monkeypatch.context() as patch:
        patch.setattr(
            program_mutants, "remove_dot_segments", lambda path: found.append(path) or remove(path)
        )
        for case in operation_suite("resolution", size=size):
            assert program_mutants.resolve(*case.given.values()) == case.expected
    return [path for path in dict.fromkeys(found) if path.startswith("/")]


def untold(paths):
    """Return how many machines with one wrong step remove other dots, and those that pass."""
    remove = program_mutants.run("remove_dot_segments")
    cases = [(path, remove(path)) for path in paths]
    short = [(path, counter_machines.run(OWN, path)) for path in counter_machines.paths(5)]
    told, missed = 0, []
    for step, machine in counter_machines.mutants():
        if any(counter_machines.run(machine, path) != expected for path, expected in cases):
            told += 1
        elif any(counter_machines.run(machine, path) != expected for path, expected in short):
            missed.append(step)
    return told, missed


def test_the_machine_is_the_text_of_the_section():
    remove = program_mutants.run("remove_dot_segments")
    paths = [*counter_machines.paths(6)]
    assert len(paths) == 5_460
    assert [p for p in paths if counter_machines.run(OWN, p) != remove(p)] == []


def test_every_machine_with_one_wrong_step_is_told(monkeypatch, record_property):
    told, missed = untold(paths_of("full", monkeypatch))
    record_property("tally", ("counter machines of section 5.2.4 told", {"told": told}))
    assert told > 150
    assert not missed


def test_a_smaller_suite_is_seen_to_miss_machines(monkeypatch):
    assert untold(paths_of("tiny", monkeypatch))[1]
