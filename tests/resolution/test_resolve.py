"""Resolution against the tables, and against RFC 3986 sections 5.2.2 to 5.3 written out."""

from __future__ import annotations

import random
import re

import pytest
from cases import each_case, tables, vectors
from conformance.program_mutants import UNRESERVED, merge, recompose, remove_dot_segments, split

from uriparse import equivalent, normalize
from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.parsing import parse, try_parse
from uriparse.resolution import resolve

TABLES = tables(__file__)

CASES = [case for name in ("resolution", "resolution_extra") for case in vectors(name)]
assert len(CASES) == 42 + 43

# The rows whose answer by the letter would be read back with another authority.
GUARDED = {"a://c": "a:/.//c"}


# --- The oracle: the RFC's pseudo-code, on the text of components. Slow, and not ours to improve.

PIECES = ["/", "/", "//", "..", ".", "...", "a", "b", ":", "?", "#", "@", ";", "%2e", "[::1]"]
FEW = pytest.param(2_000, id="few")
MANY = pytest.param(100_000, id="many", marks=pytest.mark.oracle)


def pseudo_code(base, reference, *, strict=True):
    """Section 5.2.2, Transform References."""
    base_scheme, base_authority, base_path, base_query, _ = split(base)
    scheme, authority, path, query, fragment = split(reference)
    if not strict and scheme is not None and scheme.lower() == base_scheme.lower():
        scheme = None
    if scheme is not None:
        t_scheme, t_authority = scheme, authority
        t_path, t_query = remove_dot_segments(path), query
    else:
        if authority is not None:
            t_authority = authority
            t_path, t_query = remove_dot_segments(path), query
        else:
            if path == "":
                t_path = base_path
                t_query = query if query is not None else base_query
            else:
                if path.startswith("/"):
                    t_path = remove_dot_segments(path)
                else:
                    t_path = merge(base_authority, base_path, path)
                    t_path = remove_dot_segments(t_path)
                t_query = query
            t_authority = base_authority
        t_scheme = base_scheme
    return pseudo_recompose(t_scheme, t_authority, t_path, t_query, fragment)


def pseudo_recompose(scheme, authority, path, query, fragment):
    """Section 5.3, Component Recomposition, with our one guard."""
    guard = "/." if authority is None and path.startswith("//") else ""
    return recompose(scheme, authority, guard + path, query, fragment)


# --- Tables, oracle and product agree.


@each_case("case", CASES)
@each_case("strict", [True, False])
def test_table_oracle_and_product_agree(case, strict):
    expected = case["rfc3986_strict" if strict else "rfc3986_nonstrict"]
    expected = GUARDED.get(expected, expected)
    assert pseudo_code(case["base"], case["ref"], strict=strict) == expected
    assert str(resolve(case["base"], case["ref"], strict=strict)) == expected
    records = resolve(parse(case["base"]), parse(case["ref"]), strict=strict)
    assert str(records) == expected
    assert parse(expected) == records


def random_pairs(count, seed):
    """Valid pairs, with dots and delimiters wherever they may stand."""
    generator = random.Random(seed)
    while count:
        starts = ("http://a", "HTTP://u:p@h:8", "s:", "s:/", "file://", "file:///a/b/c")
        base = generator.choice(starts) + some(generator)
        reference = generator.choice(("", "", "", "s:", "http:", "//", "../")) + some(generator)
        if try_parse(base, "URI") is not None and try_parse(reference) is not None:
            yield base, reference
            count -= 1


def some(generator):
    return "".join(generator.choices(PIECES, k=generator.randrange(9)))


def agree(base, reference):
    for strict in (True, False):
        target = resolve(base, reference, strict=strict)
        assert str(target) == pseudo_code(base, reference, strict=strict), (base, reference)
        again = parse(str(target))
        assert again == target
        assert components(again) == components(target), (base, reference)


def components(uri):
    return uri.scheme, uri.authority, uri.path, uri.query, uri.fragment


