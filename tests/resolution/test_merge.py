"""`merge`, the step of section 5.2.3 by itself (U-055)."""

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import ResolutionError, URISyntaxError, remove_dot_segments, resolve
from uriparse.conformance.strategies import from_rule
from uriparse.resolution import merge

TABLES = tables(__file__)


@each_case(("base", "path", "merged"), TABLES["merge"])
def test_merge(base, path, merged):
    assert merge(base, path) == merged


@given(from_rule("absolute-URI"), from_rule("path-noscheme"))
def test_what_is_merged_is_what_is_resolved(base, path):
    target = resolve(base, path)
    assert target.path.removeprefix("/.") in {
        remove_dot_segments(merge(base, path)),
        remove_dot_segments(merge(base, path)).removeprefix("/."),
    }


@given(st.text())
def test_a_path_from_the_root_is_not_merged(rest):
    """The rule is for paths that do not begin with a slash; to the letter `/a/b//g` would come."""
    with pytest.raises(ResolutionError, match="replaces the base's path"):
        merge("http://a/b/c", f"/{rest}")


def test_a_base_is_a_uri():
    with pytest.raises(ResolutionError, match="is a relative reference: resolve it first"):
        merge("//a/b", "c")
    with pytest.raises(URISyntaxError):
        merge("a b", "c")
