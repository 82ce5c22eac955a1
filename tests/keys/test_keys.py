"""Keys, their profiles and steps, and the file names made of them."""

import pytest
from cases import each_case, tables, vectors
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import keys
from uriparse.errors import EncodingError, URISyntaxError
from uriparse.extra.hypothesis import from_rule
from uriparse.keys import STEPS, key
from uriparse.legacy.wwwoffle import VERSIONS, canonicalize

CANON = vectors("wwwoffle_canon")
NORMAL = vectors("normalization")
ARCHIVED = vectors("surt")
assert CANON
assert NORMAL
assert len(ARCHIVED) > 250
KNOWN = [row["url"] for row in ARCHIVED] + [row["input"] for row in NORMAL]
KNOWN += ["x://../%22//a", "ftp://%2e/?%22", "http://a.%C3%A9./", "http://www3.127/", "urn:a)//%22"]
KNOWN += ["http://h/a/index.html?", "http://h/index.htm/index.php/", "urn:index.html/default.asp"]
URIS = [text for text in KNOWN if uriparse.is_valid(text)]
FAULTY = {"wwwoffle-2.7", "wwwoffle-2.8", "wwwoffle-2.9"}  # as the programs of these versions
NAMES = [name for name in keys.PROFILES if name not in FAULTY]
NAMES += [f"{name}+{'+'.join(STEPS)}" for name in NAMES if name != "wwwoffle"]

texts = st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=()))
written = from_rule("URI")


@each_case(("row", "level"), [(row, level) for row in NORMAL for level in ("syntax", "scheme")])
def test_keys_of_rfc3986_are_normal_forms_without_fragment(row, level):
    text, profile = row["input"], {"syntax": keys.RFC3986, "scheme": keys.SCHEME}[level]
    if uriparse.is_valid(text):
        assert key(text, profile.name) == profile.key(text) == row[level].partition("#")[0]
        assert [shown.key for shown in profile.explain(text)][-1] == row[level].partition("#")[0]


@each_case("row", ARCHIVED)
def test_keys_of_archives_are_those_of_the_package(row):
    assert key(row["url"], "surt") == row.get("own", row["package"])
    assert [shown.key for shown in keys.SURT.explain(row["url"])][-1] == key(row["url"], "surt")


@each_case("name", NAMES)
def test_a_key_is_its_own_key(name):
    @given(written | st.sampled_from(URIS))
    def judge(text):
        own = key(text, name)
        assert key(own, name) == own

    judge()
    for text in (*URIS, "a://[va.)]:8/b"):
        own = key(text, name)
        assert key(own, name) == own, text


@pytest.mark.parametrize(("name", "level"), [("rfc3986", "syntax"), ("scheme", "scheme")])
def test_equivalent_uris_have_one_key(name, level):
    """In pairs of known ones; schemes with rules of their own aside."""
    same = 0
    for a in URIS[::2]:
        for b in (a, a.swapcase(), a.replace("%7E", "~"), a.replace("/", "/./", 5), *URIS[::29]):
            if not uriparse.is_valid(b) or not a.lower().startswith(("http", "ftp", "example")):
                continue
            is_same = uriparse.equivalent(a, b, level, ignore_fragment=True)
            assert (key(a, name) == key(b, name)) == is_same, (a, b)
            same += is_same and a != b
    assert same > 40


@each_case("name", ["scheme", "surt"])
def test_the_page_of_a_directory_has_the_key_of_the_directory(name):
    shown = {key(f"http://h/a/{page}", f"{name}+drop-default-index") for page in ("", "index.html")}
    assert shown == {key("http://h/a/", name)}
    assert len({key(f"urn:{page}", f"{name}+drop-default-index") for page in ("", "index.php")}) > 1


def test_steps_are_told():
    shown = list(keys.SCHEME.explain("HTTP://A:80/%7e%c3/..?#x"))
    assert [(step.name, step.key) for step in shown] == [
        ("read", "HTTP://A:80/%7e%c3/..?#x"), ("drop-fragment", "HTTP://A:80/%7e%c3/..?"),
        ("decode-unreserved", "HTTP://A:80/~%c3/..?"), ("fold-case", "http://a:80/~%C3/..?"),
        ("remove-dots", "http://a:80/?"), ("apply-defaults", "http://a/?"),
    ]  # fmt: skip
    assert all(step.says for profile in keys.PROFILES.values() for step in profile.steps)


@each_case("row", CANON)
def test_wwwoffle_keys_are_canonical_strings(row):
    assert key(row["input"], "wwwoffle") == row["canonical"]
    assert [shown.key for shown in keys.WWWOFFLE.explain(row["input"])][-1] == row["canonical"]


@given(texts, st.sampled_from([*VERSIONS, "slash"]))
def test_wwwoffle_profiles_take_the_same_options(text, version):
    own = {"preserve_encoded_slash": True} if version == "slash" else {"version": version}
    options = {"localhost": "Cache:80"} | own
    assert key(text, keys.wwwoffle_profile(**options)) == canonicalize(text, **options)


