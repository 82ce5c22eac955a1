"""The canonical form of WWWOFFLE: the program's examples, and laws for every text."""

import json
import pickle
import random
from pathlib import Path

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse.errors import ComponentError, URIError
from uriparse.legacy.wwwoffle import VERSIONS, build_url, canonicalize, decode, split_url

TABLES = tables(__file__)

HERE = Path(__file__).parent
VECTORS = json.loads((HERE.parent / "vectors" / "wwwoffle_canon.json").read_text("ascii"))
RULES = json.loads((HERE / "wwwoffle_rules.json").read_text("ascii"))
VERSIONED = json.loads((HERE.parent / "vectors/wwwoffle_versions.json").read_text("ascii"))
assert VECTORS
assert RULES
assert VERSIONED["rows"]

PIECES = (
    "% %2 %2F %2e %3A %3b %3f %40 %41 %25 / // : @ ? ; # . .. [ ] & = + | é é a A 80 0 http: \0"
)
OPTIONS = [{"preserve_encoded_slash": kept} for kept in (False, True)]
"""Of the version whose form is its own: the program's are not."""
hostile = st.lists(st.sampled_from([*PIECES.split(" "), " "])).map("".join)


@each_case("row", VECTORS + RULES)
def test_canonical_string(row):
    options = {key: row[key] for key in row if key not in {"id", "input", "canonical"}}
    assert canonicalize(row["input"], **options) == row["canonical"]
    assert canonicalize(row["canonical"], **options) == row["canonical"]


@given(st.text() | hostile, st.sampled_from(OPTIONS))
def test_every_text_has_one_canonical_string_which_is_its_own(text, options):
    canonical = canonicalize(text, **options)
    assert canonical.isascii()
    assert canonical.isprintable()
    assert canonicalize(canonical, **options) == canonical


@given(st.text() | hostile, st.sampled_from(OPTIONS))
def test_a_record_and_that_of_its_canonical_string_are_equal(text, options):
    record = split_url(text, **options)
    assert str(record) == record.canonical == canonicalize(text, **options)
    assert split_url(record.canonical, **options) == record
    assert pickle.loads(pickle.dumps(record)) == record


@given(st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010)))
def test_lone_surrogates_are_taken(text):
    canonical = canonicalize(text)
    assert canonicalize(canonical) == canonical


@given(st.binary(), st.sampled_from(OPTIONS))
def test_bytes_and_the_text_that_stands_for_them_are_the_same(octets, options):
    text = octets.decode("utf-8", "surrogateescape")
    assert canonicalize(octets, **options) == canonicalize(text, **options)


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.oracle)])
def test_random_octets(count):
    source = random.Random(20000821)
    for number in range(count):
        octets = source.randbytes(source.randrange(1, 60))
        options = OPTIONS[number % len(OPTIONS)]
        canonical = canonicalize(octets, **options)
        assert canonicalize(canonical, **options) == canonical


def test_bytes_are_octets_and_text_is_utf_8():
    assert canonicalize(b"http://h/\xe9") == "http://h/%E9"
    assert canonicalize("http://h/é".encode()) == canonicalize("http://h/é") == "http://h/%C3%A9"


def test_the_parts_of_a_record():
    url = split_url("http://u:p@H:8080/a;b?c")
    assert url.protocol == "http"
    assert (url.username, url.password) == ("u", "p")
    assert url.host == "h:8080"
    assert (url.path, url.params, url.arguments) == ("/a", "b", "c")


@each_case(
    ("text", "username", "password"),
    TABLES["empty_and_absent_credentials_differ_and_are_decoded_once"],
)
def test_empty_and_absent_credentials_differ_and_are_decoded_once(text, username, password):
    url = split_url(text)
    assert (url.username, url.password) == (username, password)


@pytest.mark.parametrize("text", ["http://h/p", "http://h/p;?"])
def test_absent_and_empty_params_and_arguments_are_none(text):
    url = split_url(text)
    assert (url.params, url.arguments) == (None, None)


def test_an_unknown_version_is_an_error():
    with pytest.raises(ValueError, match=r'version .*not "3"'):
        canonicalize("h", version="3")
    with pytest.raises(ValueError, match=r'preserve_encoded_slash is with version "2\.6"'):
        canonicalize("h", version="2.9", preserve_encoded_slash=True)


@each_case("row", VERSIONED["rows"])
def test_strings_are_those_that_the_program_of_a_version_made(row):
    for version in VERSIONED["runs"]:
        assert canonicalize(row["text"], version=version) == row[version]


@given(st.text() | hostile, st.sampled_from(VERSIONS))
def test_every_version_takes_every_text(text, version):
    record = split_url(text, version=version)
    assert str(record) == canonicalize(text, version=version)
    assert len(record.cache_name) == 22
    assert pickle.loads(pickle.dumps(record)) == record


