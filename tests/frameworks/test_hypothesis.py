"""Hypothesis draws words of rules, and records by their types."""

import pytest
from command_runs import run_python
from hypothesis import find, given
from hypothesis import strategies as st

import uriparse
from uriparse import URI, RelativeRef, URIReference
from uriparse.extra.hypothesis import from_rule, near_miss


@given(st.data(), st.sampled_from([URI, RelativeRef, URIReference]))
def test_records_are_drawn_by_their_types(data, kind):
    record = data.draw(st.from_type(kind))
    assert isinstance(record, kind)
    assert kind(str(record)) == record


@given(st.from_type(URI), from_rule("IRI", grammar="rfc3987"))
def test_words_are_words(uri, iri):
    assert uriparse.is_valid(uri)
    assert uriparse.is_valid(iri, "IRI", grammar="rfc3987")


@given(near_miss("URI"))
def test_near_misses_are_none(text):
    assert not uriparse.is_valid(text)


def test_a_reference_may_be_either():
    assert find(st.from_type(URIReference), lambda ref: type(ref) is RelativeRef) == ""
    assert find(st.from_type(URIReference), lambda ref: type(ref) is URI) == "a:"


@pytest.mark.slow
def test_what_draws_is_loaded_late():
    code = "import hypothesis, sys, uriparse.extra.hypothesis as h; print(*sys.modules)"
    loaded = run_python(code).stdout.split()
    assert "uriparse.extra.hypothesis" in loaded
    assert "uriparse.conformance" not in loaded


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", ["hypothesis", "uriparse.extra.hypothesis", "uriparse.conformance"]
)
def test_the_entry_point_registers_whatever_is_imported_first(first, tmp_path):
    place = tmp_path / "entry-1.dist-info"
    place.mkdir()
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: entry\nVersion: 1\n")
    (place / "entry_points.txt").write_text("[hypothesis]\nentry = uriparse.extra.hypothesis\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {first}; "
    code += "from hypothesis import strategies as st; from uriparse import URI; "
    code += "drawn = repr(st.from_type(URI).wrapped_strategy); "
    code += "print('uriparse.extra.hypothesis' in sys.modules, '.map(URI)' in drawn)"
    done = run_python(code)
    assert done.stdout == "True True\n"


def test_other_names_are_not_there():
    from uriparse.extra import hypothesis

    with pytest.raises(AttributeError, match=r"no attribute 'from_regex'$"):
        _ = hypothesis.from_regex
