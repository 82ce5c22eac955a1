"""`remove_dot_segments` (RFC 3986, section 5.2.4) as a counter machine, and machines near to it.

A path is read from its end, a segment at a time. The counter holds how many segments are still to
be left out for a ".." that is further to the right. Nothing of uriparse is used.
"""

from itertools import product
from typing import NamedTuple

KINDS = (".", "..", "", "name")
PLACES = ("first", "later", "last")
COUNTERS = ("none", "some")


class Step(NamedTuple):
    """What is done with a segment: written, written as an empty one, or not; and the counter."""

    writes: str
    adds: int


def the_machine():
    """Return the step for each kind of segment, place and counter (none, or some to leave out)."""
    found = {}
    for kind, place, counter in product(KINDS, PLACES, COUNTERS):
        if kind == ".":
            step = Step("empty" if place == "last" else "nothing", 0)
        elif kind == "..":
            step = Step("empty" if place == "last" else "nothing", 1)
        elif counter == "some":
            step = Step("nothing", -1)
        else:
            step = Step("itself", 0)
        found[kind, place, counter] = step
    return found


def run(machine, path):
    """Read an absolute path, "" or "/…", from the right."""
    segments = path.split("/")[1:]
    written, counter = [], 0
    for number in range(len(segments) - 1, -1, -1):
        segment = segments[number]
        kind = segment if segment in KINDS else "name"
        place = "last" if number == len(segments) - 1 else "later" if number else "first"
        step = machine[kind, place, "some" if counter else "none"]
        if step.writes != "nothing":
            written.append(segment if step.writes == "itself" else "")
        counter = max(counter + step.adds, 0)
    return "".join(f"/{segment}" for segment in reversed(written))


def mutants():
    """Yield every machine with one step that writes or counts otherwise."""
    machine = the_machine()
    for key, step in machine.items():
        for other in product(("itself", "empty", "nothing"), (-1, 0, 1, 2)):
            if other != step:
                yield (key, other), {**machine, key: Step(*other)}


def paths(longest=5, segments=(".", "..", "", "g")):
    """Yield every absolute path of up to so many segments."""
    for length in range(1, longest + 1):
        for found in product(segments, repeat=length):
            yield "".join(f"/{segment}" for segment in found)
