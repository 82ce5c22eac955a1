"""Laws of resolution, normal forms and comparison, over references made to be awkward."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from uriparse.iri import iri_to_uri, uri_to_iri
from uriparse.normalization import compose_characters, normalize
from uriparse.normalization.normalizing import (
    apply_defaults,
    decode_unreserved,
    fold_case,
    remove_dots,
)
from uriparse.parsing import parse
from uriparse.records import URI, RelativeRef
from uriparse.records import references as record_module
from uriparse.resolution import relativize, remove_dot_segments, resolve
from uriparse.resolution.base import base_uri
from uriparse.resolution.resolving import without_fragment
from uriparse.schemes import equivalent
from uriparse.schemes.equivalence import lowest_rung

LEVELS = ("simple", "syntax", "scheme")
REFERENCE_RULES = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
PASSES = (decode_unreserved, fold_case, remove_dots, apply_defaults, compose_characters)
TRIPLETS = ["%2e", "%2E", "%2f", "%41", "%7e", "%c3%a9", "%C3%A9", "%FF", "%25", "%3a", "%e2%80%ae"]
UCS = ["é", "e\u0301", "\u212a", "\u037e", "\u0338", "ß", "\u00a0", "日", "\U00010300"]
schemes = st.sampled_from(["a", "A", "http", "HTTP", "https", "file", "mailto", "urn", "x.y"])


def joined(*pieces, most=8):
    return st.lists(st.sampled_from(pieces), max_size=most).map("".join)


def written(scheme, authority, path, query, fragment):
    """Put components together as RFC 3986 section 5.3 does."""
    text = "" if scheme is None else f"{scheme}:"
    text += "" if authority is None else f"//{authority}"
    text += path
    text += "" if query is None else f"?{query}"
    return text + ("" if fragment is None else f"#{fragment}")


def written_authority(userinfo, host, port):
    """Put the parts of an authority together as RFC 3986 section 3.2 does."""
    text = "" if userinfo is None else f"{userinfo}@"
    return text + host + ("" if port is None else f":{port}")


def references(scheme, *, extra=(), grammar="rfc3986"):
    """Valid references of every shape; `extra` goes wherever a letter goes."""
    userinfo = joined("u", "U", ":", *TRIPLETS, *extra, most=3)
    host = st.one_of(
        joined("h", "H", ".", *TRIPLETS, *extra, most=4),
        st.sampled_from(["", "localhost", "LocalHost", "%4cocalhost", "1.2.3.4", "%31.2.3.4"]),
        st.sampled_from(["[::1]", "[2001:DB8::7]", "[v1.A:b]"]),
    )
    port = st.sampled_from(["", "0", "80", "080", "443", "8080", "21"])
    authority = st.builds(written_authority, st.none() | userinfo, host, st.none() | port)
    path = joined("/", "/", "//", ".", "..", "a", "B", ":", "@", ",", ";", *TRIPLETS, *extra)
    tail = joined("q", "Q", "/", "?", "..", "/./", *TRIPLETS, *extra, most=3)

    def composed(scheme, authority, path, query, fragment):
        if authority is not None:
            path = path if path.startswith("/") or not path else "/" + path
        elif path.startswith("//"):
            path = "/." + path
        elif scheme is None and ":" in path.partition("/")[0]:
            path = "./" + path
        text = written(scheme, authority, path, query, fragment)
        return parse(text, REFERENCE_RULES[grammar], grammar=grammar)

    parts = scheme, st.none() | authority, path, st.none() | tail, st.none() | tail
    return st.builds(composed, *parts)


def is_uri(record):
    return isinstance(record, URI)


any_uri = references(schemes)
any_reference = references(st.none()) | any_uri
any_iri = references(schemes, extra=UCS, grammar="rfc3987")
any_iri_reference = references(st.none(), extra=UCS, grammar="rfc3987") | any_iri


def read_back(record):
    """Hold that a record's text parses to that record, component by component."""
    again = parse(str(record), REFERENCE_RULES[record.grammar], grammar=record.grammar)
    assert again == record
    assert type(again) is type(record)
    for name in ("scheme", "userinfo", "host", "port", "authority", "path", "query", "fragment"):
        assert getattr(again, name) == getattr(record, name), (record, name)
    return record


