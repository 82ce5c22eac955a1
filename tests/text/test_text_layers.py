"""What is written in HTML and in mail is found as what it stands for, where it was written."""

import html
import json
import quopri
import re

from cases import each_case
from hypothesis import assume, given
from hypothesis import strategies as st
from text.documents import LAYERED, LAYERS

from uriparse import find_uris
from uriparse.text import Flag

ASCII = st.lists(
    st.sampled_from(["http://h.d/", "a", "?b=1&c=2", " ", "\n", "=", '"', "<", ">", "&", "~" * 30])
).map("".join)


def facts(found):
    return [(one.uri, one.how, one.prefixed) for one in found]


@given(st.text() | LAYERED)
def test_what_is_escaped_is_found_as_what_is_not(source):
    written = html.escape(source)
    plain, found = list(find_uris(source)), list(find_uris(written, html=True))
    assert facts(found) == facts(plain)
    for one, other in zip(found, plain, strict=True):
        assert one.written == written[slice(*one.span)]
        assert html.unescape(one.written) == html.unescape(html.escape(other.written))
        assert (Flag.ESCAPED in one.flags) >= ("&" in other.written)


@given(ASCII)
def test_what_is_quoted_is_found_as_what_is_not(source):
    assume(not re.match("[!-9;-~]+:|From ", source))  # a heading
    written = quopri.encodestring(source.encode()).decode()
    plain, found = list(find_uris(source)), list(find_uris(written, mail=True))
    assert facts(found) == facts(plain)
    for one, other in zip(found, plain, strict=True):
        assert one.written == written[slice(*one.span)]
        assert quopri.decodestring(one.written).decode() == other.written


@given(LAYERED, st.sampled_from(LAYERS))
def test_a_place_is_one_of_the_text_as_it_stands(source, layers):
    last = 0
    for one in find_uris(source, suffixes=True, **layers):
        assert last <= one.whole[0] <= one.span[0] < one.span[1] <= one.whole[1]
        assert one.written == source[slice(*one.span)]
        before = source[: one.span[0]]
        assert one.line == before.count("\n") + 1
        assert one.column == len(before) - before.rfind("\n")
        last = one.whole[1]


def test_a_copyright_sign_is_a_parameter():
    """Browsers decode `&copy=1` in text, but not in attributes, where URIs are."""
    [found] = find_uris("http://h.d/?a&copy=1;b", html=True)
    assert str(found.uri) == "http://h.d/?a&copy=1;b"


@each_case("text, uri", [
    (r'{"u":"https:\/\/h.example\/a"}', "https://h.example/a"),
    (r'"https:\/\/h.example\/?a=1\u0026b=2"', "https://h.example/?a=1&b=2"),
    (r'"https://h.example/?a=1\u0026b=2"', "https://h.example/?a=1&b=2"),
    (r"x https://h.example/watch\?v\=1", "https://h.example/watch?v=1"),
    (r'"m\nhttps://h.example/a\nb"', "https://h.example/a"),
    (json.dumps(json.dumps("http://h/a")), "http://h/a"),
])  # fmt: skip
def test_escapes_are_decoded(text, uri):
    for source in (text, list(text)):
        [found] = find_uris(source, escapes=True)
        assert str(found.uri) == uri
        assert text[slice(*found.span)] == found.written
        assert (found.written != uri) == (Flag.ESCAPED in found.flags)


@given(st.text('/\\ http:.&\n"u0aé\U00020000'), st.integers(1, 13))
def test_a_json_string_has_the_finds_of_its_text(end, size):
    text, kept = f"http://h.d/{end}", {"grammar": "rfc3987"}
    written = json.dumps(text).replace("/", "\\/")[1:-1]
    pieces = [written[at : at + size] for at in range(0, len(written), size)]
    found = [(one.uri, one.how) for one in find_uris(pieces, escapes=True, **kept)]
    assert found == [(one.uri, one.how) for one in find_uris(text, **kept)]