def test_a_url_built_of_parts():
    assert str(build_url(protocol="HTTP", host="H", port=80, path="/a b")) == "http://h/a%20b"
    url = build_url(protocol="ftp", username="p@ss/w:d", password="", host="h", params="type=i")
    assert str(url) == "ftp://p%40ss%2Fw%3Ad:@h/;type=i"
    assert url.username == "p@ss/w:d"


@each_case(("parts", "component"), TABLES["parts_that_would_be_read_otherwise_are_refused"])
def test_parts_that_would_be_read_otherwise_are_refused(parts, component):
    with pytest.raises(ComponentError) as caught:
        build_url(**parts)
    assert caught.value.component == component
    assert str(caught.value) == f"{component}: cannot be written at its place in a URL"


@each_case(("parts", "message"), TABLES["parts_that_the_program_would_rewrite_are_refused"])
def test_parts_that_the_program_would_rewrite_are_refused(parts, message):
    with pytest.raises(ComponentError, match=message):
        build_url(**parts)


def test_addresses_are_built_in_brackets():
    assert str(build_url(host="[::1]", port=81)) == "http://[::1]:81/"
    assert str(build_url(host="[::1]:81")) == "http://[::1]:81/"


@pytest.mark.parametrize("port", ["80", 8.0, True, [80]])
def test_a_port_is_a_number(port):
    with pytest.raises(TypeError, match=f"port must be an int or None, not {type(port).__name__}"):
        build_url(host="h", port=port)


def test_a_url_built_for_a_path_that_holds_params():
    url = build_url(host="h", path="/a;b/c", arguments="q", version="2.9")
    assert (url.path, url.params, str(url)) == ("/a;b/c", None, "http://h/a;b/c?q")
    assert split_url(str(url), version="2.9") == url
    with pytest.raises(ComponentError, match="path: cannot be written at its place"):
        build_url(host="h", path="/a;b/c")
    with pytest.raises(ComponentError, match="path: cannot be written at its place"):
        build_url(host="h", path="/a", params="b", version="2.9")


def test_a_record_is_read_again():
    url = split_url("user:pass@h/x")
    assert split_url(url) == url
    assert canonicalize(url) == f"{url}" == "http://user:pass@h/x"
    assert "pass" not in repr(url)


@given(st.builds(dict, host=st.text(), path=st.text().map("/{}".format), username=st.text()))
def test_what_is_built_is_canonical(parts):
    try:
        url = build_url(**parts)
    except URIError:
        return
    assert split_url(url.canonical) == url
    assert decode(url.canonical) is not None


# What MakeHash of WWWOFFLE 2.9 returned for these canonical strings.
CACHE_NAMES = {
    "http://www.example.com/": "8XdxEfXQ8cgf+gTedREo+g", "ftp://u:p@h/x": "Gbvkr0VdlzcC-3ZeiVf5GA",
    "http://h/a1": "EsJ8gFR5F-yyGMY3-bjUrQ", "http://h/a2": "dD2P25s+TKpMsprfpLPqJQ",
    "http://h/?q=a+b": "gQ0134g-Q4Nuq95eKR661Q", "finger://h/u": "5rq0Pvf0GCbtf-VBFmGpKQ",
}  # fmt: skip


@pytest.mark.parametrize("canonical", CACHE_NAMES)
def test_names_of_the_cache_files_are_the_program_s(canonical):
    url = split_url(canonical)
    assert str(url) == canonical
    assert url.cache_name == CACHE_NAMES[canonical]


@pytest.mark.parametrize(("text", "name"), TABLES["the_name_is_without_user_name_and_password"])
def test_the_name_is_without_user_name_and_password(text, name):
    assert split_url(text).name == name


@given(st.text() | hostile, st.sampled_from(OPTIONS))
def test_the_name_is_that_of_the_url_without_them(text, options):
    url = split_url(text, **options)
    assert split_url(url.name, **options).username is None
    again = split_url(url.name, **options)
    assert (again.host, again.path, again.params, again.arguments) == (
        url.host, url.path, url.params, url.arguments,
    )  # fmt: skip


@pytest.mark.parametrize(("protocol", "port", "dropped"), [
    *(("http", 80, True), ("https", 443, True), ("ftp", 21, True), ("finger", 79, True)),
    *(("finger", 80, False), ("gopher", 70, False), ("telnet", 23, False), ("ws", 80, False)),
])  # fmt: skip
def test_default_ports_are_those_the_program_knows(protocol, port, dropped):
    expected = f"{protocol}://h/" if dropped else f"{protocol}://h:{port}/"
    assert canonicalize(f"{protocol}://h:{port}/") == expected
