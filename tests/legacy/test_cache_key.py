"""Cache keys, their profiles and steps, and the file names made of them."""

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse.errors import EncodingError, URISyntaxError
from uriparse.legacy.cache_key import (
    RFC3986,
    WWWOFFLE,
    Step,
    cache_key,
    file_name,
    key_of,
    wwwoffle_profile,
)
from uriparse.legacy.wwwoffle import VERSIONS, canonicalize

CANON = vectors("wwwoffle_canon")
NORMAL = vectors("normalization")
assert CANON
assert NORMAL

texts = st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=()))


@each_case("row", NORMAL)
def test_rfc3986_keys_are_normal_forms_without_fragment(row):
    text = row["input"]
    if uriparse.is_valid(text):
        expected = str(uriparse.normalize(text, "scheme")).partition("#")[0]
        key = cache_key(text)
        assert key == expected
        assert cache_key(key) == key
        assert [shown.key for shown in RFC3986.explain(text)][-1] == key


def test_rfc3986_steps():
    shown = list(RFC3986.explain("HTTP://A:80/%7e%c3/..?#x"))
    assert [(step.name, step.key) for step in shown] == [
        ("read", "HTTP://A:80/%7e%c3/..?#x"), ("drop-fragment", "HTTP://A:80/%7e%c3/..?"),
        ("decode-unreserved", "HTTP://A:80/~%c3/..?"), ("fold-case", "http://a:80/~%C3/..?"),
        ("remove-dots", "http://a:80/?"), ("apply-defaults", "http://a/?"),
    ]  # fmt: skip
    assert all(step.says for step in shown)


@each_case("row", CANON)
def test_wwwoffle_keys_are_canonical_strings(row):
    assert cache_key(row["input"], "wwwoffle") == row["canonical"]
    assert [shown.key for shown in WWWOFFLE.explain(row["input"])][-1] == row["canonical"]


@given(texts, st.sampled_from([*VERSIONS, "slash"]))
def test_wwwoffle_profiles_take_the_same_options(text, version):
    own = {"preserve_encoded_slash": True} if version == "slash" else {"version": version}
    options = {"localhost": "Cache:80"} | own
    assert cache_key(text, wwwoffle_profile(**options)) == canonicalize(text, **options)


@pytest.mark.parametrize("text", ["a b", "//h/x", "http://h/%"])
def test_what_is_no_uri_has_no_rfc3986_key(text):
    with pytest.raises(URISyntaxError):
        cache_key(text)


def test_an_unknown_profile():
    with pytest.raises(ValueError, match=r'profile is "rfc3986" or "wwwoffle", not .curl.$'):
        cache_key("http://h/", "curl")


def test_profiles_are_open():
    drop = Step("drop-query", "one page for all", lambda uri: uri.replace(query=None))
    pages = RFC3986.extended("pages", drop)
    assert [step.name for step in pages.steps][-1] == "drop-query"
    assert cache_key("http://h/a?b", pages) == "http://h/a"
    anchored = pages.without("anchored", "drop-fragment")
    assert cache_key("http://h/a?b#c", anchored) == "http://h/a#c"
    assert cache_key("http://h/a?b#c") == "http://h/a?b"


def test_a_step_has_one_name_and_exists():
    with pytest.raises(ValueError, match="profile 'twice' has two steps of the same name"):
        RFC3986.extended("twice", RFC3986.steps[0])
    with pytest.raises(ValueError, match="profile 'rfc3986' has no step \\['sort-query'\\]"):
        RFC3986.without("unsorted", "sort-query")


@given(texts)
def test_file_names_hold_nothing_that_a_file_system_takes_amiss(key):
    name = file_name(key)
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.=")
    assert len(name) <= 255
    assert not name.endswith(".")
    if name.startswith("k-"):
        assert key_of(name) == key


@given(texts, texts)
def test_different_keys_have_different_names(a, b):
    assert (file_name(a) == file_name(b)) == (a == b)


@pytest.mark.parametrize(("key", "name"), [
    ("", "k-"), ("http://h/A?b=c", "k-http=3a=2f=2fh=2f=41=3fb=3dc"), ("..", "k-.=2e"),
    ("con", "k-con"), ("é\n", "k-=c3=a9=0a"),
])  # fmt: skip
def test_file_names(key, name):
    assert file_name(key) == name
    assert key_of(name) == key


def test_long_keys_are_hashed():
    for key in ("a" * 254, "A" * 85):
        name = file_name(key)
        assert name.startswith("h-")
        assert len(name) == 66
        assert file_name(key, longest=300) == "k-" + ("a" * 254 if key[0] == "a" else "=41" * 85)
    assert file_name("a" * 253) == "k-" + "a" * 253
    assert file_name("a" * 65, longest=66).startswith("h-")
    with pytest.raises(ValueError, match="a hashed name takes 66 characters, and longest=65"):
        file_name("a", longest=65)


def test_a_hashed_name_shows_nothing():
    assert "secret" not in file_name("ftp://u:secret@h/", hashed=True)
    with pytest.raises(EncodingError, match="a hashed name does not contain its key"):
        key_of(file_name("x", hashed=True))


@each_case("name", ["", "x", "k-A", "k-=", "k-=zz", "k-=61", "k-=C3", "k-=c3", "k-.", "k-é", "k-Ā"])
def test_a_name_that_no_key_has(name):
    with pytest.raises(EncodingError, match="this name was not made from a cache key"):
        key_of(name)
