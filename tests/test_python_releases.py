"""Every supported release of Python gives the same answers, whatever its `re` gets wrong."""

import ast
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from cases import each_case
from paths import ROOT

import abnf2lark
import uriparse
from abnf2lark.patterns.releases import is_misexecuted
from uriparse import whatwg
from uriparse.resolution.base import html_base
from uriparse.schemes import RFC1738, parse_url

COMPILED = ROOT / "uriparse/_compiled"
PACKAGES = [Path(package.__path__[0]) for package in (uriparse, abnf2lark)]
CALLS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
EMITTED = {"building/runtime.py", "tagged/tagged_proof.py"}
"""These compile what `abnf2lark` has written, which other tests judge."""


def tables():
    """Yield each expression of the generated modules and Lark files."""
    for path in sorted(COMPILED.glob("*_matchers.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AnnAssign) and node.target.id == "PATTERNS":
                yield from ast.literal_eval(node.value).items()
    for path in sorted(COMPILED.glob("*.lark")):
        text = path.read_text("utf-8")
        yield from re.findall(r"^([A-Z_]\w*)\S*: /(.*)/$", text, re.MULTILINE)


@each_case(("name", "text"), tables())
def test_all_releases_execute_what_is_generated(name, text):
    assert not is_misexecuted(text), name


@pytest.fixture(scope="module")
def compiled():
    """Give the expressions that our modules compile, by file and line."""
    run = subprocess.run(
        [sys.executable, ROOT / "tests/expressions_compiled.py"],
        env={**os.environ, "URIPARSE_PURE": "1"},
        capture_output=True,
        check=True,
    )
    return json.loads(run.stdout)


def test_all_releases_execute_what_is_written_by_hand(compiled):
    ours = [row for row in compiled if any(Path(row[0]).is_relative_to(one) for one in PACKAGES)]
    assert len(ours) > 100
    assert [row for row in ours if is_misexecuted(row[2])] == []


def sites(path):
    """Yield the first and last line of each call that compiles more than a literal."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[text, *_]
            ) if name in CALLS:
                if not isinstance(text, ast.Constant):
                    yield node.lineno, node.end_lineno
                elif is_misexecuted(
                    text.value if isinstance(text.value, str) else text.value.decode()
                ):
                    pytest.fail(f"{path}:{node.lineno}: {text.value!r}")


def test_no_place_that_compiles_is_left_out(compiled):
    seen = {(file, line) for file, line, _ in compiled}
    for package in PACKAGES:
        for path in package.rglob("*.py"):
            if str(path.relative_to(package)) not in EMITTED and "_compiled" not in path.parts:
                for first, last in sites(path):
                    lines = {(str(path), line) for line in range(first, last + 1)}
                    assert lines & seen, f"{path}:{first} is not reached by expressions_compiled.py"


def is_valid(text, rule, grammar):
    return uriparse.is_valid(text, rule, grammar=grammar)


def find(text):
    return [str(one.uri) for one in uriparse.find_uris(text, grammar="rfc3987")]


def refused(function, text):
    with pytest.raises(ValueError, match=r"\S") as caught:
        function(text)
    return type(caught.value).__name__, str(caught.value).partition(":")[0]


parse_1994 = partial(parse_url, registry=RFC1738)

ANSWERS = [
    (is_valid, ("prospero://host.dom/x;v", "prosperourl", "rfc1738"), False),
    (is_valid, ("prospero://host.dom/x;v=w;u", "prosperourl", "rfc1738"), False),
    (is_valid, ("{", "URI-Template", "rfc6570"), False),
    (is_valid, ("{a.%4}", "URI-Template", "rfc6570"), False),
    (is_valid, ("geo:1,2;a-b;c=%4", "geo-URI", "rfc5870"), False),
    (is_valid, ("sms:+1?a=b&c", "sms-uri", "rfc5724"), False),
    (html_base, ('<base href="http://e/">',), "http://e/"),
    (html_base, ("<!-- - --x --><base href=a>",), "a"),
    (find, ("http://h.d/苹果（x）",), ["http://h.d/苹果"]),
    (refused, (parse_1994, "prospero://host.dom/x;v"), ("SchemeError", "prospero URL, fieldname")),
    (refused, (whatwg.parse, "http://[::1"), ("URLError", "IPv6-unclosed")),
]


@each_case(("call", "values", "answer"), ANSWERS)
def test_answers_are_those_of_every_release(call, values, answer):
    assert call(*values) == answer
