"""What is written in HTML and in mail is found as what it stands for, where it was written."""

import html
import quopri
import re
from itertools import pairwise

import pytest
from cases import each_case
from hypothesis import assume, given
from hypothesis import strategies as st

from uriparse import find_uris
from uriparse.text import Flag, find
from uriparse.text.find import Options, Scanner
from uriparse.text.layers import Layer, QuotedPrintable, References
from uriparse.text.patterns import patterns

PIECES = (
    "http://h.d/ &amp; &lt; &gt; &quot; &#38; &#x2F; &bogus; & ; =3D =\n = =C3=A9 =20 a?b=1 #c <"
    ' > " . , ( ) \n \r\n URL: www.a.b é Content-Transfer-Encoding:quoted-printable --x boundary=x'
)
TEXTS = st.lists(st.sampled_from([*PIECES.split(" "), " ", "\n\n"]), max_size=30).map("".join)
ASCII = st.lists(
    st.sampled_from(["http://h.d/", "a", "?b=1&c=2", " ", "\n", "=", '"', "<", ">", "&", "~" * 30])
).map("".join)
LAYERS = [{"html": True}, {"mail": True}, {"html": True, "mail": True}]


def facts(found):
    return [(one.uri, one.how, one.prefixed) for one in found]


@given(st.text() | TEXTS)
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


@given(TEXTS, st.sampled_from(LAYERS))
def test_a_place_is_one_of_the_text_as_it_stands(source, layers):
    last = 0
    for one in find_uris(source, suffixes=True, **layers):
        assert last <= one.whole[0] <= one.span[0] < one.span[1] <= one.whole[1]
        assert one.written == source[slice(*one.span)]
        before = source[: one.span[0]]
        assert one.line == before.count("\n") + 1
        assert one.column == len(before) - before.rfind("\n")
        last = one.whole[1]


@given(TEXTS, st.sampled_from(LAYERS), st.lists(st.integers(0, 200)), st.integers(1, 50))
def test_pieces_make_no_difference(source, layers, cuts, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find, "_BLOCK", block)
        at = [0, *sorted(cuts), len(source)]
        pieces = [source[first:last] for first, last in pairwise(at)]
        assert list(find_uris(pieces, **layers)) == list(find_uris(source, **layers))


@each_case("unit", ["&amp;", "&", "=3D", "=\n", "=", "a", "http://h/&amp;", "é=C3=A9"])
@each_case("decoder", [References, QuotedPrintable])
def test_what_is_kept_of_a_stream_is_bounded(unit, decoder):
    limit, piece = 2000, 500
    options = Options("rfc3986", patterns("rfc3986"), "plausible", False, False, limit)
    layer = Layer(decoder(), Scanner(options))
    kept = []
    for _ in range(200):
        list(layer.scan(unit * (piece // len(unit)) + "\n\n", final=False))
        kept.append((len(layer.kept), len(layer._changes)))
    assert max(text for text, _ in kept) <= 12 * limit
    assert max(changes for _, changes in kept) <= 6 * limit


def test_a_copyright_sign_is_a_parameter():
    """Browsers decode `&copy=1` in text, but not in attributes, where URIs are."""
    [found] = find_uris("http://h.d/?a&copy=1;b", html=True)
    assert str(found.uri) == "http://h.d/?a&copy=1;b"
