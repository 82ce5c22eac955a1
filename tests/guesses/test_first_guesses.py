"""What people who come from other libraries try first works, or the error names what does.

A row is a task, the library that the guess comes from, and the call; with what it gives, or with
the error and what that names. Rows that await a part of the package fail until it is there.
"""

import contextlib
import copy
import dataclasses
import html
import importlib
import json
import pickle
import re
import weakref
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from urllib.parse import urlparse, urlsplit

import pytest
from cases import each_case

import abnf2lark
import abnf2lark.hints
import uriparse
from uriparse import errors, parse, parse_url
from uriparse._base import migration_hints
from uriparse.arrow.functions import Functions
from uriparse.records import HasServer
from uriparse.schemes import RFC1738, FtpURL

ROWS = json.loads(Path(__file__).with_name("first_guesses.json").read_text(encoding="utf-8"))
TEXT = "http://user:secret@example.com:8080/a/b.txt?q=1&r=two#frag"
THERE = {name: getattr(uriparse, name) for name in uriparse.__all__}
THERE |= {"uriparse": uriparse, "copy": copy, "pickle": pickle, "ip_address": ip_address}
THERE |= {
    "urlsplit": urlsplit, "urlparse": urlparse, "Path": Path, "weakref": weakref, "html": html,
}  # fmt: skip
THERE |= {"T": TEXT, "u": parse(TEXT)}

URI = parse(TEXT)


