"""A record's parts make the record again, and whatever cannot be a part is refused as such."""

from inspect import signature

import pytest
from cases import each_case
from hypothesis import assume, given
from hypothesis import strategies as st
from rfc1738_urls import parse_url
from schemes.corruption import IN_FORCE, TEXTS, corrupted

from uriparse import schemes
from uriparse.errors import EncodingError, SchemeError, URIError
from uriparse.schemes.current import DataURL, FileURI, MailtoURI, NewsURI, NntpURI
from uriparse.schemes.from_abnf import GrammarURI
from uriparse.schemes.plans import ftp_plan

OTHERWISE = {
    "addresses": lambda url: [
        each for each in url.addresses if url.hfields is None or each.start < url.hfields.start
    ],
    "typecode": lambda url: url.ftptype,
    "article": lambda url: getattr(url, "digits", None) or url.article,
    "slash": lambda url: getattr(url, "path", getattr(url, "urlpath", None)) is not None,
    "attributes": lambda url: url.attribute_selectors,
    "extensions": lambda url: url.extension_pairs,
    "coordinates": lambda url: [
        one for one in (url.coord_a, url.coord_b, url.coord_c) if one is not None
    ],
    "schemepart": lambda url: None if url.has_internet_syntax else url.schemepart,
}
"""The parameters of `from_parts` whose value as written is not a field of that name."""


def parts_of(kind):
    return signature(kind.from_parts).parameters.keys() - {"registry"}


def parts(url):
    return {
        name: OTHERWISE[name](url) if name in OTHERWISE else getattr(url, name)
        for name in parts_of(type(url))
        if name != "userinfo" or "userinfo" in url.FIELDS
    }


def record(text, relaxed, registry=schemes.RFC1738):
    try:
        return parse_url(text, relaxed_host=relaxed, registry=registry)
    except SchemeError:
        return None


def comes_back(url):
    if not {".", ".."}.isdisjoint(getattr(url, "cwds", ())):
        return  # such directories are written in triplets
    again = type(url).from_parts(**parts(url))
    text = str(url).lower()  # "FTP:" and ";TYPE=" are written so
    # "file:/" has "//"; the last "?" of an ldap URL, with nothing after them, are left out
    assert str(again).lower() in {text, text.replace(":/", ":///", 1), text.rstrip("?")}
    assert again.as_dict() == url.as_dict()
    assert again.identity() == url.identity() or text.endswith("?")


@each_case("text", [*TEXTS, "gopher://h.d/", "nntp://h.d/g/012", "FTP://h/;type=A"])
def test_records_come_back(text):
    url = record(text, relaxed=True)
    if url is not None:
        comes_back(url)


@given(corrupted(), st.booleans())
def test_any_record_comes_back(text, relaxed):
    url = record(text, relaxed)
    assume(url is not None)
    comes_back(url)


def is_made_of_parts(url):
    """Whether it is, by parameters that are its fields; test_more_schemes has the other records.

    Schemes such as sip have no fragment of their own: an appended one is not a parameter.
    """
    if not hasattr(url, "from_parts") or isinstance(url, GrammarURI | DataURL):
        return False
    return getattr(url, "fragment", None) is None or "fragment" in parts_of(type(url))


@each_case("text", [text for text in IN_FORCE if text.lower().startswith("data:")])
def test_data_come_back(text):
    url = record(text, relaxed=False, registry=schemes.CURRENT)
    if url is None:
        return
    try:
        content = url.content
    except EncodingError:
        return
    for base64 in (None, True, False):
        again = DataURL.from_parts(
            content, type=url.type, subtype=url.subtype, parameters=url.parameters, base64=base64,
            fragment=url.fragment,
        )  # fmt: skip
        assert again.identity() == url.identity()
        assert again.is_base64 is base64 or base64 is None


@each_case("text", IN_FORCE)
def test_records_of_today_come_back(text):
    url = record(text, relaxed=False, registry=schemes.CURRENT)
    if is_made_of_parts(url):
        comes_back(url)


