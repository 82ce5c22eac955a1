"""Quoting of database user names and passwords, and whole database URLs."""

import pickle
import re
from dataclasses import replace
from urllib import parse as stdlib

import pytest
from cases import each_case, tables, vectors
from hypothesis import given
from hypothesis import strategies as st
from oracle.engine_urls import as_program

from uriparse.errors import ComponentError, URISyntaxError
from uriparse.legacy.sqlalchemy import VERSIONS, EngineURL, quote, split_engine_url, unquote

TABLES = tables(__file__)

QUOTED = vectors("sqlalchemy_quote")
READ = vectors("sqlalchemy_urls")
assert QUOTED
assert READ

PARTED = "SQLAlchemy before 1.4.16 and since read different hosts in this database URL"

texts = st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=()))
marks = st.text(":/@?%[]a5 é\udc80")


@each_case("row", QUOTED)
def test_quoted(row):
    assert quote(row["input"]) == row["quoted"]
    for version in VERSIONS:
        since = version in {"2.0", "2.1"}
        expected = row["quoted_since_2_0_24"] if since else row["quoted"]
        assert quote(row["input"], version=version) == expected


def readings(row):
    """What each version reads, where a row says only what changes."""
    found = None
    for version in VERSIONS:
        found = row.get(version, found)
        yield version, found


def read(text, version=None):
    """The record of a text, or why there is none."""
    try:
        return split_engine_url(text, version=version)
    except URISyntaxError as error:
        return error


@each_case("row", READ)
def test_every_version_is_read_as_it_was_recorded(row):
    for version, theirs in readings(row):
        url = read(row["text"], version)
        if isinstance(url, URISyntaxError):
            # What SQLAlchemy takes beyond ours: other digits in a port, other letters in a name.
            assert theirs is None or url.component == "port" or not theirs[0].isascii()
        else:
            assert as_program(url, version) == theirs
            assert read(url.render(hide_password=False), version) == url


@each_case("row", READ)
def test_without_a_version_there_is_one_host_or_none(row):
    places = {(theirs[3], theirs[4]) for _, theirs in readings(row) if theirs}
    url = read(row["text"])
    if not isinstance(url, URISyntaxError):
        assert places == {(url.host, url.port and int(url.port))}
        assert url == read(row["text"], VERSIONS[-1])
    elif url.component == "host":
        assert len(places) == 2
        assert str(url).startswith(PARTED)
        assert url.argument.value == VERSIONS[-1]
    else:
        assert read(row["text"], VERSIONS[-1]).component == url.component


@given(texts)
def test_quote_is_the_one_substitution(text):  # S-001
    assert quote(text) == re.sub("[:@/]", lambda found: f"%{ord(found[0]):X}", text)


def test_quoting_loses_a_triplet_that_was_there():  # S-003
    assert unquote(quote("a%3Ab")) == "a:b"
    assert quote("a%3Ab", lossless=True) == "a%253Ab"


@given(texts | marks)
def test_lossless_quoting_comes_back(text):
    assert unquote(quote(text, lossless=True)) == text


@given(st.builds("{}%{}".format, *[texts | st.text("%25eé+ A")] * 2))
def test_unquote_is_that_of_the_standard_library(text):  # S-005
    expected = stdlib.unquote(text, errors="surrogateescape")
    assert unquote(text) == expected


@pytest.mark.parametrize(("text", "username", "password", "shown"), TABLES["engine_urls"])
def test_engine_urls(text, username, password, shown):  # S-005, S-006
    url = split_engine_url(text)
    assert (url.username, url.password) == (username, password)
    assert str(url) == url.render() == shown
    assert repr(url) == f"<EngineURL {shown}>"
    assert url.render(hide_password=False) == text
    assert pickle.loads(pickle.dumps(url)) == url