@each_case(("text", "name"), [
    (text, name) for text in ("a b", "//h/x", "http://h/%", "com,example)") for name in NAMES[:3]
])  # fmt: skip
def test_what_is_not_a_uri_has_no_key(text, name):
    with pytest.raises(URISyntaxError):
        key(text, name)


def test_an_unknown_profile():
    with pytest.raises(
        ValueError, match=r'profile must be "rfc3986", "scheme", "surt", "wwwoffle"'
    ):
        key("http://h/", "curl")
    with pytest.raises(
        ValueError, match=r'a step of the profile must be .*"sort-query", not .sort.$'
    ):
        key("http://h/", "scheme+sort")
    with pytest.raises(ValueError, match='the profile "wwwoffle" has no further steps'):
        key("http://h/", "wwwoffle+sort-query")


def test_profiles_are_open():
    drop = keys.Step("drop-user", "one page for all", lambda uri: uri.replace(userinfo=None))
    pages = keys.SCHEME.extended("pages", drop)
    assert [step.name for step in pages.steps][-1] == "drop-user"
    assert key("http://u@h/a?b", pages) == "http://h/a?b"
    anchored = pages.without("anchored", "drop-fragment")
    assert key("http://u@h/a?b#c", anchored) == "http://h/a?b#c"


@each_case(("steps", "url", "expected"), tables(__file__)["further_steps"])
def test_further_steps(steps, url, expected):
    made = [getattr(keys, name)(*arguments) for name, *arguments in steps]
    assert key(url, keys.SCHEME.extended("own", *made)) == expected


def test_the_steps_of_a_name_are_those_of_python():
    own = keys.named_profile("surt+drop-tracking+sort-query")
    names, ends = ([step.name for step in one.steps] for one in (own, keys.SURT))
    assert names == [*ends[:-2], "drop-tracking", "sort-query", *ends[-2:]]
    assert key("http://www.h.d/?b&utm_id=1&a", own) == "d,h)/?a&b"


def test_the_names_of_tracking_parameters_can_be_replaced(tmp_path):
    names, prefixes = keys.tracking_names()
    assert {"gclid", "fbclid", "msclkid", "mc_eid"} <= set(names)
    assert prefixes == ("utm_", "mtm_")
    assert not {"q", "id", "ref", "source", "page", "si"} & set(names)
    (tmp_path / "own.txt").write_text("# own\nsrc  a shop\n\nx-*\n  # too\n", "utf-8")
    assert keys.tracking_names(tmp_path / "own.txt") == (("src",), ("x-",))
    own = keys.SCHEME.extended("own", keys.drop_tracking(tmp_path / "own.txt"))
    assert key("http://h/?src=1&utm_id=2&x-y", own) == "http://h/?utm_id=2"


def test_a_step_has_one_name_and_exists():
    with pytest.raises(ValueError, match="profile 'twice' has two steps of the same name"):
        keys.RFC3986.extended("twice", keys.RFC3986.steps[0])
    with pytest.raises(ValueError, match="profile 'rfc3986' has no step \\['sort-query'\\]"):
        keys.RFC3986.without("unsorted", "sort-query")


@given(texts)
def test_file_names_hold_nothing_that_a_file_system_takes_amiss(key):
    name = keys.file_name(key)
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.=")
    assert len(name) <= 255
    assert not name.endswith(".")
    if name.startswith("k-"):
        assert keys.key_of(name) == key


@given(texts, texts)
def test_different_keys_have_different_names(a, b):
    assert (keys.file_name(a) == keys.file_name(b)) == (a == b)


@pytest.mark.parametrize(("key", "name"), [
    ("", "k-"), ("http://h/A?b=c", "k-http=3a=2f=2fh=2f=41=3fb=3dc"), ("..", "k-.=2e"),
    ("con", "k-con"), ("é\n", "k-=c3=a9=0a"),
])  # fmt: skip
def test_file_names(key, name):
    assert keys.file_name(key) == name
    assert keys.key_of(name) == key


def test_long_keys_are_hashed():
    for own in ("a" * 254, "A" * 85):
        name = keys.file_name(own)
        assert name.startswith("h-")
        assert len(name) == 66
        assert keys.file_name(own, longest=300) == "k-" + (
            "a" * 254 if own[0] == "a" else "=41" * 85
        )
    assert keys.file_name("a" * 253) == "k-" + "a" * 253
    assert keys.file_name("a" * 65, longest=66).startswith("h-")
    with pytest.raises(ValueError, match="a hashed name takes 66 characters, and longest=65"):
        keys.file_name("a", longest=65)


def test_a_hashed_name_shows_nothing():
    assert "secret" not in keys.file_name("ftp://u:secret@h/", hashed=True)
    with pytest.raises(EncodingError, match="a hashed name does not contain its key"):
        keys.key_of(keys.file_name("x", hashed=True))


@each_case("name", ["", "x", "k-A", "k-=", "k-=zz", "k-=61", "k-=C3", "k-=c3", "k-.", "k-é", "k-Ā"])
def test_a_name_that_no_key_has(name):
    with pytest.raises(EncodingError, match="this name was not made from a key"):
        keys.key_of(name)