@given(
    corrupted([text for text in IN_FORCE if is_made_of_parts(record(text, False, schemes.CURRENT))])
)
def test_any_record_of_today_comes_back(text):
    url = record(text, relaxed=False, registry=schemes.CURRENT)
    assume(is_made_of_parts(url))
    comes_back(url)


@given(st.integers(0, 255).filter(lambda octet: octet != 9))
def test_any_octet_is_a_type(octet):
    """Also `%EB`, whose type is "ë", and which that character has to give back."""
    url = parse_url(f"gopher://h.d/%{octet:02X}s")
    again = schemes.GopherURL.from_parts(host="h.d", gtype=url.type, selector="s")
    assert (again.type, again.identity()) == (url.type, url.identity())
    assert schemes.GopherURL.from_parts(host="h.d", gtype=bytes([octet]), selector="s") == again


@pytest.mark.parametrize("gtype", ["", "\u0100", "\ud800", b""])
def test_what_is_no_octet_is_no_type(gtype):
    with pytest.raises(URIError, match=r"gtype: one octet|gtype: would be read as another text"):
        schemes.GopherURL.from_parts(host="h.d", gtype=gtype, selector="s")


SERVER = {"host": "h.d"}
MADE_OF = {
    FileURI: {"segments": ["a"], "host": "h.d"}, schemes.FileURL: {"segments": ["a"],
        "host": "h.d"},
    schemes.FtpURL: SERVER | {"user": "u", "password": "p", "cwds": ["a"], "name": "n",
        "typecode": "a"},
    schemes.GopherURL: SERVER | {"gtype": "0", "selector": "s", "search": "s", "gopher_plus": "+"},
    schemes.HttpURL: SERVER | {"segments": ["a"], "search": "s"},
    MailtoURI: {"addresses": ["a@b"], "headers": [("a", "b")]},
        schemes.MailtoURL: {"address": "a@b"},
    schemes.NewsURL: {"domain": "h.d", "unique": "a"},
    NewsURI: SERVER | {"userinfo": "u", "article": "a@b"},
    NntpURI: SERVER | {"userinfo": "u", "group": "a.b", "article": "1"},
    schemes.NntpURL: SERVER | {"group": "a.b", "article": "1"},
    schemes.OtherURL: SERVER | {"scheme": "x", "user": "u", "password": "p", "urlpath": "a"},
    schemes.ProsperoURL: SERVER | {"hsoname": "a", "fields": [("a", "b")]},
    schemes.TelnetURL: SERVER | {"user": "u", "password": "p"},
    schemes.WaisURL: SERVER | {"database": "d", "wtype": "t", "wpath": "p"},
}  # fmt: skip
ALONE = "\ud800"


def spoilt(value, kind):
    """Put a lone surrogate in the place of a text, wherever it stands."""
    match value:
        case [(_, second)]:
            return [(kind(ALONE), second)]
        case [_]:
            return [kind(ALONE)]
        case _:
            return kind(ALONE)


@each_case("kind", [str, schemes.Encoded, schemes.RelaxedHost])
@each_case(
    ("record", "name"),
    [
        (record, name)
        for record, fixed in MADE_OF.items()
        for name in (*fixed, "fragment", *(["port"] if "port" in parts_of(record) else []))
    ],
)
def test_a_lone_surrogate_is_no_part(record, name, kind):
    fixed = {"fragment": "f", "port": 8, **MADE_OF[record]}
    with pytest.raises(URIError):
        record.from_parts(**MADE_OF[record] | {name: spoilt(fixed[name], kind)})


def test_a_lone_surrogate_is_no_text_of_a_client():
    with pytest.raises(EncodingError, match="U\\+D800 at offset 1"):
        schemes.GopherPlus.filled(["a\ud800"])
    with pytest.raises(EncodingError, match="U\\+D800"):
        schemes.GopherPlus.filled([], view="\ud800")
    with pytest.raises(EncodingError, match="U\\+D800 at offset 2"):
        ftp_plan(parse_url("ftp://h.d/x"), email="a@\ud800")
    assert schemes.GopherPlus.filled(["\udcff"]).octets.count(b"\xff") == 1
