"""Normal forms against the table, and each pass by itself."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from cases import each_case, tables, vectors

from uriparse import equivalent
from uriparse.errors import URISyntaxError
from uriparse.grammar import charset
from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults, compose_characters, normalize
from uriparse.normalization.normalizing import (
    apply_defaults,
    decode_unreserved,
    fold_case,
    remove_dots,
)
from uriparse.parsing import parse, try_parse
from uriparse.records import URI, IPv4, RegName
from uriparse.records.references import REFERENCE_RULES
from uriparse.schemes import CURRENT

TABLES = tables(__file__)

CASES = vectors("normalization")
assert CASES

PIECES = [*"aB/;=@:?#.[]", "//", "..", "%2e", "%2F", "%41", "%31", "%c3%a9", "%4", "80", "http:"]


@each_case("case", CASES)
@each_case("level", ["syntax", "scheme"])
def test_normalizes_as_the_table_says(case, level):
    normal = normalize(case["input"], level)
    assert str(normal) == case[level]
    assert parse(case[level]) == normal
    assert normalize(parse(case["input"]), level) == normal


@each_case("character", sorted(charset("unreserved")))
def test_every_triplet_of_an_unreserved_character_is_decoded(character):
    triplet = f"%{ord(character):02X}"
    for text in (triplet, triplet.lower()):
        assert str(normalize(f"x:/a{text}b?{text}#{text}")) == (
            f"x:/a{character}b?{character}#{character}"
        )


@each_case("character", sorted(charset("reserved") | {"%", " ", '"', "\x00", "\x7f"}))
def test_no_other_octet_is_decoded(character):
    triplet = f"%{ord(character):02x}"
    assert str(normalize(f"x://{triplet}/a{triplet}b?{triplet}#{triplet}")) == (
        f"x://{triplet}/a{triplet}b?{triplet}#{triplet}".replace(triplet, triplet.upper())
    )


@pytest.mark.parametrize(("text", "expected"), TABLES["fold_case"])
def test_fold_case(text, expected):
    assert str(fold_case(parse(text))) == expected
    assert str(normalize(text)) == expected


def test_a_host_may_turn_out_to_be_an_address():
    normal = normalize("http://%31.2.3.4/")
    assert normal.host == IPv4("1.2.3.4")
    assert parse(str(normal)).host == normal.host


@each_case(("text", "expected"), TABLES["remove_dots"])
def test_remove_dots(text, expected):
    assert str(remove_dots(parse(text))) == expected
    assert str(normalize(text)) == expected


@each_case(("text", "expected"), TABLES["apply_defaults"])
def test_apply_defaults(text, expected):
    assert str(apply_defaults(parse(text))) == expected
    assert apply_defaults(parse(expected)) == parse(expected)


def test_the_scheme_level_leaves_query_and_fragment_alone():
    assert str(normalize("http://example.com/?", "scheme")) == "http://example.com/?"
    assert str(normalize("http://example.com/#", "scheme")) == "http://example.com/#"


def test_schemes_are_the_callers_to_say():
    own = {**SCHEME_DEFAULTS, "wx": SchemeDefaults(port=80, empty_path_is_slash=True)}
    assert str(normalize("WX://h:80", "scheme", schemes=own)) == "wx://h/"
    assert str(normalize("WX://h:80", "scheme")) == "wx://h:80"
    assert str(normalize("http://h:80", "scheme", schemes={})) == "http://h:80"


PORTS = TABLES["ports"]
"""By the RFC or the document of each scheme."""


@each_case(("scheme", "port"), PORTS.items())
def test_the_port_of_a_shipped_scheme_may_be_left_out(scheme, port):
    assert CURRENT[scheme].default_port == port
    texts = [f"{scheme}://h:{port}/a", f"{scheme.upper()}://H/a"]
    assert equivalent(*texts)
    assert not equivalent(*texts, "syntax")
    assert not equivalent(*texts, schemes={})
    assert not equivalent(f"{scheme}://h:{port + 1}/a", texts[1])


def test_no_other_scheme_has_a_port():
    known = {name for name, scheme in CURRENT.items() if scheme.default_port is not None}
    assert known - {"news"} == {*PORTS}
    assert known == {
        name for name, defaults in SCHEME_DEFAULTS.items() if defaults.port is not None
    }


def test_protocol_knowledge_comes_as_a_pass():
    redirects = {"http://example.com/data": "/data/"}

    def follow(uri):
        path = redirects.get(str(uri))
        return uri if path is None else uri.replace(path=path)

    text = "HTTP://example.com:80/data"
    assert str(normalize(text, "scheme", passes=[follow])) == "http://example.com/data/"
    assert str(normalize(text, "scheme")) == "http://example.com/data"


def test_a_pass_decodes_what_is_unreserved_in_the_grammar_of_the_record():
    text = "http://h/%c3%a9%7E"
    assert str(decode_unreserved(parse(text))) == "http://h/%c3%a9~"
    assert str(decode_unreserved(iri(text))) == "http://h/é~"


@pytest.mark.parametrize("normal", [decode_unreserved, fold_case, remove_dots, apply_defaults])
def test_a_pass_with_nothing_to_do_returns_its_argument(normal):
    for text in ("http://h/a%2Fb?q#f", "http://u@h:8080/", "urn:x", "../a", "mailto:a@b", "//h"):
        record = parse(text)
        assert normal(record) is record


def test_levels_are_two():
    with pytest.raises(ValueError, match=r'^level must be "syntax" or "scheme", not .simple.$'):
        normalize("x:", "simple")


def iri(text):
    return parse(text, "IRI-reference", grammar="rfc3987")


def test_iris_stay_iris():
    normal = normalize(iri("HTTP://%c3%89É.%48/%7E%c3%a9é/../É"))
    assert str(normal) == "http://ÉÉ.h/É"
    assert normal.grammar == "rfc3987"
    assert isinstance(normal, URI)
    assert normal.host == RegName("ÉÉ.h", grammar="rfc3987")


@pytest.mark.parametrize(
    ("text", "expected"), TABLES["iris_decode_the_unreserved_characters_of_iris"]
)
def test_iris_decode_the_unreserved_characters_of_iris(text, expected):
    normal = normalize(iri(text), "syntax")
    assert str(normal) == expected
    assert iri(expected) == normal == normalize(text, "syntax", grammar="rfc3987")
    assert remove_dots(fold_case(decode_unreserved(iri(text)))) == normal


def test_uris_do_not():
    assert str(normalize("x:%c3%a9")) == "x:%C3%A9"


@each_case(("text", "expected"), chain(*TABLES["compose_characters"].values()))
def test_compose_characters(text, expected):
    composed = compose_characters(iri(text))
    assert str(composed) == expected
    assert iri(expected) == composed


def test_composition_is_off_by_default():
    assert str(normalize(iri("x:e\u0301"), "scheme")) == "x:e\u0301"


def test_a_megabyte_of_combining_characters_is_no_trouble():
    text = "x:a" + "\u0301\u0316" * 250_000
    assert str(compose_characters(iri(text))) == text


@pytest.mark.slow
@each_case("unit", ["../", "%7e", "%2f", "%zz", "A", "/./", "x@Y,"])
@each_case("start", ["mailto:", "http://h:80/", "http://", "http://h?"])
def test_a_megabyte_is_no_trouble(start, unit):
    text = start + unit * (1_000_000 // len(unit))
    try:
        normal = normalize(text, "scheme")
    except URISyntaxError:
        return
    assert normalize(normal, "scheme") == normal


@each_case("grammar", ["rfc3986", "rfc3987"])
def test_the_normal_form_is_what_the_passes_make_one_by_one(grammar):
    """Given defaults, it is made in Python; of a text it is made without the text's own record."""
    chance = Random(7)
    beginnings = ["", "x:", "HTTP://H", "http://%41", "//h:", "http://%31.2.3.4", "file:", "%41:"]
    refused = 0
    for _ in range(3000):
        text = chance.choice(beginnings) + "".join(chance.choices(PIECES, k=chance.randrange(6)))
        record = try_parse(text, REFERENCE_RULES[grammar], grammar=grammar)
        if record is None:
            refused += 1
            if grammar == "rfc3986":
                with pytest.raises(URISyntaxError):
                    normalize(text, "scheme", schemes=SCHEME_DEFAULTS)
            continue
        folded = remove_dots(fold_case(decode_unreserved(record)))
        for level, wanted in (("syntax", folded), ("scheme", apply_defaults(folded))):
            found = normalize(record, level, schemes=SCHEME_DEFAULTS)
            assert (str(found), type(found.host)) == (str(wanted), type(wanted.host))
            assert (found is record) == (found == record)
            if grammar == "rfc3986":
                assert normalize(text, level, schemes=SCHEME_DEFAULTS) == wanted
    assert 100 < refused < 2500
