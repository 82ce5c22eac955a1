"""URLs as browsers have them: what differs from the text, what is refused, and what a URL is."""

import copy
import pickle
from pkgutil import resolve_name

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from whatwg.test_wpt import rows

import uriparse
from uriparse import URISyntaxError, whatwg
from uriparse.whatwg import BrowserURL, Change, URLError, parse

TABLES = tables(__file__)

PIECES = """
    http: https: file: ftp: a: HTTP: mailto: blob: // / \\ .. . %2e %2E. C: C| c|/ ? # @ : :80 :443
    0x7f 127.1 1.2.3.4 08 [::1] [1::2:3] ] [ h a.b localhost %00 % %41 é ß xn-- xn--zca %C3%A9 %ff '
    " < | ^ ` { ~ \U0001f600 \u200d \ufeff \u0627 ٣ 1 x Ⅷ \xad \ud800
"""
TEXTS = st.one_of(
    st.lists(st.sampled_from([*PIECES.split(), " ", "\t", "\n", "\x00", "\u3002"]), max_size=8).map(
        "".join
    ),
    st.text(max_size=12),
)
BASES = [
    None, "http://u:p@h:8/a/b?q#f", "file:///C:/x/y", "file://h/a", "a://h/b/c?d", "a:b", "a:/b",
]  # fmt: skip


BEGINS = "http:// HTTP:// https:// ws:// Wss:// ftp:// mailto: urn:"
GOES_ON = """
    u:p@ h A.De 1.2.3.4 01.2 256 x-- : :80 :443 :080 :21 :65536 / /. /.. . %2e %41 %z ? # ' é
"""
USUAL = st.tuples(
    st.sampled_from(BEGINS.split()),
    st.lists(st.sampled_from(GOES_ON.split()), max_size=9).map("".join),
).map("".join)
FAILURES = TABLES["FAILURES"]


def applied(text, changes):
    """Make the changes in the text."""
    found, at = [], 0
    for change in changes:
        assert at <= change.begin <= change.end
        assert text[change.begin : change.end] != change.text
        found += [text[at : change.begin], change.text]
        at = change.end
    return "".join(found) + text[at:]


@given(text=TEXTS, base=st.sampled_from(BASES))
def test_every_change_is_named(text, base):
    if not whatwg.can_parse(text, base):
        with pytest.raises(URLError) as caught:
            parse(text, base)
        assert 0 <= caught.value.offset <= len(text)
        return
    url = parse(text, base)
    assert applied(text, url.changes) == url.href
    assert parse(url.href) == url
    assert parse(url.href).changes == ()


@given(text=TEXTS | USUAL)
def test_quick_ways_read_as_the_steps_of_the_standard(text):
    parser = "uriparse.whatwg.basic_parser:"
    take_apart, serialize, cleaned, stop = (
        resolve_name(parser + name) for name in ("take_apart", "serialize", "cleaned", "StopError")
    )
    try:
        expected = serialize(take_apart(cleaned(text), None)[0])
    except stop:
        expected = None
    assert (parse(text).href if whatwg.can_parse(text) else None) == expected


@each_case("row", rows("urltestdata"))
def test_every_change_of_the_platform_tests_is_named(row):
    if not row.get("failure"):
        url = parse(row["input"], row["base"])
        assert applied(row["input"], url.changes) == row["href"]


@each_case(("text", "base", "changes"), TABLES["changes"])
def test_changes(text, base, changes):
    assert parse(text, base).changes == tuple(Change(*change) for change in changes)


@each_case(("text", "expected"), FAILURES.items())
def test_failures_say_what_and_where(text, expected):
    with pytest.raises(URLError) as caught:
        parse(text)
    error = caught.value
    assert [error.failure, error.offset, error.component] == expected
    assert str(error).startswith(f"{expected[0]}: ")
    assert str(error).endswith(f"(offset {expected[1]})")
    assert error.text == text
    assert error.pointer().count("\n") == 1
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.failure) == (str(error), error.failure)


def test_a_url_is_a_value():
    url = parse("http://u:p@H:8080/a?#")
    assert url == "http://u:p@h:8080/a?#"
    assert hash(url) == hash(str(url))
    assert {url, parse(str(url))} == {url}
    assert (url.username, url.password, url.host, url.host_kind) == ("u", "p", "h", "domain")
    assert (url.port, url.path, url.query, url.fragment) == (8080, "/a", "", "")
    assert not url.is_opaque
    again = pickle.loads(pickle.dumps(url))
    for other in (copy.copy(url), copy.deepcopy(url), again, BrowserURL(url)):
        assert other == url
    with pytest.raises(AttributeError, match=r"^a URL is immutable: port cannot be set$"):
        url.port = 1
    assert uriparse.parse(url) == str(url)  # a record is taken for its text


@each_case(
    ("text", "kind"),
    [("http://h/", "domain"), ("http://1/", "IPv4"), ("a://[::]", "IPv6"), ("a://H", "opaque"),
     ("file:///a", "empty"), ("a:b", None)],
)  # fmt: skip
def test_kinds_of_hosts(text, kind):
    assert parse(text).host_kind == kind
    assert (parse(text).host is None) == (kind is None)


def test_bases():
    base = parse("http://h/a/b")
    assert str(whatwg.join(base, "c")) == str(whatwg.join("http://h/a/b", "c")) == "http://h/a/c"
    with pytest.raises(URLError, match="missing-scheme"):
        parse("c", "d")
    for wrong in (1, None, ["http://h"]):
        with pytest.raises(TypeError, match="text must be a str"):
            parse(wrong)
    with pytest.raises(TypeError, match="base must be a str"):
        parse("a", 1)
    assert str(parse(b"http://h")) == "http://h/"


def test_what_is_no_uri_says_so():
    assert str(parse("HTTP:\\\\h\\a b").to_uri()) == "http://h/a%20b"
    for text in ("http://h/a|b", "http://h/?{", "http://h/%", "http://h/#a^"):
        with pytest.raises(URISyntaxError):
            parse(text).to_uri()


def test_forms():
    assert whatwg.form_pairs(b"a=%ff&b") == (("a", "\ufffd"), ("b", ""))
    assert whatwg.form_urlencoded([("a~*-._", "é\ud800 +")]) == "a%7E*-._=%C3%A9%3F+%2B"
    for wrong in ("ab", 1, None):
        with pytest.raises(TypeError):
            whatwg.form_urlencoded(wrong)
    with pytest.raises(TypeError):
        whatwg.form_urlencoded([("a", 1)])
    with pytest.raises(TypeError):
        whatwg.form_pairs(1)


@each_case(
    "shape",
    ["http://h" + "/.." * 100_000, "http://" + "@" * 300_000 + "h", "http:" + "/" * 300_000,
     "http://" + "." * 300_000 + "1", "a:" + "//" * 200_000, "http://" + "1" * 300_000,
     "http://h:" + "0" * 300_000 + "1", "http://" + "é" * 100_000, "http://" + "[" * 300_000,
     "http://xn--" + "a" * 300_000 + ".é", "http://" + "%41" * 100_000, "file:" + "C|/" * 100_000],
)  # fmt: skip
def test_long_texts_end(shape):
    """Within the time of a test: what is quadratic would take minutes."""
    if whatwg.can_parse(shape):
        url = parse(shape)
        assert parse(url.href) == url
