"""Bases as HTML documents and MIME headings state them."""

from __future__ import annotations

from email import message_from_string, policy

import pytest
from cases import documents, each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import URISyntaxError
from uriparse.resolution.base import base_uri, enclosing_bases, html_base, mime_base

TABLES = tables(__file__)

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@each_case(("markup", "base"), TABLES["html_base"])
def test_html_base(markup, base):
    assert html_base(markup) == base


@each_case(
    "unit", ["<", "<!", "<!--", "<![", "</", "<a ", "<p a=b", "&", "<title>", "<template>", "<?"]
)
def test_hostile_markup_is_no_trouble(unit):
    assert html_base(unit * (300_000 // len(unit))) is None


MESSAGE = documents(__file__)["MESSAGE"]


@pytest.fixture(params=[policy.compat32, policy.default], ids=["compat32", "default"])
def message(request):
    return message_from_string(MESSAGE, policy=request.param)


def parts(message):
    inner, image = message.get_payload()
    html, plain = inner.get_payload()
    return inner, html, plain, image


def test_mime_base(message):
    inner, html, plain, image = parts(message)
    assert mime_base(message) == "http://www.example.org/archive/"
    assert mime_base(inner) == "letters/"
    assert mime_base(html) == "a/very/long/name.html"
    assert mime_base(plain) is None
    assert mime_base(image) == "http://old.example.org/"


@pytest.mark.parametrize("rules", [policy.compat32, policy.default], ids=["compat32", "default"])
@pytest.mark.parametrize("field", ["Content-Base", "content-location"])
def test_characters_that_cannot_be_written(field, rules):
    heading = message_from_string(f"{field}: a\ud800/\n \udfffb\n{field}: no\n\n", policy=rules)
    assert mime_base(heading) == "a\ud800/\udfffb"
    assert enclosing_bases(heading, heading) == ("a\ud800/\udfffb",)
    with pytest.raises(URISyntaxError):
        base_uri(enclosing=[mime_base(heading)], retrieval="http://h/")


@given(ANY_TEXT, st.sampled_from([policy.compat32, policy.default]))
def test_any_heading_states_a_base_or_none(text, rules):
    heading = message_from_string(f"Content-Location: {text}", policy=rules)
    assert not {" ", "\t", "\r", "\n"} & set(mime_base(heading))


@given(ANY_TEXT)
def test_any_markup_states_a_base_or_none(text):
    for markup in (text, f"{text}<base {text}>", f"<base href='{text}'>{text}"):
        assert isinstance(html_base(markup), str | None)


def test_enclosing_bases(message):
    inner, html, plain, image = parts(message)
    archive = "http://www.example.org/archive/"
    assert enclosing_bases(message, message) == (archive,)
    assert enclosing_bases(message, inner) == ("letters/", archive)
    assert enclosing_bases(message, html) == ("a/very/long/name.html", "letters/", archive)
    assert enclosing_bases(message, plain) == (None, "letters/", archive)
    assert enclosing_bases(message, image) == ("http://old.example.org/", archive)


def test_a_part_of_another_message(message):
    with pytest.raises(ValueError, match=r"^the part is not in the message$"):
        enclosing_bases(message, message_from_string(""))


def test_all_sources_together(message):
    _, html, plain, _ = parts(message)
    base = base_uri(
        embedded=html_base(html.get_payload()),
        enclosing=enclosing_bases(message, html),
        retrieval="imap://mail.example.org/1",
    )
    assert str(base) == "http://www.example.org/archive/letters/a/very/long/sub/"
    base = base_uri(enclosing=enclosing_bases(message, plain), retrieval="imap://m/1")
    assert str(base) == "http://www.example.org/archive/letters/"
