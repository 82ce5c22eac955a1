"""The Web Platform Tests of `url/`: what browsers agree on, all of it."""

import json

from cases import each_case
from paths import VECTORS

from uriparse import whatwg
from uriparse.whatwg import URLError


def rows(name):
    """Return the cases of a file; strings in it are comments."""
    found = json.loads((VECTORS / f"wpt/{name}.json").read_text("utf-8"))
    return [row for row in found if isinstance(row, dict)]


def parsed(text, base=None):
    try:
        return whatwg.parse(text, base)
    except URLError:
        return None


def shown(url):
    """Return the attributes of the standard's interface, by its names."""
    return {
        "href": str(url), "protocol": f"{url.scheme}:", "username": url.username,
        "password": url.password, "hostname": url.host or "",
        "port": "" if url.port is None else str(url.port), "pathname": url.path,
        "search": f"?{url.query}" if url.query else "",
        "hash": f"#{url.fragment}" if url.fragment else "", "origin": url.origin,
    }  # fmt: skip


@each_case("row", rows("urltestdata") + rows("urltestdata-javascript-only"))
def test_urls(row):
    url = parsed(row["input"], row["base"])
    assert whatwg.can_parse(row["input"], row["base"]) == (url is not None)
    if row.get("failure"):
        assert url is None
        return
    assert url is not None
    found = shown(url)
    assert {name: row[name] for name in found if name in row} == {
        name: value for name, value in found.items() if name in row
    }
    assert url.host_kind is None or (url.host or "") + url.host_kind != ""


# The harness leaves out the only row without a host: a URL needs one.
@each_case("row", [*rows("toascii"), *rows("IdnaTestV2"), *rows("IdnaTestV2-removed")])
def test_domains(row):
    if row["input"]:
        url = parsed(f"https://{row['input']}/x")
        assert (None if url is None else url.host) == row["output"]


@each_case("row", rows("percent-encoding"))
def test_percent_encoding(row):
    """Of UTF-8: other encodings of a page come by no text."""
    if "utf-8" in row["output"]:
        url = whatwg.parse(f"http://doesnotmatter.invalid/?{row['input']}#{row['input']}")
        assert (url.query, url.fragment) == (row["output"]["utf-8"],) * 2


@each_case("row", rows("urlencoded-parser-data"))
def test_urlencoded(row):
    pairs = whatwg.form_pairs(row["input"])
    assert [list(pair) for pair in pairs] == row["output"]
    assert whatwg.form_pairs(whatwg.form_urlencoded(pairs)) == pairs