# --- Resolution.


@given(any_iri, any_iri_reference)
def test_targets_read_back_as_themselves(base, reference):
    for strict in (True, False):
        assert is_uri(read_back(resolve(base, reference, strict=strict)))
    read_back(without_fragment(base))


@given(any_uri, any_reference)
def test_authority_comes_from_the_reference_or_the_base(base, reference):
    target = resolve(base, reference)
    source = base if reference.scheme is None and reference.authority is None else reference
    assert target.authority == source.authority


@given(any_uri, st.lists(st.sampled_from(["..", ".", "a", ""])).map("/".join))
def test_dots_in_any_order_never_leave_the_root(base, path):
    if base.authority is None:
        base = URI(scheme=base.scheme, host="h", path="/" + base.path.lstrip("/"))
    reference = parse("./" + path)
    target = resolve(base, reference)
    assert target.path.startswith("/")
    assert not {".", ".."} & set(target.segments)
    assert target.authority == base.authority


@given(any_uri, any_reference)
def test_resolving_a_target_again_changes_nothing(base, reference):
    target = resolve(base, reference)
    if is_uri(reference) or reference.authority is not None or reference.path:
        assert resolve(base, target) == target


@given(any_uri, any_reference)
def test_base_fragment_plays_no_part(base, reference):
    assert resolve(base, reference) == resolve(without_fragment(base), reference)


@given(any_uri, any_reference)
def test_normal_forms_of_equivalent_inputs_resolve_to_the_same(base, reference):
    """Resolving commutes with normalizing, but for encoded dots of a URI or of the base.

    Those of a URI whose path is opaque are not an exception; triplets before a base of urn are one.
    """
    target = normalize(resolve(base, reference))
    if not is_uri(reference):
        commute = not has_triplets_of_names(base, reference)
    else:
        is_opaque = reference.scheme.lower() in {"mailto", "urn"}
        commute = is_opaque or "%2e" not in reference.path.lower()
    if commute:
        assert normalize(resolve(base, normalize(reference))) == target
        assert equivalent(reference, normalize(reference), base=base)
    if remove_dot_segments(base.path) == base.path == normalize(base).path:
        assert normalize(resolve(normalize(base), reference)) == target


def has_triplets_of_names(base, reference):
    """A relative reference does not say that its triplets are those of a urn, which differ."""
    return base.scheme.lower() == "urn" and "%" in str(reference)


# --- relativize.


@given(any_uri, any_reference)
def test_relativize_is_undone_by_resolve(base, reference):
    target = resolve(base, reference)
    found = read_back(relativize(base, target))
    assert resolve(base, found) == target
    assert len(str(found)) <= len(str(target))
    if base.authority is not None and not is_uri(reference):
        assert len(str(found)) <= len(str(reference))


@given(any_iri, any_iri)
def test_relativize_for_any_two(base, target):
    found = read_back(relativize(base, target))
    assert resolve(base, found) in {target, resolve(base, target)}
    if resolve(base, target) == target:  # which it is but for dot segments
        assert resolve(base, found) == target
    if without_tail(base) == without_tail(target) and target.query is not None:
        assert resolve(base, found) == target


def without_tail(uri):
    return uri.scheme, uri.authority, uri.path


# --- normalize.


@given(any_iri_reference)
def test_normal_forms_read_back_and_are_normal(reference):
    for level in ("syntax", "scheme"):
        for passes in ((), (compose_characters,)):
            normal = read_back(normalize(reference, level, passes=passes))
            assert type(normal) is type(reference)
            assert normalize(normal, level, passes=passes) == normal


