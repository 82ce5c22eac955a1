"""URLs of other libraries are taken for their text, and records are taken by other libraries."""

import json
import os
import sqlite3
import urllib.request
from contextlib import closing
from importlib import import_module
from pathlib import Path
from urllib.parse import urljoin, urlparse, urlsplit

import pytest
from cases import each_case

import uriparse
from uriparse import URI, is_valid, parse, parse_url, resolve, validate

TEXT = "http://user:secret@example.com:8080/a?q=1#f"
FOREIGN = {
    "yarl": ("yarl", lambda m: m.URL(TEXT)), "httpx": ("httpx", lambda m: m.URL(TEXT)),
    "httpx2": ("httpx2", lambda m: m.URL(TEXT)), "pydantic": ("pydantic", lambda m: m.AnyUrl(TEXT)),
    "HttpUrl": ("pydantic", lambda m: m.HttpUrl(TEXT)),
    "pydantic_core": ("pydantic_core", lambda m: m.Url(TEXT)),
    "furl": ("furl", lambda m: m.furl(TEXT)),
    "hyperlink": ("hyperlink", lambda m: m.URL.from_text(TEXT)),
    "rfc3986": ("rfc3986", lambda m: m.uri_reference(TEXT)),
    "uritools": ("uritools", lambda m: m.urisplit(TEXT)),
    "starlette": ("starlette.datastructures", lambda m: m.URL(TEXT)),
    "urlsplit": ("urllib.parse", lambda m: m.urlsplit(TEXT)),
    "octets": ("urllib.parse", lambda m: m.urlsplit(TEXT.encode())),
    "urlparse": ("urllib.parse", lambda m: m.urlparse(TEXT)),
}  # fmt: skip


def stored(value):
    with closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute("select ?", [value]).fetchone()[0]


@pytest.mark.parametrize("name", FOREIGN)
def test_urls_of_other_libraries_are_taken(name):
    module, make = FOREIGN[name]
    own = make(pytest.importorskip(module))
    assert parse(own) == URI(own) == URI(TEXT)
    assert is_valid(own)
    assert parse_url(own).host == "example.com"
    assert not validate(own).accepted
    assert resolve(own, "b") == "http://user:secret@example.com:8080/b"


def test_pydantic_fields_take_them():
    pydantic, yarl = pytest.importorskip("pydantic"), pytest.importorskip("yarl")
    adapter = pydantic.TypeAdapter(URI)
    assert (
        adapter.validate_python(yarl.URL(TEXT)) == adapter.validate_python(urlsplit(TEXT)) == TEXT
    )


class URL:
    """Of another package, so that nothing is known of it."""

    def __str__(self):
        return "http://h/"


@each_case("wrong", [URL(), ("http://h/",), object(), Path("/a")])
def test_nothing_else_is_taken(wrong):
    with pytest.raises(
        TypeError, match="text must be a str, ASCII bytes or a URI record"
    ) as caught:
        parse(wrong)
    assert ("building.from_path" in str(caught.value)) == isinstance(wrong, os.PathLike)


def lines():
    """Yield, for each library, how a record or its text is handed over, as the page shows it."""
    uri = parse("http://example.com/a?q=1")
    yield "urllib.request", lambda _: urllib.request.Request(str(uri)).full_url
    yield "urllib.parse", lambda _: urljoin(str(uri), "/a?q=1")
    yield "urllib.parse", lambda _: urlparse(str(uri)).geturl()
    yield "json", lambda _: json.loads(json.dumps({"url": uri}, default=str))["url"]
    yield ("sqlite3", lambda _: stored(str(uri)))
    yield "requests", lambda m: m.Request("GET", uri).prepare().url
    yield "httpx", lambda m: str(m.Request("GET", str(uri)).url)
    yield "yarl", lambda m: str(m.URL(str(uri)))
    yield "pydantic", lambda m: str(m.AnyUrl(str(uri)))
    yield "furl", lambda m: m.furl(str(uri)).url
    yield "orjson", lambda m: json.loads(m.dumps({"url": uri}, default=str))["url"]
    yield "w3lib.url", lambda m: m.canonicalize_url(str(uri))
    yield "rdflib", lambda m: str(m.URIRef(str(uri)))


@pytest.mark.parametrize(("module", "handed"), [*lines()])
def test_records_are_given_to_other_libraries(module, handed):
    pytest.importorskip(module.partition(".")[0])
    assert handed(import_module(module)) == "http://example.com/a?q=1"


def test_a_record_is_printed_without_its_password():
    rich = pytest.importorskip("rich.pretty")
    assert "***" in rich.pretty_repr([parse(TEXT)])
    assert "secret" not in rich.pretty_repr([parse(TEXT)])
    printed = []

    class Printer:
        text = printed.append

    parse(TEXT)._repr_pretty_(Printer(), False)
    assert printed == [repr(parse(TEXT))]
    assert uriparse.URI.__match_args__[0] == "scheme"
