"""Edits that make a text valid: applied, they do, and they change no host, port or user."""

import json
import re
from itertools import chain
from urllib.parse import urlsplit

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from paths import VECTORS

from uriparse import URISyntaxError, iri_to_uri, is_valid, parse
from uriparse.diagnosis import CAUSES, Remedy, diagnose, find_remedy
from uriparse.validation import Policy, validate

TABLES = tables(__file__)

NONE = TABLES["none"]
"""Texts for which there is a choice, or nothing that may be guessed, or no room for a secret."""


@each_case(("text", "edited"), TABLES["edited"].items())
def test_a_remedy_makes_the_text_valid(text, edited):
    remedy = find_remedy(diagnose(text))
    assert remedy.apply(text) == edited
    start, end = remedy.span
    assert text[:start] == edited[:start]
    assert text[end:] == edited[len(edited) - len(text) + end :]
    parse(edited)


@each_case("text", NONE)
def test_where_there_is_a_choice_there_is_no_remedy(text):
    assert find_remedy(diagnose(text)) is None


def test_a_remedy_is_of_the_rule_that_was_asked_for():
    text = "http://h/a b#c"
    error = diagnose(text, "absolute-URI")
    assert find_remedy(error, "absolute-URI") is None
    assert find_remedy(error, "URI").apply(text) == "http://h/a%20b#c"
    iri = "http://h/é b"
    error = diagnose(iri, "IRI", "rfc3987")
    assert find_remedy(error, "IRI", "rfc3987").apply(iri) == "http://h/é%20b"


def test_findings_of_syntax_have_it():
    (found,) = [one for one in validate("http://h/a b").findings if one.code == "syntax"]
    assert found.remedy == Remedy((10, 11), "%20")
    assert found.as_dict()["remedy"] == {"offset": 10, "end": 11, "replacement": "%20"}
    (found,) = [one for one in validate("http://a b/").findings if one.code == "syntax"]
    assert found.remedy is None
    assert "remedy" not in found.as_dict()


@given(
    st.text("aé %[]|^?#/:@\\\n~.\ud800", max_size=12),
    st.sampled_from(["http://h.com:8/", "/", "http://"]),
)
def test_what_it_changes_is_no_destination(tail, head):
    """By the standard library, which reads what is not valid as well."""
    text = head + tail
    if is_valid(text, "URI-reference"):
        return
    remedy = find_remedy(diagnose(text))
    if remedy is None:
        return
    edited = remedy.apply(text)
    assert is_valid(edited, "URI-reference")
    bare = text.strip(" \t\r\n\ufeff")
    if bare == text:
        assert urlsplit(edited).netloc == urlsplit(text).netloc
        assert urlsplit(edited).scheme == urlsplit(text).scheme
    else:
        assert edited == bare


def test_hostile_texts_are_not_made_acceptable():
    hostile = json.loads((VECTORS / "hostile_urls.json").read_text("utf-8"))
    for text in chain.from_iterable(hostile.values()):
        found = [one.remedy for one in validate(text).findings if one.remedy is not None]
        for remedy in found:
            edited = remedy.apply(text)
            before, after = urlsplit(text.strip().lstrip("\ufeff")), urlsplit(edited)
            assert (before.scheme, before.netloc) == (after.scheme, after.netloc)


@pytest.mark.parametrize("host", ["bücher.example", "é.example"])
def test_the_step_for_hosts_beyond_ascii_is_named(host):
    text = f"http://{host}/"
    with pytest.raises(URISyntaxError, match="convert the text with iri_to_uri"):
        parse(text)
    assert validate(iri_to_uri(text, idna=True), Policy(allowed_names="*")).accepted


FOLLOWED = TABLES["followed"]
"""By cause a text as people have it, and the text after somebody did what the remedy says."""


def test_every_remedy_is_followed_here():
    ours = {cause.name for cause in CAUSES.values() if cause.example.by == "URI-reference"}
    assert ours - set(FOLLOWED) == {"lone-surrogate"}  # of which nobody knows what was meant


@pytest.mark.parametrize("cause", FOLLOWED)
def test_who_does_what_a_remedy_says_has_a_valid_text(cause):
    text, edited = FOLLOWED[cause]
    error = diagnose(text)
    assert error.cause == cause
    assert {*re.findall("%[0-9A-F]{2}", edited)} <= {
        *re.findall("%[0-9A-F]{2}", error.remedy + text)
    }
    assert is_valid(edited, "URI-reference")


@pytest.mark.parametrize("text", ["ht tp://h/", "http://h h/", "http://h:8 0/"])
def test_no_triplet_is_advised_where_none_may_be(text):
    assert "%20" not in diagnose(text).remedy
