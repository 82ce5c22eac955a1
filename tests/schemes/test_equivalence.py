"""The ladder of comparison, its inputs and its refusals; same-document references."""

from __future__ import annotations

import pytest
from cases import each_case, tables
from hypothesis import assume, given
from hypothesis import strategies as st

from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.iri import iri_to_uri
from uriparse.normalization import SchemeDefaults, normalize
from uriparse.parsing import parse, try_parse
from uriparse.schemes import equivalent
from uriparse.schemes.equivalence import is_same_document, lowest_rung

TABLES = tables(__file__)

BASE = "http://a/b/c/d;p?q"

LEVELS = ("simple", "syntax", "scheme")
FOUR = (
    "http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/",
)  # fmt: skip


@each_case(("a", "b", "rung"), TABLES["lowest_rung"])
def test_lowest_rung(a, b, rung):
    assert lowest_rung(a, b) == rung
    assert lowest_rung(b, a) == rung
    holds = [equivalent(a, b, level) for level in LEVELS]
    assert holds == [rung is not None and LEVELS.index(rung) <= n for n in range(len(LEVELS))]


@each_case("a", FOUR)
@each_case("b", FOUR)
def test_the_four_of_section_6_2_3(a, b):
    assert equivalent(a, b)
    assert equivalent(a, b, "syntax") == (a == b)
    assert not equivalent(a, "http://example.com/?")
    assert not equivalent(a, "http://example.com:8080/")


@each_case(
    ("a", "b", "rung"), TABLES["without_a_base_relative_references_compare_by_their_normal_forms"]
)
def test_without_a_base_relative_references_compare_by_their_normal_forms(a, b, rung):
    assert lowest_rung(a, b) == lowest_rung(b, a) == rung
    for level in LEVELS:
        equal = rung is not None and LEVELS.index(rung) <= LEVELS.index(level)
        assert equivalent(a, b, level) is equivalent(b, a, level) is equal
    if rung is not None:
        assert equivalent(a, b, base=BASE)
    bare = (text.partition("#")[0] for text in (a, b))
    assert equivalent(a, b, ignore_fragment=True) == equivalent(*bare)


def test_a_base_tells_what_relative_references_mean():
    with pytest.raises(ResolutionError):
        equivalent("g", "./g", base="/a")
    for level in LEVELS:
        assert equivalent("g", "./g", level, base=BASE)
        assert equivalent("../g", "http://a/b/g", level, base=BASE)
    assert not equivalent("g", "../g", base=BASE)


def test_a_uri_is_compared_as_it_stands():
    assert not equivalent("http://h/a/../b", "http://h/b", "simple", base=BASE)
    assert equivalent("http://h/a/../b", "http://h/b", "syntax", base=BASE)


def test_fragments_can_be_left_out():
    assert not equivalent("http://a/#x", "http://a/#y")
    assert equivalent("http://a/#x", "http://a/#y", ignore_fragment=True)
    assert equivalent("http://a/", "http://a/#", "simple", ignore_fragment=True)
    assert lowest_rung("HTTP://a/#x", "http://a/#y", ignore_fragment=True) == "syntax"


@each_case("text", ["http://h/", "x:", "http://h/a/b?c#d"])
@each_case("encoding", TABLES["encodings_make_no_difference"])
def test_encodings_make_no_difference(text, encoding):
    assert equivalent(text.encode(encoding), text, "simple")
    assert equivalent(parse(text), text.encode(encoding), "simple")


def test_an_empty_text_is_a_relative_reference():
    assert equivalent(b"", "", base=BASE)
    assert equivalent("", BASE, "simple", base=BASE)


def test_iris_are_compared_as_the_uris_they_map_to():
    iri = parse("http://h/é", "IRI", grammar="rfc3987")
    assert lowest_rung(iri, "http://h/%C3%A9") == "syntax"
    assert lowest_rung(iri, "http://h/%c3%a9") == "syntax"
    assert lowest_rung(iri, "http://h/é") == "simple"
    assert lowest_rung(iri, "http://h/e") is None
    assert equivalent("ß", "%C3%9F", base=iri)
    with pytest.raises(URISyntaxError):
        equivalent("http://h/é", "http://h/é")


PARTS = st.lists(st.sampled_from(TABLES["parts"]), max_size=5).map("".join)


@given(
    st.sampled_from(["HTTP://", "x://u@", "file://", "file://localhost", "mailto:", "x:/", ""]),
    PARTS.filter(lambda text: "/" not in text and "@" not in text),
    PARTS,
    st.sampled_from(["syntax", "scheme"]),
)
def test_normal_forms_and_the_mapping_to_uris_commute(start, host, path, level):
    public = path.replace("\ue000", "")
    text = f"{start}{host}/{public}?{path}#{public}"
    iri = try_parse(text, "IRI-reference", grammar="rfc3987")
    assume(iri is not None)
    mapped = normalize(iri_to_uri(iri), level)
    assert iri_to_uri(normalize(iri, level)) == mapped
    if start:
        assert equivalent(iri, mapped, level)


def test_only_ascii_letters_of_a_default_host_have_no_case():
    schemes = {"x": SchemeDefaults(host="k")}
    iris = [
        parse(f"x://{host}/", "IRI", grammar="rfc3987") for host in ("K", "\N{KELVIN SIGN}", "")
    ]
    assert [str(normalize(iri, "scheme", schemes=schemes)) for iri in iris] == [
        "x:///", "x://\N{KELVIN SIGN}/", "x:///",
    ]  # fmt: skip


def test_schemes_and_passes_reach_the_normal_form():
    own = {"x": SchemeDefaults(port=1)}
    assert equivalent("x://h:1", "x://h", schemes=own)
    assert lowest_rung("x://h:1", "x://h", schemes=own) == "scheme"
    assert not equivalent("x://h:1", "x://h")

    def slash(uri):
        return uri if uri.path.endswith("/") else uri.replace(path=uri.path + "/")

    assert equivalent("http://h/data", "http://h/data/", passes=[slash])
    assert equivalent("http://h/data/", "http://h/data", passes=iter([slash]))
    with pytest.raises(ValueError, match=r'^passes need level "scheme"'):
        equivalent("x:", "x:", "syntax", passes=[slash])


def test_levels_are_three():
    with pytest.raises(
        ValueError, match=r"^level must be \"simple\", \"syntax\" or \"scheme\", not \"loose\""
    ):
        equivalent("x:", "x:", "loose")


@each_case(("reference", "base", "same"), TABLES["is_same_document"])
def test_is_same_document(reference, base, same):
    assert is_same_document(reference, base) is same


def test_same_document_on_a_lower_rung():
    assert not is_same_document("HTTP://a/b", "http://a/b", level="simple")
    assert is_same_document("HTTP://a/b", "http://a/b", level="syntax")


def test_whether_it_is_the_same_document_depends_on_the_base():
    with pytest.raises(ResolutionError, match=r"^<RelativeRef 'g'> needs a base"):
        is_same_document("g")
    with pytest.raises(ResolutionError, match=r"^the base <RelativeRef 'b'> is a relative"):
        is_same_document("g", "b")