def rows():
    for row in ROWS:
        awaits = row.get("awaits")
        marks = [pytest.mark.xfail(reason=f"awaits {awaits}")] if awaits else []
        yield pytest.param(row, id=row["call"], marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("row", [*rows()])
def test_a_first_guess(row):
    if "gives" in row:
        assert eval(row["call"], dict(THERE)) == row["gives"]
        return
    with pytest.raises((AttributeError, TypeError, uriparse.URIError)) as caught:
        eval(row["call"], dict(THERE))
    assert type(caught.value).__name__ == row["error"]
    message = str(caught.value)
    assert row["names"] in message
    assert "secret" not in message


NAMES = migration_hints.foreign_names
REFERENCE = NAMES("text", "parts", "reference", value="uri")
AUTHORITY = NAMES("text", "parts", "authority", value="authority")
BELOW = NAMES("modules")
TABLES = [
    (REFERENCE, [URI, parse("a"), uriparse.URI, uriparse.URIReference]),
    (AUTHORITY, [URI.authority, uriparse.Authority]),
    (NAMES("text", "host", value="host"), [URI.host, parse("//[::1]").host, uriparse.IPv4]),
    (NAMES("package"), [uriparse]),
    (NAMES("url"), [parse_url("ftp://h.d/"), parse_url("x:y", registry=RFC1738), FtpURL]),
    (NAMES("browser"), [uriparse.whatwg.parse(TEXT), uriparse.whatwg.BrowserURL]),
    (NAMES("target"), [uriparse.check("http://h.example/"), uriparse.Target]),
    (NAMES("report"), [uriparse.validate(TEXT)]),
    (NAMES("policy"), [uriparse.Policy.web(), uriparse.Policy]),
    (NAMES("tree"), [uriparse.parse_tree(TEXT)]),
    (migration_hints.on_arrow(), [uriparse.arrow]),
    (NAMES("columns", value="column.uri."), [Functions(None)]),
    (NAMES("whatwg"), [uriparse.whatwg]),
    (NAMES("guard"), [uriparse.guard]),
    (NAMES("extra"), [uriparse.extra]),
]
OWNERS = [(known, owner) for known, owners in TABLES for owner in owners]


def test_the_rows_of_names_are_sorted_and_read():
    text = Path(migration_hints.__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        title, *rows = block.strip().split("\n")
        assert rows == sorted(rows)
        names = [name for row in rows for name in row.rpartition(" <- ")[2].split()]
        assert sorted(names) == sorted(NAMES(title[1:].partition("]")[0]))


@pytest.mark.parametrize(("known", "owner"), OWNERS)
def test_what_is_named_instead_is_there(known, owner):
    assert known
    for name, words in known.items():
        assert not hasattr(owner, name), f"{name} is not a foreign name"
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        assert str(caught.value).endswith(f": use {words}")
        assert caught.value.name == name
        assert isinstance(owner, ModuleType) or caught.value.obj == owner
        assert isinstance(owner, type) or name not in dir(owner)


CODE = sorted(
    {
        *(code for known, _ in TABLES for code in known.values()), *BELOW.values(),
        *abnf2lark.hints.FRONT.values(), *abnf2lark.hints.GRAMMAR.values(),
    }
)  # fmt: skip
GIVEN = THERE | {
    "uri": parse(TEXT), "url": parse_url("ftp://user@h.d/"), "host": parse(TEXT).host,
    "authority": parse(TEXT).authority, "report": uriparse.validate(TEXT),
    "policy": uriparse.Policy.web(), "text": "http://h.example/b", "base": "http://h.example/a",
    "path": "/a", "abnf2lark": abnf2lark, "abnf": 'a = "b"\r\nb = "c"', "dataclasses": dataclasses,
    "tree": uriparse.parse_tree(TEXT),
    "target": uriparse.check("http://h.example/"), "browser_url": uriparse.whatwg.parse(TEXT),
    "toml": 'preset = "web"', "settings": {}, "grammar": abnf2lark.load('a = "b"\r\nb = "c"'),
}  # fmt: skip


@each_case("words", CODE)
def test_a_hint_followed_to_the_letter_works(words):
    code, _, _ = words.partition("; ")
    for module in re.findall(r"uriparse\.(?:\w+\.)*", code):
        try:  # as one who follows the hint imports it
            importlib.import_module(module.removesuffix("."))
        except uriparse.errors.MissingPackageError:
            return
        except ModuleNotFoundError:
            pass
    if "column" in code and find_spec("pyarrow") is None:
        return
    if "column.uri" in code:
        pd = pytest.importorskip("pandas")
        importlib.import_module("uriparse.extra.pandas")
        given = {"column": pd.Series(["http://h.example/?q=a"])}
    else:
        given = GIVEN | ({"column": pyarrow_column()} if "column" in code else {})
    if "grammar." in code or "abnf" in code:
        given |= {"text": "b"}
    with contextlib.suppress(uriparse.errors.MissingPackageError):
        eval(code, dict(given))


def pyarrow_column():
    import pyarrow as pa

    return uriparse.arrow.verdict(pa.array(["http://h/"]), uriparse.Policy.web())


@pytest.mark.parametrize(("owner", "known"), [
    (abnf2lark, abnf2lark.hints.FRONT), (GIVEN["grammar"], abnf2lark.hints.GRAMMAR),
])  # fmt: skip
def test_the_compiler_answers_names_of_others(owner, known):
    for name, words in known.items():
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        assert str(caught.value).endswith(f": use {words}")
        assert caught.value.name == name


@pytest.mark.parametrize(("name", "words"), [
    ("parseURL", "uriparse.parse_url"), ("isUrl", "uriparse.is_valid(text)"),
    ("Uri", "uriparse.URI"), ("relativise", "uriparse.relativize(base, text)"),
    ("normalise", "uriparse.normalize(text)"), ("Scheme", "uriparse.schemes.Scheme"),
    ("URLError", "uriparse.errors.URLError"), ("HttpURI", "uriparse.schemes.current.HttpURI"),
    ("encodeURIComponent", 'uriparse.quote(text, "segment")'),
])  # fmt: skip
def test_other_spellings_and_homes_of_names_are_found(name, words):
    with pytest.raises(AttributeError, match=re.escape(f"{name!r}: use {words}") + "$"):
        getattr(uriparse, name)


@pytest.mark.parametrize("code", [
    "u['host']", "u + 'a'", "'a' + u", "u % {'a': 1}", "u // 'a'", "'a' in u",
])  # fmt: skip
def test_operators_of_others_say_what_there_is(code):
    with pytest.raises(TypeError, match=r"^'URI' object .*: use ") as caught:
        eval(code, dict(THERE))
    for words in str(caught.value).partition(": use ")[2].split(" or "):
        eval(words, dict(GIVEN))
    with pytest.raises(TypeError, match=r"use uri\.as_dict\(\)"):
        list(URI)
    assert not hasattr(URI, "__iter__")  # by which requests tells a text from a list


@pytest.mark.parametrize("name", [*errors._OURS])
def test_errors_answer_names_of_others(name):
    with pytest.raises(uriparse.URISyntaxError) as caught:
        parse("http://h/ ")
    with pytest.raises(AttributeError, match=r": use error\.(\w+)$") as hint:
        getattr(caught.value, name)
    assert hasattr(caught.value, str(hint.value).rpartition(".")[2])


@pytest.mark.parametrize(("module", "name", "others"), [
    ("yarl", "URL", set()), ("hyperlink", "URL", {"asIRI", "asText", "asURI", "fromText"}),
    ("httpx", "URL", {"raw"}), ("furl", "furl", {"load", "strict", "asdict"}),
    ("rfc3986", "URIReference", {"encoding", "slots"}), ("urllib.parse", "SplitResult", set()),
])  # fmt: skip
def test_every_name_of_another_library_is_here_or_answered(module, name, others):
    other = getattr(pytest.importorskip(module), name)
    names = {one for one in dir(other) if not one.startswith("_")} - others
    judges = {one for one in names if one.endswith("_is_valid")}  # of what is valid anyway
    here = {*dir(uriparse.URI), *REFERENCE}
    assert names - judges - here == set()


@pytest.mark.parametrize("text", ["http://h.example/", "https://H.example:8443/a", "ws://h:0/"])
def test_every_reader_says_alike_where_a_url_leads(text):
    policy = uriparse.Policy.syntax()
    urls = [parse(text), parse_url(text), uriparse.whatwg.parse(text)]
    urls += [uriparse.validate(text, policy).target]
    assert all(isinstance(url, HasServer) for url in urls)
    assert len({str(url.host).lower() for url in urls}) == 1
    assert len({(url.scheme, url.effective_port, url.origin) for url in urls}) == 1
    assert not isinstance(parse_url("mailto:a@b"), HasServer)


def test_a_field_of_a_scheme_is_its_own():
    url = parse_url("http://h/a?b")
    assert (url.query, "query" in dir(url), "authority" in dir(url)) == ("b", True, False)
    with pytest.raises(AttributeError, match=r"use uriparse\.parse\(str\(url\)\)\.query$"):
        _ = parse_url("http://h.d/a?b", registry=RFC1738).query


def test_a_slip_is_told_from_a_foreign_name():
    for owner in (parse(TEXT), parse(TEXT).authority, parse(TEXT).host, uriparse):
        with pytest.raises(AttributeError, match=r"has no attribute 'scheem'$"):
            owner.scheem  # noqa: B018 - the access is what is tried
