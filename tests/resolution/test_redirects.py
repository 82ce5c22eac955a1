"""Redirects in a row: the same as resolving each against the one before, in linear time."""

from functools import reduce

from cases import tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import parse
from uriparse.resolution import resolve
from uriparse.resolution.base import base_uri

TABLES = tables(__file__)

FIRST = ["http://h", "http://h/a/b?q#f", "x:", "x:a", "x:a/b", "x:/a/../b/..", "x:/.//a", "x:a/."]
STEPS = TABLES["steps"]


def record(text, iri):
    return parse(text, "IRI-reference", grammar="rfc3987") if iri else text


STEP = st.builds(record, st.sampled_from(STEPS), st.sampled_from([False, False, True])) | st.just(
    parse("é/", "IRI-reference", grammar="rfc3987")
)


@given(st.sampled_from(FIRST), st.lists(STEP))
def test_the_target_is_that_of_resolving_step_by_step(first, steps):
    expected = reduce(resolve, steps, parse(first)).replace(fragment=None)
    target = base_uri(retrieval=[first, *steps]).uri
    assert (target, target.grammar) == (expected, expected.grammar)
    parts = ("scheme", "authority", "path", "query", "fragment")
    assert [getattr(target, part) for part in parts] == [getattr(expected, part) for part in parts]
    assert parse(str(target), "IRI-reference", grammar="rfc3987") == target