@each_case(("text", "parts"), TABLES["parts_of_engine_urls"])
def test_parts_of_engine_urls(text, parts):
    url = split_engine_url(text)
    assert [url.host, url.port, url.database, url.query] == parts
    shown = url.render(hide_password=False)
    assert unquote(shown) == text
    assert split_engine_url(shown) == url


@pytest.mark.parametrize("version", [None, *VERSIONS])
@given(marks | texts)
def test_engine_urls_come_back(version, rest):
    try:
        url = split_engine_url("d://" + rest, version=version)
    except URISyntaxError:
        return
    again = split_engine_url(url.render(hide_password=False), version=url.version)
    assert again == url
    assert url.version == (version or VERSIONS[-1])


@pytest.mark.parametrize(
    ("version", "shown"), [("1.3", "d://u:***@h/db"), ("2.1", "d://u:***@***@h/db")]
)
def test_the_rest_of_a_password_is_not_shown(version, shown):
    url = split_engine_url("d://u:p@ss@h/db", version=version)
    assert str(url) == shown
    assert "ss" not in repr(url)
    assert not [part for part in url.parts().values() if "ss" in (part or "")]
    assert url.parts(hide_password=False)["password"] == url.password


def test_what_another_at_sign_hides():
    url = split_engine_url("d://u:p@s/s1@h/db?s2@x", version="2.1")
    assert (url.host, url.database, url.query) == ("s", "s1@h/db", "s2@x")
    assert str(url) == "d://u:***@s/***@h/db?***@x"
    assert split_engine_url("d://h/x@y").render() == "d://h/x%40y"


@each_case(("text", "offset", "component", "message"), TABLES["what_is_no_engine_url"])
def test_what_is_no_engine_url(text, offset, component, message):
    with pytest.raises(URISyntaxError) as caught:
        split_engine_url(text)
    assert (caught.value.offset, caught.value.component) == (offset, component)
    assert str(caught.value) == message
    if "@" in text:
        assert "sec" not in caught.value.pointer()


@each_case(("parts", "component"), TABLES["parts_that_would_be_read_otherwise_are_refused"])
def test_parts_that_would_be_read_otherwise_are_refused(parts, component):
    with pytest.raises(ComponentError) as caught:
        EngineURL(**parts)
    assert caught.value.component == component
    expected = f"{component}: cannot be written in a database URL so that it is read back"
    assert str(caught.value) == expected


def test_a_port_is_a_number_or_digits():
    url = EngineURL("postgresql", host="h", port=5432)
    assert url == EngineURL("postgresql", host="h", port="5432")
    assert url == split_engine_url("postgresql://h:5432") == replace(url, port=5432)
    assert EngineURL("d", port=0).port == "0"
    assert EngineURL("d", port=65535).render() == "d://:65535"


@pytest.mark.parametrize("port", [-1, 65536, 10**5000], ids=["negative", "too high", "huge"])
def test_a_number_that_is_no_port(port):
    with pytest.raises(ComponentError, match="port: must be a number from 0 to 65535") as caught:
        EngineURL("d", host="h", port=port)
    assert caught.value.component == "port"


def test_lossy_rendering_is_that_of_the_program():
    for version in VERSIONS:
        url = EngineURL("d", username="u", password="100%3A", host="h", version=version)
        assert url.render(hide_password=False) == "d://u:100%253A@h"
        lossy = "d://u:100%253A@h" if version in {"2.0", "2.1"} else "d://u:100%3A@h"
        assert url.render(hide_password=False, lossless=False) == lossy


def test_a_database_is_data_since_2_1():
    url = EngineURL("d", host="h", database="a?b/c d")
    assert str(url) == "d://h/a%3Fb/c d"
    assert split_engine_url("d://h/%3F", version="2.1").database == "?"
    assert split_engine_url("d://h/%3F", version="2.0").database == "%3F"


def test_a_version_that_is_not_there():
    with pytest.raises(ValueError, match=r'version .*not "3"'):
        split_engine_url("d://h", version="3")
