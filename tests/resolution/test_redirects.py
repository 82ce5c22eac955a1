"""Redirects in a row: the same as resolving each against the one before, in linear time."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import parse
from uriparse.records import references
from uriparse.resolution import resolve
from uriparse.resolution.base import base_uri
from uriparse.resolution.resolving import without_fragment

FIRST = ["http://h", "http://h/a/b?q#f", "x:", "x:a", "x:a/b", "x:/a/../b/..", "x:/.//a", "x:a/."]
STEPS = [
    *(
        "",
        "#f",
        "?",
        "?q#f",
        ".",
        "..",
        "./",
        "../",
        "../..",
        "a",
        "a/",
        "a/.",
        "a/..",
        "a/b",
        "./a",
    ),
    *(
        "/",
        "/a",
        "/a/..",
        "/.//a",
        ".//a",
        "..//a",
        "a//b",
        "../a//../b",
        "//h",
        "//h?q",
        "//h/a/.",
    ),
    *("y:", "y:a", "y:a/..", "y:/.//a/", "y://h", "a/./../..", "../../../a"),
]


def record(text, iri):
    return parse(text, "IRI-reference", grammar="rfc3987") if iri else text


STEP = st.builds(record, st.sampled_from(STEPS), st.sampled_from([False, False, True])) | st.just(
    parse("é/", "IRI-reference", grammar="rfc3987")
)


@given(st.sampled_from(FIRST), st.lists(STEP))
def test_the_target_is_that_of_resolving_step_by_step(first, steps):
    expected = without_fragment(reduce(resolve, steps, parse(first)))
    target = base_uri(retrieval=[first, *steps]).uri
    assert (target, target.grammar) == (expected, expected.grammar)
    parts = ("scheme", "authority", "path", "query", "fragment")
    assert [getattr(target, part) for part in parts] == [getattr(expected, part) for part in parts]
    assert parse(str(target), "IRI-reference", grammar="rfc3987") == target


@pytest.mark.parametrize(
    "steps",
    [["a/"] * 2000, ["x" * 2000, *["?q"] * 2000], ["a/" * 1000, *["../a/./"] * 2000], [""] * 2000],
    ids=["longer and longer", "a long path kept", "to and fro", "nothing new"],
)
def test_what_is_written_on_the_way_is_linear(steps):
    written = 0

    def compose(*parts):
        nonlocal written
        text = original(*parts)
        written += len(text)
        return text

    original = references.compose
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(references, "compose", compose)
        base_uri(retrieval=["http://h/", *steps])
    assert written <= 2 * sum(map(len, ["http://h/", *steps]))
