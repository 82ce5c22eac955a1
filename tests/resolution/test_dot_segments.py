"""Dot segments against the RFC's traces, its steps taken one by one, and hostile sizes."""

from __future__ import annotations

import itertools
import random

import pytest
from cases import each_case, tables, vectors
from hypothesis import given
from hypothesis import strategies as st

from uriparse.resolution import remove_dot_segments, trace_dot_segments

TABLES = tables(__file__)

CASES = vectors("dot_segments")
assert CASES

paths = st.lists(st.sampled_from(["/", ".", "..", "a", "%2e", ";"]), max_size=30).map("".join)


@each_case("case", CASES)
def test_removes_as_the_table_says(case):
    assert remove_dot_segments(case["path"]) == case["result"]


@each_case("case", CASES)
def test_traces_as_the_table_says(case):
    assert [list(row) for row in trace_dot_segments(case["path"])] == case["trace"]


@pytest.mark.parametrize("lengths", [7, pytest.param(9, marks=pytest.mark.slow)])
def test_every_short_path_agrees_with_its_trace(lengths):
    count = 0
    for length in range(lengths):
        for characters in itertools.product("./a", repeat=length):
            path = "".join(characters)
            *_, last = trace_dot_segments(path)
            assert last == (last.step, remove_dot_segments(path), ""), path
            count += 1
    assert count == (3**lengths - 1) // 2


@given(paths)
def test_agrees_with_its_trace(path):
    *_, last = trace_dot_segments(path)
    assert last.output == remove_dot_segments(path)


@given(paths)
def test_removing_twice_changes_nothing(path):
    once = remove_dot_segments(path)
    assert remove_dot_segments(once) == once


@given(paths)
def test_leaves_no_dot_segment(path):
    assert not {".", ".."} & set(remove_dot_segments(path).split("/"))


@given(paths.map(lambda path: "/" + path))
def test_absolute_paths_stay_absolute(path):
    assert remove_dot_segments(path).startswith("/")


@pytest.mark.parametrize(
    ("path", "expected"),
    TABLES["a_megabyte_is_no_trouble"],
    ids=["2A", "2C", "push and pop", "2B", "no segment"],
)
def test_a_megabyte_is_no_trouble(path, expected):
    assert remove_dot_segments(path) == expected


def test_trace_is_made_row_by_row():
    rows = trace_dot_segments("/.." * 300_000)
    assert next(rows).step == "1"
    assert next(rows).step == "2C"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_long_path_is_split_in_pieces_that_do_not_show(seed):
    generator = random.Random(seed)
    pieces = ["..", ".", "", "a", "b", "c", "segment" * generator.choice((1, 3000))]
    path = "/".join(generator.choices(pieces, weights=(3, 1, 1, 2, 2, 2, 1), k=12_000))
    assert len(path) > 20_000
    output = []
    for segment in path.removeprefix("/").split("/"):
        if segment == "..":
            del output[-1:]
        elif segment != ".":
            output.append(segment)
    ending = "/" if path.endswith(("/.", "/..")) else ""
    expected = "".join(f"/{segment}" for segment in output) + ending
    assert remove_dot_segments("/" + path.removeprefix("/")) == expected
