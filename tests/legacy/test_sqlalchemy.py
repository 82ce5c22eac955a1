"""Quoting of database user names and passwords, and whole database URLs."""

import json
import pickle
import re
from dataclasses import replace
from urllib import parse as stdlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import VECTORS

from uriparse.errors import ComponentError, URISyntaxError
from uriparse.legacy.sqlalchemy import EngineURL, quote, split_engine_url, unquote

VECTORS = json.loads((VECTORS / "sqlalchemy_quote.json").read_text("ascii"))
assert VECTORS

BAD_PORT = (
    "the port of a database URL is a number; ':', '@' and '/' in a user name or password are"
    " encoded"
)
NO_DIALECT = 'a database URL begins with a dialect and "://"'

texts = st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=()))
marks = st.text(":/@?%[]a5 é\udc80")


@pytest.mark.parametrize("row", VECTORS, ids=[row["id"] for row in VECTORS])
def test_quoted(row):
    assert quote(row["input"]) == row["quoted"]


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


@pytest.mark.parametrize(
    ("text", "username", "password", "shown"),
    [
        (
            "dbtype://user:pass word + other%3Awords@host/dbname",
            "user",
            "pass word + other:words",
            "dbtype://user:***@host/dbname",
        ),
        (
            "dbtype://username:apples%2Foranges@hostspec/database",
            "username",
            "apples/oranges",
            "dbtype://username:***@hostspec/database",
        ),
        (
            "dbtype://username:apples%40oranges%40%40@hostspec/database",
            "username",
            "apples@oranges@@",
            "dbtype://username:***@hostspec/database",
        ),
        (
            "dbtype://username%40:@hostspec/database",
            "username@",
            "",
            "dbtype://username%40:***@hostspec/database",
        ),
        (
            "dbtype+apitype://username:pass%2Fword@hostspec/database",
            "username",
            "pass/word",
            "dbtype+apitype://username:***@hostspec/database",
        ),
        ("my_sql://u@h", "u", None, "my_sql://u@h"),
        ("sqlite:///file.db", None, None, "sqlite:///file.db"),
    ],
)
def test_engine_urls(text, username, password, shown):  # S-005, S-006
    url = split_engine_url(text)
    assert (url.username, url.password) == (username, password)
    assert str(url) == url.render() == shown
    assert repr(url) == f"<EngineURL {shown}>"
    assert url.render(hide_password=False) == text
    assert pickle.loads(pickle.dumps(url)) == url


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("d://", (None, None, None, None)),
        ("d:///", (None, None, "", None)),
        ("d://h?q", ("h", None, None, "q")),
        ("d://h/?", ("h", None, "", "")),
        ("d://:5/x", (None, "5", "x", None)),
        ("d://h:/x", ("h", "", "x", None)),
        ("d://[::1]:5/x", ("::1", "5", "x", None)),
        ("d://[::1]", ("::1", None, None, None)),
        ("d:////tmp/x?a=/b@c", (None, None, "//tmp/x"[1:], "a=/b@c")),
        ("d://u?v@h/x", ("h", None, "x", None)),
    ],
)
def test_parts_of_engine_urls(text, parts):
    url = split_engine_url(text)
    assert (url.host, url.port, url.database, url.query) == parts
    assert url.render(hide_password=False) == text


@given(marks)
def test_engine_urls_come_back(rest):
    try:
        url = split_engine_url("d://" + rest)
    except URISyntaxError:
        return
    assert split_engine_url(url.render(hide_password=False)) == url


@pytest.mark.parametrize(
    ("text", "offset", "component", "message"),
    [
        ("", 0, "drivername", NO_DIALECT),
        ("host/db", 7, "drivername", NO_DIALECT),
        ("://h", 0, "drivername", NO_DIALECT),
        ("my-sql://h", 2, "drivername", NO_DIALECT),
        (
            "d://u:sec/ret@h/db",
            6,
            "port",
            BAD_PORT,
        ),
    ],
)
def test_what_is_no_engine_url(text, offset, component, message):
    with pytest.raises(URISyntaxError) as caught:
        split_engine_url(text)
    assert (caught.value.offset, caught.value.component) == (offset, component)
    assert str(caught.value) == message
    assert "sec" not in caught.value.pointer()


@pytest.mark.parametrize(
    ("parts", "component"),
    [
        ({"drivername": ""}, "drivername"),
        ({"drivername": "a b"}, "drivername"),
        ({"drivername": "d", "password": "secret"}, "password"),
        ({"drivername": "d", "port": "\u0665"}, "port"),
        ({"drivername": "d", "host": "a/b"}, "host"),
        ({"drivername": "d", "host": ""}, "host"),
        ({"drivername": "d", "host": "h", "database": "a?b"}, "database"),
        ({"drivername": "d", "host": "u@h"}, "username"),
    ],
)
def test_parts_that_would_be_read_otherwise_are_refused(parts, component):
    with pytest.raises(ComponentError) as caught:
        EngineURL(**parts)
    assert caught.value.component == component
    expected = f"this {component} cannot be written at its place in a database URL"
    assert str(caught.value) == expected


def test_a_port_is_a_number_or_digits():
    url = EngineURL("postgresql", host="h", port=5432)
    assert url == EngineURL("postgresql", host="h", port="5432")
    assert url == split_engine_url("postgresql://h:5432") == replace(url, port=5432)
    assert EngineURL("d", port=0).port == "0"
    assert EngineURL("d", port=65535).render() == "d://:65535"


@pytest.mark.parametrize("port", [-1, 65536, 10**5000], ids=["negative", "too high", "huge"])
def test_a_number_that_is_no_port(port):
    with pytest.raises(ComponentError, match="port: a number from 0 to 65535") as caught:
        EngineURL("d", host="h", port=port)
    assert caught.value.component == "port"


@pytest.mark.parametrize("port", [80.0, True, b"80", [80]])
def test_a_port_of_another_type(port):
    expected = f"port is an int, digits as a str, or None, not {type(port).__name__}"
    with pytest.raises(TypeError, match=expected):
        EngineURL("d", host="h", port=port)


def test_lossy_rendering_is_that_of_the_program():
    url = EngineURL("d", username="u", password="100%3A", host="h")
    assert url.render(hide_password=False) == "d://u:100%253A@h"
    assert url.render(hide_password=False, lossless=False) == "d://u:100%3A@h"