@given(any_iri_reference)
def test_every_pass_reads_back_and_is_idempotent(reference):
    for normal in PASSES:
        once = read_back(normal(reference))
        assert type(once) is type(reference)
        assert normal(once) == once


@given(any_iri_reference)
def test_levels_are_rows_of_passes(reference):
    syntax = remove_dots(fold_case(decode_unreserved(reference)))
    assert normalize(reference, "syntax") == syntax
    assert normalize(reference) == apply_defaults(syntax)


@given(any_reference)
def test_the_syntax_level_keeps_reserved_characters(reference):
    """Nothing gains or loses a delimiter; the path is left out, since dot segments go."""

    def delimiters(text):
        return [c for c in text if c in ":?#[]@!$&'()*+,;="]

    normal = normalize(reference)
    for name in ("userinfo", "query", "fragment"):
        before, after = getattr(reference, name), getattr(normal, name)
        assert (before is None) == (after is None)
        assert delimiters(before or "") == delimiters(after or "")


@given(references(st.none()))
def test_a_relative_reference_keeps_its_dot_segments(reference):
    assert isinstance(reference, RelativeRef)
    normal = normalize(reference, "scheme")
    dots = [s for s in decode_unreserved(reference).path.split("/") if s in {".", ".."}]
    assert [s for s in normal.path.split("/") if s in {".", ".."}] == dots


@given(any_uri)
def test_what_is_normal_stays_the_same_object(uri):
    normal = normalize(uri, "scheme")
    assert normalize(normal, "scheme") is normal
    for one in PASSES:
        assert one(normal) is normal or str(one(normal)) != str(normal)


# --- The ladder.


@given(any_iri, any_iri)
def test_the_ladder_is_monotone_and_symmetric(a, b):
    steps = [equivalent(a, b, level) for level in LEVELS]
    assert steps == sorted(steps)
    assert steps == [equivalent(b, a, level) for level in LEVELS]
    rung = lowest_rung(a, b)
    assert [level for level, holds in zip(LEVELS, steps, strict=True) if holds][:1] == (
        [] if rung is None else [rung]
    )


@given(any_iri)
def test_a_uri_is_equivalent_to_its_normal_forms(uri):
    assert equivalent(uri, uri, "simple")
    assert equivalent(uri, normalize(uri, "syntax"), "syntax")
    assert equivalent(uri, normalize(uri))


@given(any_uri, any_reference, any_reference)
def test_references_are_compared_by_their_targets(base, a, b):
    expected = equivalent(
        a if is_uri(a) else resolve(base, a), b if is_uri(b) else resolve(base, b)
    )
    assert equivalent(a, b, base=base) == expected


# --- IRIs.


@given(any_iri_reference)
def test_iris_map_to_uris(iri):
    uri = read_back(iri_to_uri(iri))
    assert uri.grammar == "rfc3986"
    assert str(uri).isascii()
    assert iri_to_uri(uri) == uri
    if str(iri).isascii():
        assert uri == iri


@given(any_uri, references(st.none()))
def test_iris_of_relative_references_lead_to_where_they_led(base, reference):
    assume(not has_triplets_of_names(base, reference))
    target = normalize(resolve(base, reference))
    assert normalize(iri_to_uri(resolve(base, uri_to_iri(reference)))) == target


@given(any_reference)
def test_iris_of_uris_map_back_to_an_equivalent_uri(uri):
    iri = read_back(uri_to_iri(uri))
    assert normalize(iri_to_uri(iri)) == normalize(uri)
    assert not {"\u202e", "\u00a0"} & set(str(iri))


def test_without_fragment():
    assert str(without_fragment(URI("http://a/b?q#f"))) == "http://a/b?q"
    uri = parse("http://a/")
    assert without_fragment(uri) is uri


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

    original = record_module.compose
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_module, "compose", compose)
        base_uri(retrieval=["http://h/", *steps])
    assert written <= 2 * sum(map(len, ["http://h/", *steps]))
