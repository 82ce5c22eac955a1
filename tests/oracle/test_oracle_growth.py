"""No public function or command takes more than linear time, whatever is repeated in its text.

Each is measured on texts of 3,000 to 48,000 characters that a unit makes long. A few thousand
measurements are made unless URIPARSE_MEASUREMENTS says how many; 100000 take some minutes.
URIPARSE_SEED draws other texts.
"""

import os
import random

import pytest
from command_tables import COMMANDS
from oracle.entry_point import name_of
from oracle.entry_points import ENTRY_POINTS
from oracle.growth import PATIENCE, SIZES, Meter, quiet
from oracle.pumping import Shape, Shapes
from public_names import PUBLIC, public, stands_among

MEASUREMENTS = int(os.environ.get("URIPARSE_MEASUREMENTS", "6000"))
ENOUGH = 3
"""Findings of one function, after which it is not measured any more."""

GROUPS = {}
for way in ENTRY_POINTS:
    GROUPS.setdefault(name_of(way.of), []).append(way)
SHARES = sum(way.share for way in ENTRY_POINTS)

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("name", GROUPS)
def test_time_is_linear(name, seed, tally):
    found = []
    meter = Meter()
    with quiet():
        for way in GROUPS[name]:
            shapes = Shapes(random.Random(f"{way.name} {seed}"), *way.rule)
            until = meter.counts["measurements"] + way.share / SHARES * MEASUREMENTS
            while meter.counts["measurements"] < until and len(found) < ENOUGH:
                found += fault(way, shapes.draw(), meter)
    tally("processor time", functions=1, **meter.counts, faults=len(found))
    assert not found, "\n".join(["", *found])


def fault(way, shape, meter):
    """Tell what is wrong with a way and a shape, if anything, by the simplest such shape."""
    meter.counts["shapes"] += 1
    said = trouble(way, shape, meter)
    if said is None:
        return []
    smaller = True
    while smaller:
        smaller = False
        for simpler in shape.simpler():
            again = trouble(way, simpler, Meter())
            if again is not None:
                shape, said, smaller = simpler, again, True
                break
    return [f"{way.name} on {shape}: {said}"]


def trouble(way, shape, meter):
    try:
        times = meter.superlinear(way, shape, way.scale)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no URIError
        return f"{type(error).__name__}: {ascii(error)[:200]}"
    return None if times is None else ", ".join(f"{time:.4f} s" for time in times)


@pytest.mark.parametrize("path", PUBLIC)
def test_every_public_function_is_measured(path):
    behind = [way.of for way in ENTRY_POINTS]
    for name, value in public(path):
        assert stands_among(value, behind), name


def test_every_command_is_measured():
    asked = {" ".join(group.split()[:2]) for group in GROUPS}
    assert {f"uriparse {name}" for name in COMMANDS} - asked == {
        "uriparse diff", "uriparse conformance", "uriparse help",
    }  # fmt: skip


def test_a_quadratic_call_is_found_and_a_linear_one_is_not():
    shape = Shape("", "ab", "", "c")
    meter = Meter()
    with quiet():
        assert meter.superlinear(lambda text: sum(map(ord, text * 20)), shape) is None
        assert meter.superlinear(lambda text: [text[at:] for at in range(0, len(text), 4)], shape)
        assert meter.superlinear(endless, shape)[0] == PATIENCE
    assert meter.counts["measurements"] > 2 * len(SIZES)


def endless(_):
    while True:
        pass
