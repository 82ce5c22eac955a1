"""The shortest way back to a target, against a table and against every short reference."""

from __future__ import annotations

import itertools
import random

import pytest
from cases import each_case, tables

from uriparse.errors import ResolutionError
from uriparse.parsing import parse, try_parse
from uriparse.resolution import relativize, resolve

TABLES = tables(__file__)

BASE = "http://a/b/c/d;p?q"


@each_case(("base", "target", "expected"), TABLES["relativize"])
def test_relativize(base, target, expected):
    reference = relativize(base, target)
    assert str(reference) == expected
    assert parse(expected) == reference
    assert str(resolve(base, reference)) == target


@pytest.mark.parametrize(("base", "target", "expected"), [
    (BASE, "http://a/b/c/../d", "../d"), (BASE, "http://a/b/c/./d;p?q", ""),
    (BASE, "x:a/../b", "x:/b"),
])  # fmt: skip
def test_dot_segments_of_the_target_are_resolved(base, target, expected):
    reference = relativize(base, target)
    assert str(reference) == expected
    assert resolve(base, reference) == resolve(base, target)


@pytest.mark.slow
def test_no_shorter_reference_does_it():
    """Every reference of up to five of the characters that matter is tried."""
    generator = random.Random(3986)
    references = [
        record
        for length in range(6)
        for characters in itertools.product("/.ab:?#", repeat=length)
        if (record := try_parse("".join(characters))) is not None
    ]
    starts = ("s:", "s:/", "s://", "s://a/", "s:a/")
    uris = []
    while len(uris) < 120:
        text = generator.choice(starts) + "".join(generator.choices("///..ab:?#", k=6))
        if (uri := try_parse(text, "URI")) is not None:
            uris.append(uri)
    judged = 0
    for base in uris[:25]:
        shortest = {}
        for reference in references:  # shorter ones come first
            shortest.setdefault(resolve(base, reference), len(str(reference)))
        for target in uris:
            found = relativize(base, target)
            goal = target if target in shortest else resolve(base, target)
            if goal in shortest:
                assert resolve(base, found) == goal, (base, target, found)
                assert len(str(found)) == shortest[goal], (base, target, found)
                judged += 1
    assert judged > 150


@pytest.mark.parametrize(("base", "target"), [("g", "http://a/"), ("http://a/", "//a/g")])
def test_both_must_be_absolute(base, target):
    with pytest.raises(ResolutionError, match=r"^the (base|target) <RelativeRef '.+'> is a relat"):
        relativize(base, target)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a/", "/", "../", "a:"])
def test_a_megabyte_is_no_trouble(unit):
    path = unit * (500_000 // len(unit))
    base, target = f"http://h/{path}x/b", f"http://h/{path}x"
    assert resolve(base, relativize(base, target)) == resolve(base, target)
