"""URLs as browsers have them: what differs from the text, what is refused, and what a URL is."""

import copy
import pickle
from pkgutil import resolve_name

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from whatwg.test_wpt import rows

import uriparse
from uriparse import URISyntaxError, whatwg
from uriparse.whatwg import BrowserURL, Change, URLError, parse

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


@each_case(
    ("text", "base", "changes"),
    [
        ("http://h/", None, []),
        (" http://h/ ", None, [(0, 1, "", "leading or trailing C0 control or space"),
                              (10, 11, "", "leading or trailing C0 control or space")]),
        ("ht\ttp://h/", None, [(2, 3, "", "invalid-URL-unit")]),
        ("HTTP://H/", None, [(0, 5, "http:", "scheme state: lowercase"),
                              (7, 8, "h", "domain to ASCII")]),
        ("http:h", None, [(5, 5, "//", "special-scheme-missing-following-solidus"),
                          (6, 6, "/", "path start state")]),
        ("http:\\\\h\\a", None, [(5, 7, "//", "invalid-reverse-solidus"),
                               (8, 9, "/", "invalid-reverse-solidus")]),
        ("http://h:80/", None, [(8, 11, "", "port state")]),
        ("http://h:08/", None, [(8, 11, ":8", "port state")]),
        ("http://:@h/", None, [(7, 9, "", "authority state: empty credentials")]),
        ("http://127.1/", None, [(7, 12, "127.0.0.1", "IPv4 parser")]),
        ("http://[0::1]/", None, [(7, 13, "[::1]", "IPv6 serializer")]),
        ("http://h/a/../b c", None, [(8, 13, "", "path state: dot segment"),
                                    (15, 16, "%20", "invalid-URL-unit")]),
        ("http://h/a/..", None, [(8, 13, "/", "path state: dot segment")]),
        ("../c", "http://h/a/b", [(0, 0, "http://h", "base URL"),
                                  (0, 2, "", "path state: dot segment")]),
        ("?x", "http://h/a?b", [(0, 0, "http://h/a", "base URL")]),
        ("file:///C|/a", None, [(8, 10, "C:", "file-invalid-Windows-drive-letter")]),
        ("a:/..//b", None, [(2, 2, "/.", "URL serializer"), (2, 5, "", "path state: dot segment")]),
    ],
)  # fmt: skip
def test_changes(text, base, changes):
    assert parse(text, base).changes == tuple(Change(*change) for change in changes)


FAILURES = {
    "": ("missing-scheme-non-relative-URL", 0, "scheme"),
    "//h": ("missing-scheme-non-relative-URL", 0, "scheme"), "http://": ("host-missing", 7, "host"),
    " http:/// ?a": ("domain-invalid-code-point", 9, "host"),
    "http://u:p@": ("host-missing", 11, "host"), "http://h:a": ("port-invalid", 9, "port"),
    "http://h:1\ta": ("port-invalid", 11, "port"),
    "http://h:65536": ("port-out-of-range", 9, "port"),
    "http://a b/": ("domain-invalid-code-point", 8, "host"),
    "http://a%/": ("domain-invalid-code-point", 8, "host"),
    "http://1.2.3.4.5/": ("IPv4-too-many-parts", 7, "host"),
    "http://1.2.3.256/": ("IPv4-out-of-range-part", 7, "host"),
    "http://a.1/": ("IPv4-non-numeric-part", 7, "host"),
    "http://09/": ("IPv4-non-numeric-part", 7, "host"),
    "http://[::1": ("IPv6-unclosed", 11, "host"),
    "http://[1:2]": ("IPv6-too-few-pieces", 11, "host"),
    "http://[1::2::3]": ("IPv6-multiple-compression", 13, "host"),
    "http://[:1]": ("IPv6-invalid-compression", 8, "host"),
    "http://[1:2:3:4:5:6:7:8:9]": ("IPv6-too-many-pieces", 24, "host"),
    "http://[g::]": ("IPv6-invalid-code-point", 8, "host"),
    "http://[::1.2.3]": ("IPv4-in-IPv6-too-few-parts", 15, "host"),
    "http://[::1.2.3.256]": ("IPv4-in-IPv6-out-of-range-part", 16, "host"),
    "a://h^": ("host-invalid-code-point", 5, "host"),
    "http://\xad/": ("domain-to-ASCII", 7, "host"),
    "http://a\u0627/": ("domain-to-ASCII", 7, "host"),
}  # fmt: skip


@each_case(("text", "expected"), FAILURES.items())
def test_failures_say_what_and_where(text, expected):
    with pytest.raises(URLError) as caught:
        parse(text)
    error = caught.value
    assert (error.failure, error.offset, error.component) == expected
    assert str(error).startswith(f"{expected[0]}: ")
    assert str(error).endswith(f"(offset {expected[1]})")
    assert error.text == text
    assert error.pointer().count("\n") == 1
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.failure) == (str(error), error.failure)


def test_no_secret_is_shown():
    with pytest.raises(URLError) as caught:
        parse("http://u:canary@h:x/")
    assert "canary" not in str(caught.value) + caught.value.pointer() + repr(caught.value)
    assert "canary" not in repr(parse("http://u:canary@h/"))


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
        with pytest.raises(TypeError, match="text is a str"):
            parse(wrong)
    with pytest.raises(TypeError, match="base is a str"):
        parse("a", 1)
    assert str(parse(b"http://h")) == "http://h/"


def test_what_is_no_uri_says_so():
    assert str(parse("HTTP:\\\\h\\a b").to_uri()) == "http://h/a%20b"
    for text in ("http://h/a|b", "http://h/?{", "http://h/%", "http://h/#a^"):
        with pytest.raises(URISyntaxError):
            parse(text).to_uri()


def test_forms():
    assert whatwg.form_pairs(b"a=%ff&b") == [("a", "\ufffd"), ("b", "")]
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
