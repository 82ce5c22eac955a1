"""The tools of the repository: the measures of the house, and the check of a change."""

import sys

import pytest
from cases import tables
from paths import ROOT

sys.path.insert(0, str(ROOT))
check = pytest.importorskip("tools.check")
house = pytest.importorskip("tools.house")

TABLES = tables(__file__)
STEPS = [("good", "pass"), ("bad", "raise SystemExit(1)")]


@pytest.mark.slow
def test_the_picture_of_the_house_is_drawn_from_the_imports():
    page = (ROOT / "tools/docs/reference/layout.md").read_text(encoding="utf-8")
    assert house.picture() in page, "put in it what `python -m tools.house --picture` prints"


def test_wings_that_import_each_other_have_no_layers():
    with pytest.raises(ValueError, match="in a circle: a, b"):
        house.layers({"a": {"b"}, "b": {"a"}, "c": set()})


@pytest.mark.parametrize(("changed", "tests"), TABLES["a_change_names_its_tests"])
def test_a_change_names_its_tests(changed, tests):
    assert check.tests_of([changed]) == tests


def test_a_step_that_fails_is_named_and_one_without_time_is_left_out(capfd):
    good, bad = (check.Step(word, [sys.executable, "-c", code], 1) for word, code in STEPS)
    assert check.run([good, bad], 30) == (["bad"], [])
    assert "good: passed" in capfd.readouterr().out
    assert check.run([good], 0) == ([], ["good"])
