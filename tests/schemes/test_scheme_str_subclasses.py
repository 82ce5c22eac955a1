"""URLs agree with themselves, whatever kind of `str` their parts came in."""

import pickle

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from rfc1738_urls import parse_url
from str_subclasses import STR_SUBCLASSES

from uriparse import URIError
from uriparse.schemes import (
    CURRENT,
    RFC1738,
    Encoded,
    FileURL,
    FtpURL,
    GopherURL,
    HttpsURL,
    HttpURL,
    MailtoURL,
    NewsURL,
    NntpURL,
    OtherURL,
    ProsperoURL,
    TelnetURL,
    WaisURL,
)
from uriparse.schemes.current import CurrentURI, FileURI, MailtoURI, NewsURI, NntpURI


def as_subclass(texts):
    return st.builds(lambda kind, text: kind(text), st.sampled_from([str, *STR_SUBCLASSES]), texts)


DATA = as_subclass(st.sampled_from(["a", "", "a/b;c?d", "%41", "é"]) | st.text(max_size=4))
HOST = as_subclass(st.sampled_from(["h.d", "H.d", "1.2.3.4", "h_h", "", "a b"]))
PORT = as_subclass(st.sampled_from(["80", "0080", "8x", ""])) | st.integers(-1, 99999)
NAME = as_subclass(st.sampled_from(["a.b", "x", "1@h.d", "", "a b"]))
TYPE = as_subclass(st.sampled_from(["a", "i", "d", "x", "1", "é"]))
SERVER = {"host": HOST, "port": PORT}
LOGIN = {**SERVER, "user": DATA, "password": DATA}
SEVERAL = st.lists(DATA, max_size=3)
PAIRS = st.lists(st.tuples(DATA, DATA), max_size=2)
ADDRESSES = st.lists(as_subclass(st.sampled_from(["a@b", "é&@b", '"a,b"@c', "a"])), max_size=2)
PARTS = {
    FileURI: {"host": HOST, "segments": SEVERAL}, FileURL: {"host": HOST, "segments": SEVERAL},
    FtpURL: {**LOGIN, "cwds": SEVERAL, "name": DATA, "typecode": TYPE},
    GopherURL: {**SERVER, "gtype": TYPE, "selector": DATA, "search": DATA, "gopher_plus": DATA},
    HttpURL: {**SERVER, "segments": SEVERAL, "search": DATA},
    HttpsURL: {**SERVER, "segments": SEVERAL, "search": DATA},
    MailtoURI: {"addresses": ADDRESSES, "headers": PAIRS}, MailtoURL: {"address": DATA},
    NewsURL: {"group": NAME, "unique": DATA, "domain": HOST},
    NewsURI: {**SERVER, "userinfo": DATA, "newsgroups": NAME},
    NntpURI: {**SERVER, "userinfo": DATA, "group": NAME, "article": st.integers(-1, 99)},
    NntpURL: {**SERVER, "group": NAME, "article": st.integers(-1, 99)},
    OtherURL: {**LOGIN, "scheme": NAME, "urlpath": DATA},
    ProsperoURL: {**SERVER, "hsoname": DATA, "fields": PAIRS}, TelnetURL: LOGIN,
    WaisURL: {**SERVER, "database": DATA, "search": DATA, "wtype": DATA, "wpath": DATA},
}  # fmt: skip
NEEDED = {"segments", "address", "scheme", "hsoname", "database"}
OPTIONAL_HOST = {FileURI, FileURL, NewsURI, OtherURL}


def parts_of(kind):
    drawn = {**PARTS[kind], "fragment": DATA}
    needed = {
        name
        for name in drawn
        if name in NEEDED
        or (name == "host" and kind not in OPTIONAL_HOST)
        or (name == "group" and issubclass(kind, NntpURL))
    }
    made = st.fixed_dictionaries(
        {name: drawn[name] for name in needed},
        optional={name: drawn[name] for name in drawn if name not in needed},
    )
    opaque = st.fixed_dictionaries({"scheme": NAME, "schemepart": DATA})
    return made | opaque if kind is OtherURL else made


def plain(value):
    if isinstance(value, str):
        return str.__str__(value)
    return type(value)(map(plain, value)) if isinstance(value, list | tuple) else value


def outcome(make, parts):
    try:
        return make(**parts)
    except URIError as error:
        return type(error), str(error)


def texts(value):
    if isinstance(value, tuple):
        for one in value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


@pytest.mark.slow
@each_case("kind", PARTS)
@given(data=st.data())
def test_whatever_is_made_of_parts(kind, data):
    parts = data.draw(parts_of(kind))
    url = outcome(kind.from_parts, parts)
    assert url == outcome(kind.from_parts, {name: plain(value) for name, value in parts.items()})
    if isinstance(url, kind):
        text = str(url)
        assert type(text) is type(url.scheme) is str
        again = parse_url(text, registry=CURRENT if isinstance(url, CurrentURI) else RFC1738)
        assert again == url
        assert again.as_dict() == url.as_dict()
        for field in texts((*url.as_dict().values(), url.fragment)):
            assert type(field) is str or isinstance(field, Encoded)
        assert pickle.loads(pickle.dumps(url)).as_dict() == url.as_dict()


@given(
    as_subclass(
        st.sampled_from(
            ["http://h.d/a?b#c", "ftp://u:p@h.d:21/a;type=i", "x://u:p@h/a", "mailto:a@b", "a b"]
        )
    )
)
def test_whatever_is_parsed(text):
    url = outcome(parse_url, {"text": text})
    assert url == outcome(parse_url, {"text": str.__str__(text)})
    if not isinstance(url, tuple):
        assert type(str(url)) is type(url.scheme) is str
        assert url.as_dict() == parse_url(str.__str__(text)).as_dict()


@pytest.mark.parametrize("subclass", STR_SUBCLASSES)
def test_an_empty_host_is_none_in_any_subclass(subclass):
    assert FileURI.from_parts(host=subclass(""), segments=["a"]) == "file:///a"


@each_case("wrong", [0, False, [], (), {}, 3])
@each_case("kind", [FileURI, FileURL])
def test_no_host_is_no_other_value_that_is_false(kind, wrong):
    with pytest.raises(TypeError, match=f"^host must be a str, .+, not {type(wrong).__name__}$"):
        kind.from_parts(host=wrong, segments=["a"])