def test_oracle_and_product_agree_on_random_pairs():
    for base, reference in random_pairs(2_000, seed=3986):
        agree(base, reference)


@pytest.mark.oracle
def test_oracle_product_and_a_library_agree_on_many_random_pairs():
    """The library takes `a:b/../c` for `a:c` and has no guard: it judges hierarchical bases."""
    uritools = pytest.importorskip("uritools")
    judged = 0
    for base, reference in random_pairs(150_000, seed=20050125):
        agree(base, reference)
        target = str(resolve(base, reference))
        hierarchical = split(base)[1] is not None and split(reference)[0] is None
        if hierarchical:
            assert uritools.urijoin(base, reference, strict=True) == target, (base, reference)
            judged += 1
    assert judged > 50_000


# --- A relative reference leads to where its normal form does.

RELATIVE_PIECES = TABLES["relative_pieces"]


def pseudo_decode(text):
    """Sections 6.2.2.1 and 6.2.2.2: triplets of unreserved characters, and letters of others."""

    def plain(triplet):
        character = chr(int(triplet[1], 16))
        return character if character in UNRESERVED else triplet[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", plain, text)


def pseudo_normal(uri):
    """Section 6.2.2, Syntax-Based Normalization, of a URI."""
    scheme, authority, path, query, fragment = split(pseudo_decode(uri))
    if authority is not None:
        userinfo, at, server = authority.rpartition("@")
        authority = userinfo + at + pseudo_decode(server.lower())
    path = remove_dot_segments(path)
    return pseudo_recompose(scheme.lower(), authority, path, query, fragment)


def relative_pairs(count, seed):
    """Bases and relative references, with encoded dots wherever dots may stand."""
    generator = random.Random(seed)
    while count:
        base = generator.choice(("http://a", "HTTP://u:P@H:8", "s:", "s:/", "file:///a/b/c"))
        base += "".join(generator.choices(RELATIVE_PIECES, k=generator.randrange(6)))
        reference = "".join(generator.choices(RELATIVE_PIECES, k=generator.randrange(9)))
        if try_parse(base, "URI") is not None and try_parse(reference, "relative-ref") is not None:
            yield base, reference
            count -= 1


@pytest.mark.slow
@pytest.mark.parametrize("count", [FEW, MANY])
def test_normal_forms_of_relative_references_lead_to_where_these_lead(count):
    kept = 0
    for base, reference in relative_pairs(count, seed=622):
        normal = normalize(reference, "syntax")
        target = pseudo_normal(pseudo_code(base, reference))
        assert pseudo_normal(pseudo_code(base, str(normal))) == target, (base, reference)
        for level in ("syntax", "scheme"):
            normal = normalize(reference, level)
            assert normalize(normal, level) == normal
            found = normalize(resolve(base, normal), level)
            assert found == normalize(resolve(base, reference), level), (base, reference)
            # A path of file does not begin with "//" (RFC 8089 section 2), so "/." is before that.
            is_guarded = found.scheme == "file" and found.path.startswith("/.//")
            written = str(found).replace("/.//", "//", int(is_guarded))
            assert written == target or level == "scheme"
            assert equivalent(reference, normal, level)
            assert equivalent(reference, normal, level, base=base)
        kept += pseudo_decode(reference) != str(normalize(reference, "syntax"))
    assert kept > count / 20


@pytest.mark.parametrize("count", [FEW, MANY])
def test_references_that_are_equivalent_are_so_for_every_base(count):
    generator = random.Random(61)
    verdicts = [0, 0]
    for base, reference in relative_pairs(count, seed=6221):
        other = "".join(
            f"%{ord(one):02{generator.choice('xX')}}"
            if one in UNRESERVED and generator.random() < 0.3
            else one
            for one in pseudo_decode(reference)
        )
        if try_parse(other) is None:
            continue
        same = equivalent(reference, other, "syntax")
        verdicts[same] += 1
        if same:
            targets = [pseudo_normal(pseudo_code(base, one)) for one in (reference, other)]
            assert targets[0] == targets[1], (base, reference, other)
        # Spelling apart they differ at most in which segments are dot segments.
        dots = [
            [segment in {".", ".."} for segment in split(text)[2].split("/")]
            for text in (reference, other)
        ]
        assert same == (dots[0] == dots[1]), (reference, other)
    assert min(verdicts) > count / 20


@pytest.mark.parametrize(
    ("reference", "normal"), TABLES["a_dot_segment_never_comes_of_decoding_a_relative_reference"]
)
def test_a_dot_segment_never_comes_of_decoding_a_relative_reference(reference, normal):
    assert str(normalize(reference)) == str(normalize(normal)) == normal
    iri = parse(reference, "IRI-reference", grammar="rfc3987")
    assert str(normalize(iri)) == normal
    base = "s://h/a/b/c/d"
    assert str(normalize(resolve(base, normal))) == pseudo_normal(pseudo_code(base, reference))


# --- What the tables have no row for.


def test_a_reference_with_its_own_scheme_only_loses_its_dots():
    assert str(resolve("http://a/b", "http://x/a/../b?c/../d#e/../f")) == "http://x/b?c/../d#e/../f"
    same = parse("x:a/b")
    assert resolve("http://a/b", same) is same


@each_case(("base", "reference", "target"), TABLES["no_path_becomes_an_authority"])
def test_no_path_becomes_an_authority(base, reference, target):
    resolved = resolve(base, reference)
    assert str(resolved) == target
    assert resolved.authority == parse(base).authority
    assert parse(target).path == resolved.path


def test_absent_and_empty_components_stay_apart():
    assert resolve("http://a?", "").query == ""
    assert resolve("http://a", "").query is None
    assert resolve("http://a?q", "?").query == ""
    assert resolve("http://a", "#").fragment == ""
    assert resolve("http://a/b", "//").authority is not None
    assert str(resolve("http://a/b", "//")) == "http://"


def test_userinfo_and_port_come_with_the_authority():
    target = resolve("http://u:p@h:8/a", "b")
    assert (target.userinfo, str(target.host), target.port) == ("u:p", "h", "8")


@pytest.mark.parametrize("base", ["", "g", "/g", "//h/x", "#f", "?q"])
def test_a_relative_base_is_refused_with_advice(base):
    with pytest.raises(ResolutionError, match=r"^the base <RelativeRef '.*'> is a relative refer"):
        resolve(base, "g")
    with pytest.raises(ResolutionError, match="see base_uri"):
        resolve(parse(base), "http://a/")


def test_without_a_base():
    assert str(resolve(None, "http://a/b/../c")) == "http://a/c"
    for reference in ("", "#s"):
        assert resolve(None, reference) == parse(reference)
    for reference in ("g", "?q", "/g", "//h", "./#s"):
        with pytest.raises(ResolutionError, match="is relative and needs a base"):
            resolve(None, reference)


def test_iris_resolve_as_iris():
    base = parse("http://é/ü/x", "IRI", grammar="rfc3987")
    target = resolve(base, "../ß?ö#ä")
    assert str(target) == "http://é/ß?ö#ä"
    assert target.grammar == "rfc3987"
    assert parse(str(target), "IRI", grammar="rfc3987") == target
    relative = parse("ß", "IRI-reference", grammar="rfc3987")
    assert resolve("http://a/b", relative).grammar == "rfc3987"
    assert resolve(parse("http://a/b"), relative).grammar == "rfc3987"
    with pytest.raises(URISyntaxError):
        resolve("http://a/b", "ß")


@pytest.mark.parametrize("unit", ["../", "./", "a/../", "/", "a/", "%2e/", ";/.."])
def test_a_megabyte_of_reference_is_no_trouble(unit):
    reference = "x/" + unit * (1_000_000 // len(unit))
    assert str(resolve("http://h/a/b", reference)).startswith("http://h/")
