"""Where programs put a URL: which places take our records, and which those of other libraries."""

import asyncio
import copy
import csv
import io
import json
import pickle
import re
import sqlite3
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from cases import each_case

import uriparse

TEXT = "http://example.com/a?b=1"
PAGE = Path(__file__).parents[2] / "tools/docs/how-to/from-yarl.md"
KINDS = {
    "record": ("uriparse", lambda m: m.parse(TEXT)),
    "AnyUrl": ("pydantic", lambda m: m.AnyUrl(TEXT)), "yarl": ("yarl", lambda m: m.URL(TEXT)),
    "httpx": ("httpx", lambda m: m.URL(TEXT)), "furl": ("furl", lambda m: m.furl(TEXT)),
}  # fmt: skip


def needed(name):
    return pytest.importorskip(name)


def written(url):
    file = io.StringIO()
    csv.writer(file).writerow([url])
    return file.getvalue().strip()


def bound(url):
    with closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute("select ?", (url,)).fetchone()[0]


def adapted(url):
    sqlite3.register_adapter(type(url), str)
    try:
        return bound(url)
    finally:
        del sqlite3.adapters[type(url), sqlite3.PrepareProtocol]


def by_aiohttp(url):
    async def asked():
        async with needed("aiohttp").ClientSession() as session:
            return session._build_url(url)

    return asyncio.run(asked())


def encoded(url):
    needed("fastapi")
    needed("uriparse.extra.fastapi")
    return needed("fastapi.encoders").jsonable_encoder({"url": url})["url"]


def modelled(url, kind):
    return needed("pydantic").TypeAdapter(kind).validate_python(url)


PLACES = {
    "requests.get(url)": lambda url: needed("requests").Request("GET", url).prepare().url,
    "requests.get(…, params={…: url})": lambda url: urllib.parse.parse_qs(
        needed("requests").Request("GET", TEXT, params={"u": url}).prepare().url
    )["u"][0],
    "httpx.get(url)": lambda url: needed("httpx").Request("GET", url).url,
    "httpx.get(…, params={…: url})": lambda url: (
        needed("httpx").Request("GET", TEXT, params={"u": url}).url.params["u"]
    ),
    "aiohttp session.get(url)": by_aiohttp,
    "urllib.request.Request(url)": lambda url: urllib.request.Request(url).full_url,
    "urllib.parse.urlencode({…: url})": lambda url: urllib.parse.parse_qs(
        urllib.parse.urlencode({"u": url})
    )["u"][0],
    "json.dumps(url, default=str)": lambda url: json.loads(json.dumps(url, default=str)),
    "orjson.dumps(url, default=str)": lambda url: json.loads(
        needed("orjson").dumps(url, default=str)
    ),
    "msgspec.json.encode(url, enc_hook=str)": lambda url: json.loads(
        needed("msgspec").json.encode(url, enc_hook=str)
    ),
    "sqlite3, with an adapter": adapted,
    "pydantic: AnyUrl": lambda url: modelled(url, needed("pydantic").AnyUrl),
    "pydantic: URI": lambda url: needed("uriparse.extra.pydantic") and modelled(url, uriparse.URI),
    "FastAPI: jsonable_encoder(url)": encoded,
    "Starlette: RedirectResponse(url)": lambda url: (
        needed("starlette.responses").RedirectResponse(url).headers["location"]
    ),
    "pandas: Series([url]).astype(str)": lambda url: needed("pandas").Series([url]).astype(str)[0],
    "csv.writer": written,
    "f-string, logging": lambda url: "%s" % url if f"{url}" == TEXT else "",  # noqa: UP031 - logging's
    "url == text": lambda url: url == TEXT and url,
    "key of a dictionary": lambda url: {url: url}[url],
    "sorted": lambda url: sorted([url, url]).pop(),
    "pickle": lambda url: pickle.loads(pickle.dumps(url)),
    "copy.deepcopy": copy.deepcopy,
}


def takes(place, kind):
    module, make = KINDS[kind]
    own = make(needed(module))
    try:
        return str(PLACES[place](own)) == TEXT
    except Exception:  # noqa: BLE001 - each library refuses in its own way
        return False


def rows_of_the_page():
    table = PAGE.read_text("utf-8").partition("| place |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `?(.*?)`? \| (.*) \|$", table, re.MULTILINE)
    return {name: cells.split(" | ") for name, cells in rows if set(name) - set("-: ")}


@each_case("place", PLACES)
def test_places_take_what_the_page_says(place):
    row = rows_of_the_page()[place]
    assert row == ["yes" if takes(place, kind) else "–" for kind in KINDS]
